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
interface FailedRow {
  /** Its index in the job, from 0. */
  readonly rowIndex: number;
  readonly error: string;
  readonly cells: RowCells;
}

/** Failed rows, and the names of their columns. */
export interface FailedRows {
  readonly rows: readonly FailedRow[];
  /** The columns in which a row has text, in their usual order. */
  readonly columns: readonly BulkColumn[];
  /** Their names in the table that they were imported from, or ours. */
  readonly names: readonly string[];
  /** The name of the file that they were imported from. */
  readonly fileName: string | undefined;
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
): Promise<FailedRows> {
  const { areItemsExpired, source } = await getJobDetails(deps, context, jobId);
  const rows = areItemsExpired ? [] : await readRows(deps, context, jobId);
  const columns = bulkColumns.filter((name) => rows.some(({ cells }) => (cells[name] ?? "") !== ""));
  const names = columns.map((column) => source?.columns[column] ?? column);
  return { rows, columns, names, fileName: source?.fileName };
}

async function readRows(deps: Deps, context: WorkspaceContext, jobId: string): Promise<FailedRow[]> {
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
  const { rows, columns, names } = await listFailedRows(deps, context, jobId);
  const lines = rows.map(({ cells, error }) => csvRow([...columns.map((name) => cells[name] ?? ""), error]));
  return csvRow([...names, "error"]) + lines.join("");
}

/** The cells of a row, from what its item has kept; null if no table can hold it. */
function keptCells(input: unknown): RowCells | null {
  if (input === null) return null;
  const { cells, ...code } = input as { cells?: RowCells } & Partial<StagedCode>;
  return cells ?? cellsOf(code);
}
