import type * as z from "zod";
import { describeIssues, problemsByPath } from "../../../contract/issues.ts";
import { QrCreateInput, type QrUpdateInput } from "../../../contract/resources/codes/qr.ts";
import type { BulkColumn, CodeColumn } from "../../../contract/resources/codes/qr-fields.ts";
import { designProblem } from "../../images/design.ts";

/** A row's non-empty cells, by column. */
export type RowCells = Readonly<Partial<Record<BulkColumn, string>>>;

/**
 * A row of a bulk request: the code to create, or the reason it is invalid. With upsert, also the change of the code that
 * has its own id.
 */
export type BulkRow = (RowInput | RowFailure) & { readonly change?: ChangeRow };

interface RowInput {
  readonly input: QrCreateInput;
  /** The line of a CSV file in which the row begins. */
  readonly line?: number;
  /** For a row of a table. */
  readonly cells?: RowCells;
}

/** Why a row is invalid. */
export interface RowFailure {
  readonly error: string;
  /** The same by field or column; under the empty name, problems that belong to none. */
  readonly problems: Readonly<Record<string, string>>;
  /** Whether the row names a code of the workspace. */
  readonly isFound?: true;
  /** The line of a CSV file in which the row begins. */
  readonly line?: number;
  /** For a row of a table. */
  readonly cells?: RowCells;
}

/**
 * Returns a row with a single problem.
 * @param column or field; empty for a problem of the whole row, which is a sentence
 * @param problem words that follow the column's name
 */
export const rowFailure = (
  column: string,
  problem: string,
  place: Omit<RowFailure, "error" | "problems"> = {},
): RowFailure => ({
  error: column === "" ? problem : describeIssues([{ path: [column], message: problem }]),
  problems: { [column]: problem },
  ...place,
});

/** A row that names a code and its change, or why it is invalid. */
export type ChangeRow = NamedChange | RowFailure;

/** The cells of a row, by column. An empty cell means that the code shall have no value. */
export type ChangeCells = Readonly<Partial<Record<CodeColumn, string>>>;

export interface NamedChange {
  readonly names: CodeNames;
  readonly change: QrUpdateInput;
  /** Empty cells that codes of some types can't have: `url` for a link, `data` for any other. */
  readonly empty: readonly ("url" | "data")[];
  /** The code must not have changed since, epoch milliseconds. */
  readonly since?: number;
  readonly line?: number;
  readonly cells?: ChangeCells;
}

/** How a row names its code. An own id names it only if nothing else does. */
export interface CodeNames {
  readonly id?: string | undefined;
  readonly hashes: readonly string[];
  /** A short link or alias as it was typed. */
  readonly at?: string | undefined;
  readonly externalId?: string | undefined;
}

/** Parses an object of known fields. @param fieldName returns the name of the column for a path */
export const parseRow = (row: object, fieldName: FieldName): BulkRow =>
  parsedRow(QrCreateInput.safeParse(row), fieldName, []);

/** Returns the name of the field or column for a path. */
type FieldName = (path: readonly PropertyKey[]) => string;

/** Returns a row as it was parsed. @param misspelled fields of it, described */
export function parsedRow(
  { data, error }: z.ZodSafeParseResult<QrCreateInput>,
  fieldName: FieldName,
  misspelled: readonly string[],
): BulkRow {
  const scanProblem = data && designProblem(data);
  if (data !== undefined && scanProblem === undefined && misspelled.length === 0) {
    return { input: data };
  }
  const issues = error?.issues ?? (scanProblem ? [scanProblem] : []);
  const named = issues.map(({ path, message }) => ({ path: [fieldName(path)], message }));
  return { error: describeIssues(named, misspelled, "The row"), problems: problemsByPath(named) };
}
