import type * as z from "zod";
import { describeIssues, problemsByPath } from "../../../contract/issues.ts";
import { limits } from "../../../contract/limits.ts";
import { misspelledFields } from "../../../contract/misspelled-fields.ts";
import { BulkUpdateItem } from "../../../contract/resources/codes/bulk-update.ts";
import { Qr } from "../../../contract/resources/codes/qr.ts";
import { type CodeColumn, codeColumns, enteredFields } from "../../../contract/resources/codes/qr-fields.ts";
import { setAt } from "../../../lib/field-path.ts";
import { omit } from "../../../lib/omit.ts";
import { undefused } from "../../../lib/text/csv.ts";
import { readHash } from "../../../lib/text/hash.ts";
import { damageOf } from "../../../lib/text/spreadsheets.ts";
import { readLinkAddress } from "../../codes/filter.ts";
import { readList } from "../../codes/list-cells.ts";
import { invalid } from "../../errors.ts";
import { columnForPath } from "./cells.ts";
import { CsvRows } from "./csv-rows.ts";
import { type ChangeCells, type ChangeRow, type CodeNames, rowFailure } from "./row.ts";

/** Rows that change codes, each in its own way. */

/** The columns that can name a code. */
export const namingColumns = ["id", "hash", "scanUrl", "externalId"] as const satisfies readonly CodeColumn[];

const unnamed = `names no code. Fill in ${namingColumns.slice(0, -1).join(", ")} or ${namingColumns.at(-1)}.`;

/** Returns a reader of a CSV file whose rows change codes. */
export const changeTable = (charset: string | undefined) =>
  new CsvRows<CodeColumn, ChangeRow>({
    charset,
    columns: codeColumns,
    requireColumns(columns) {
      if (namingColumns.some((column) => columns.includes(column))) return;
      throw invalid("body", `has no column that names the codes. Use ${namingColumns.join(", ")}.`);
    },
    requireRemaining(rows) {
      const { ids } = limits.bulkUpdate;
      if (rows.length >= ids) throw invalid("body", `can have at most ${ids} rows`);
    },
    row: (cells, line) => parseChangeCells(unescaped(cells), line),
    failure: (failure) => failure,
  });

const unescaped = (cells: ChangeCells): ChangeCells =>
  Object.fromEntries(Object.entries(cells).map(([column, text]) => [column, undefused(text)]));

/** Reads a table's row. Only names are kept with the spaces around them. */
export function parseChangeCells(cells: ChangeCells, line?: number): ChangeRow {
  const place = { cells, ...(line !== undefined && { line }) };
  const text = (column: CodeColumn) => cells[column]?.trim() ?? "";
  const fail = (column: CodeColumn, problem: string) => rowFailure(column, problem, place);
  const isNamed = text("id") !== "" || text("hash") !== "" || text("scanUrl") !== "";
  const names = namesOf({
    id: text("id") || undefined,
    hash: text("hash") || undefined,
    scanUrl: text("scanUrl") || undefined,
    externalId: isNamed ? undefined : text("externalId") || undefined,
  });
  if ("problem" in names) return fail(names.column, names.problem);
  const candidate: Record<string, unknown> = {};
  for (const { column, path, kind } of enteredFields) {
    const cell = column === "name" ? cells.name : cells[column]?.trim();
    if (cell === undefined || column === "hash" || (column === "externalId" && !isNamed)) continue;
    if (column === "url") {
      if (cell !== "") candidate.data = { type: "url", url: cell };
    } else if (cell !== "") setAt(candidate, path, kind === "list" ? readList(column, cell) : cell);
    else if (column === "qrType" || column === "status") return fail(column, "can't be empty");
    else setAt(candidate, path, kind === "list" ? [] : null);
  }
  if (text("data") !== "") {
    if (candidate.data !== undefined) return fail("data", "can't be given beside url");
    const data = jsonOf(text("data"));
    if (data === undefined) return fail("data", "isn't a JSON object");
    candidate.data = data;
  }
  const since = text("updatedAt") === "" ? undefined : Date.parse(text("updatedAt"));
  if (Number.isNaN(since)) return fail("updatedAt", "isn't a time such as 2026-01-31T09:30:00.000Z");
  const row = parsedChange(BulkUpdateItem.safeParse(candidate), columnForPath, [], names, since);
  const empty = (["url", "data"] as const).filter((column) => cells[column]?.trim() === "");
  return "error" in row ? { ...row, ...place } : { ...row, ...place, empty };
}

/** Reads a row of a creation as a change of the code that has its own id. */
export const parseUpsertCells = (cells: ChangeCells, line: number): ChangeRow =>
  parseChangeCells(unescaped(omit(cells, "hash")), line);

function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an element of a JSON body. Misspelled fields are reported. */
export function parseChangeItem(element: unknown): ChangeRow {
  const parsed = BulkUpdateItem.safeParse(element);
  const { id, hash, scanUrl, externalId, updatedAt } = parsed.data ?? {};
  const isNamed = id !== undefined || hash !== undefined || scanUrl !== undefined;
  const names = namesOf({
    id,
    hash,
    scanUrl,
    externalId: isNamed ? undefined : (externalId ?? undefined),
  });
  const since = updatedAt === undefined ? undefined : Date.parse(updatedAt);
  const path = (at: readonly PropertyKey[]) => at.join(".");
  const misspelled = misspelledFields(BulkUpdateItem, element, Qr);
  if (parsed.success && misspelled.length === 0 && "problem" in names) {
    return rowFailure(names.column, names.problem);
  }
  return parsedChange(parsed, path, misspelled, "problem" in names ? { hashes: [] } : names, since);
}

/** Reads an element of a creation as a change of the code that has its own id. */
export function parseUpsertItem(element: unknown): ChangeRow {
  return parseChangeItem(omit(Object(element) as Record<string, unknown>, "id", "hash"));
}

function parsedChange(
  { data, error }: z.ZodSafeParseResult<BulkUpdateItem>,
  nameOf: (path: readonly PropertyKey[]) => string,
  misspelled: readonly string[],
  names: CodeNames,
  since: number | undefined,
): ChangeRow {
  if (data === undefined || misspelled.length > 0) {
    const named = (error?.issues ?? []).map(({ path, message }) => ({ path: [nameOf(path)], message }));
    return { error: describeIssues(named, misspelled, "The row"), problems: problemsByPath(named) };
  }
  const { externalId, ...change } = omit(data, "id", "hash", "scanUrl", "updatedAt");
  return {
    names,
    change: names.externalId === undefined && externalId !== undefined ? { ...change, externalId } : change,
    empty: [],
    ...(since !== undefined && { since }),
  };
}

interface Given {
  readonly id: string | undefined;
  readonly hash: string | undefined;
  readonly scanUrl: string | undefined;
  readonly externalId: string | undefined;
}

/** Returns how a row names its code, or which column is wrong. */
function namesOf({
  id,
  hash,
  scanUrl,
  externalId,
}: Given): CodeNames | { readonly column: CodeColumn; readonly problem: string } {
  const named = hash === undefined ? undefined : readHash(hash);
  if (named === null)
    return { column: "hash", problem: `isn't a short name. ${damageOf(hash ?? "")}`.trim() };
  if (scanUrl !== undefined && readLinkAddress(scanUrl) === null) {
    return { column: "scanUrl", problem: "isn't a short link of this service" };
  }
  if ([id, named, scanUrl, externalId].every((each) => each === undefined)) {
    return { column: "id", problem: unnamed };
  }
  const hashes = named === undefined ? [] : [named];
  return { id: id?.toLowerCase(), hashes, at: scanUrl, externalId: externalId?.normalize() };
}
