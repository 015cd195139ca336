import { type CsvForm, readRows, type Separator } from "./csv-rows.ts";

/** From how many rows the separator is chosen. */
const sampleRows = 20;

/** The separators that a file can have without saying so. The first wins where nothing tells them apart. */
const separators = ["\t", ";", ","] as const satisfies readonly Separator[];

/** How well a separator suits a text. */
interface Fit {
  readonly separator: Separator;
  /** The share of rows that have the most frequent number of cells, which is at least two. */
  readonly share: number;
  /** Whether every quote is where it belongs. */
  readonly isWellFormed: boolean;
  /** How many cells are a web address. */
  readonly addresses: number;
  readonly cells: number;
}

/**
 * Returns the separator that divides a text's first rows most evenly; null if most are one cell. Cells copied from a
 * spreadsheet are divided by tabs, whatever is in them.
 * @param isComplete whether the text doesn't end within a row
 */
export function separatorOf(text: string, isPasted: boolean, isComplete: boolean): Separator | null {
  const fits = separators.flatMap((separator) => fitOf(text, { separator, isPasted }, isComplete) ?? []);
  // Addresses tell `1,50;example.com` from `1,50;3`, as far as counts leave that open.
  const rank = (fit: Fit) => [
    fit.share,
    Number(fit.isWellFormed),
    Number(isPasted && fit.separator === "\t"),
    fit.addresses,
    fit.cells,
  ];
  const ranks = new Map(fits.map((fit) => [fit, rank(fit)]));
  const [best] = fits.toSorted((a, b) => compare(ranks.get(b) ?? [], ranks.get(a) ?? []));
  return best?.separator ?? null;
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, i) => value - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Returns undefined for a separator that most rows don't have. */
function fitOf(text: string, form: CsvForm & { separator: Separator }, isComplete: boolean): Fit | undefined {
  const all = readRows(text, form, isComplete, 1, sampleRows);
  const rows = (all.records.length > 0 ? all.records : readRows(text, form, true, 1, 1).records)
    .map(({ cells }) => cells)
    .filter((cells) => cells.some((cell) => cell.trim() !== ""));
  const byCount = [...Map.groupBy(rows, (cells) => cells.length)].toSorted(([a], [b]) => b - a);
  const most = Math.max(0, ...byCount.map(([, some]) => some.length));
  // Of counts that are equally frequent, the smallest with a separator: a header is never too long.
  const [cells = 1] = byCount.findLast(([count, some]) => count > 1 && some.length === most) ?? [];
  if (cells === 1) return undefined;
  return {
    ...{ separator: form.separator, share: most / rows.length, isWellFormed: all.malformed === undefined },
    ...{ addresses: rows.flat().filter(isAddress).length, cells },
  };
}

/** Returns whether a cell is a web address that doesn't begin with something else. */
const isAddress = (cell: string): boolean =>
  /^(?:https?:\/\/[^\s,;/?#]+|[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,})(?:[/?#]\S*)?$/i.test(cell.trim());
