import { type BulkColumn, bulkColumns } from "../../contract/resources/qr-fields.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { listFailedItems } from "../../store/bulk/jobs.ts";
import type { StagedCode } from "../../store/bulk/staging.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { streamPageSize } from "../paging.ts";
import { getJobDetails } from "./job-lists.ts";
import { cellsOf } from "./cells.ts";
import type { RowCells } from "./row.ts";

/** A row of a job that failed, as a row of a table. */
export interface FailedRow {
  /** Its index in the job, from 0. */
  readonly rowIndex: number;
  readonly error: string;
  readonly cells: RowCells;
}

/**
 * The rows of a job that failed to be created, without those that no table can hold: codes of other types than `url`, and
 * JSON that was not valid.
 * @throws not_found
 */
export async function listFailedRows(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<FailedRow[]> {
  const { areItemsExpired } = await getJobDetails(deps, context, jobId);
  if (areItemsExpired) return [];
  const rows: FailedRow[] = [];
  let after = -1;
  for (let isLast = false; !isLast; ) {
    const items = await listFailedItems(deps.db, context.workspaceId, jobId, after, streamPageSize);
    for (const { rowIndex, error, input } of items) {
      const cells = keptCells(input);
      if (cells !== null) rows.push({ rowIndex, error, cells });
    }
    after = items.at(-1)?.rowIndex ?? after;
    isLast = items.length < streamPageSize;
  }
  return rows;
}

/** The same as CSV, with the columns that they use and one for the error. @throws not_found */
export async function downloadFailedRows(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<string> {
  const rows = await listFailedRows(deps, context, jobId);
  const columns = usedColumns(rows);
  const lines = rows.map(({ cells, error }) => csvRow([...columns.map((name) => cells[name] ?? ""), error]));
  return csvRow([...columns, "error"]) + lines.join("");
}

/** The columns in which a row has text, in their usual order. */
export const usedColumns = (rows: readonly { readonly cells: RowCells }[]): readonly BulkColumn[] =>
  bulkColumns.filter((name) => rows.some(({ cells }) => (cells[name] ?? "") !== ""));

/** The cells of a row, from what its item has kept; null if no table can hold it. */
function keptCells(input: unknown): RowCells | null {
  if (input === null) return null;
  const { cells, ...code } = input as { cells?: RowCells } & Partial<StagedCode>;
  return cells ?? cellsOf(code);
}
