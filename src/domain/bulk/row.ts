import type * as z from "zod";
import { describeIssues, problemsByPath } from "../../contract/issues.ts";
import type { BulkColumn } from "../../contract/resources/codes/qr-fields.ts";
import { QrCreateInput } from "../../contract/resources/codes/qr.ts";
import { designProblem } from "../images/design.ts";

/** A row's non-empty cells, by column. */
export type RowCells = Readonly<Partial<Record<BulkColumn, string>>>;

/** A row of a bulk request: the code to create and the name of its url field or column, or the reason it is invalid. */
export type BulkRow = RowInput | RowFailure;

interface RowInput {
  readonly input: QrCreateInput;
  readonly urlField: string;
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
  /** The line of a CSV file in which the row begins. */
  readonly line?: number;
  /** For a row of a table. */
  readonly cells?: RowCells;
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
    return { input: data, urlField: fieldName(["data", "url"]) };
  }
  const issues = error?.issues ?? (scanProblem ? [scanProblem] : []);
  const named = issues.map(({ path, message }) => ({ path: [fieldName(path)], message }));
  return { error: describeIssues(named, misspelled, "The row"), problems: problemsByPath(named) };
}
