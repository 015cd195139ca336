import { readRows, type Separator } from "./csv-rows.ts";

/** From how many rows the separator is chosen. */
const sampleRows = 20;

/** The separators that are recognised without a declaration. On a tie, the first wins. */
const separators = ["\t", ";", ","] as const satisfies readonly Separator[];

/** How well a separator suits a text. */
interface Fit {
  readonly separator: Separator;
  /** How many cells of a row name a column, if it is more than one. */
  readonly names: number;
  /** The share of rows that have the most frequent number of cells, which is at least two. */
  readonly share: number;
  /** Whether it explains quotes: some cells are quoted, and every quote is where it belongs. */
  readonly isQuoted: boolean;
  /** How many cells are a web address. */
  readonly addresses: number;
  readonly cells: number;
}

/** Hints for choosing a separator. */
export interface SeparatorHints {
  readonly isPasted: boolean;
  /** Whether the text doesn't end within a row. */
  readonly isComplete: boolean;
  isName(cell: string): boolean;
}

/**
 * Returns the separator that divides a text's first rows into names of columns, or else most evenly; null if most rows
 * are one cell. Cells copied from a spreadsheet are divided by tabs, whatever is in them.
 */
export function separatorOf(text: string, hints: SeparatorHints): Separator | null {
  const fits = separators.flatMap((separator) => fitOf(text, separator, hints) ?? []);
  const rank = ({ separator, names, share, isQuoted, addresses, cells }: Fit) => [
    names,
    Number(hints.isPasted && separator === "\t"),
    share,
    Number(isQuoted),
    // Addresses decide where counts are equal: `1,50;example.com` against `1,50;3`.
    addresses,
    cells,
  ];
  const ranks = new Map(fits.map((fit) => [fit, rank(fit)]));
  const [best] = fits.toSorted((a, b) => compare(ranks.get(b) ?? [], ranks.get(a) ?? []));
  return best?.separator ?? null;
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, i) => value - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Returns undefined for a separator that most rows don't have. */
function fitOf(text: string, separator: Separator, { isComplete, isName }: SeparatorHints): Fit | undefined {
  const form = { separator, isPasted: false };
  const all = readRows(text, form, isComplete, 1, sampleRows);
  const rows = (all.records.length > 0 ? all.records : readRows(text, form, true, 1, 1).records)
    .map(({ cells }) => cells)
    .filter((cells) => cells.some((cell) => cell.trim() !== ""));
  const { cells = 1, share } = usualCells(rows, 2);
  const names = Math.max(0, ...rows.map((row) => row.filter(isName).length));
  if (cells === 1 && names < 2) return undefined;
  return {
    ...{
      separator,
      names: names > 1 ? names : 0,
      share,
      isQuoted: all.hasQuoted && all.malformed === undefined,
    },
    ...{ addresses: rows.flat().filter(isAddress).length, cells },
  };
}

/**
 * Returns the most frequent number of cells in the first rows, if it is at least `least`, and the share of rows that
 * have it. On a tie, the smallest, since a header is never too long.
 */
export function usualCells(
  rows: readonly (readonly string[])[],
  least = 1,
): { readonly cells: number | undefined; readonly share: number } {
  const sample = rows.slice(0, sampleRows);
  const byCount = [...Map.groupBy(sample, (cells) => cells.length)].toSorted(([a], [b]) => b - a);
  const most = Math.max(0, ...byCount.map(([, some]) => some.length));
  const found = byCount.findLast(([count, some]) => count >= least && some.length === most);
  return { cells: found?.[0], share: most / sample.length };
}

/** Returns whether a cell is a web address that doesn't begin with something else. */
const isAddress = (cell: string): boolean =>
  /^(?:https?:\/\/[^\s,;/?#]+|[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,})(?:[/?#]\S*)?$/i.test(cell.trim());
