import { nullsAbsent } from "../../contract/absent-fields.ts";
import { describeIssues, problemsByPath } from "../../contract/issues.ts";
import { misspelledFields } from "../../contract/misspelled-fields.ts";
import type { BulkColumn } from "../../contract/resources/qr-fields.ts";
import { Qr, QrCreateInput } from "../../contract/resources/qr.ts";
import { designProblem } from "../images/design.ts";

/** The cells of a table's row that are not empty, by column. */
export type RowCells = Readonly<Partial<Record<BulkColumn, string>>>;

/** A row of a bulk request: the code to create and the name of its url field or column; or why the row is invalid. */
export type BulkRow = RowInput | RowFailure;

interface RowInput {
  readonly input: QrCreateInput;
  readonly urlField: string;
  /** The line of a CSV file in which the row begins. */
  readonly line?: number;
  /** Of a row of a table. */
  readonly cells?: RowCells;
}

/** Why a row is invalid. */
export interface RowFailure {
  readonly error: string;
  /** The same by field or column; under the empty name, what none of them is to blame for. */
  readonly problems: Readonly<Record<string, string>>;
  /** The line of a CSV file in which the row begins. */
  readonly line?: number;
  /** Of a row of a table. */
  readonly cells?: RowCells;
}

const QrCreation = nullsAbsent(QrCreateInput);

/** Reads a row. @param fieldName the name of the field or column that a path stands for */
export function parseRow(
  candidate: unknown,
  fieldName: (path: readonly PropertyKey[]) => string,
): RowInput | RowFailure {
  const parsed = QrCreation.safeParse(candidate);
  const scanProblem = parsed.data && designProblem(parsed.data);
  const misspelled = misspelledFields(QrCreateInput, candidate, Qr);
  if (parsed.success && scanProblem === undefined && misspelled.length === 0) {
    return { input: parsed.data, urlField: fieldName(["data", "url"]) };
  }
  const issues = parsed.error?.issues ?? (scanProblem ? [scanProblem] : []);
  const named = issues.map(({ path, message }) => ({ path: [fieldName(path)], message }));
  return { error: describeIssues(named, misspelled, "the row"), problems: problemsByPath(named) };
}
