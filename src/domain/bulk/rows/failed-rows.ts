import { type CodeColumn, codeColumns } from "../../../contract/resources/codes/qr-fields.ts";
import { csvRow } from "../../../lib/text/csv.ts";
import { listFailedItems } from "../../../store/bulk/jobs.ts";
import type { StagedCode } from "../../../store/bulk/staging.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import type { Deps } from "../../deps.ts";
import { streamPageSize } from "../../paging.ts";
import { getJobDetails } from "../job-lists.ts";
import { cellsOf } from "./cells.ts";
import type { ChangeCells } from "./row.ts";

/** A job's failed row, as a row of a table. */
interface FailedRow {
  /** Its index in the job, from 0. */
  readonly rowIndex: number;
  readonly error: string;
  readonly cells: ChangeCells;
}

/** Failed rows, and the names of their columns. */
export interface FailedRows {
  readonly rows: readonly FailedRow[];
  /** The columns that any row uses, in their usual order. */
  readonly columns: readonly CodeColumn[];
  /** Their names in the imported table, or ours. */
  readonly names: readonly string[];
  /** The name of the imported file. */
  readonly fileName: string | undefined;
}

/**
 * Returns the rows that a job failed to create, except those that a table can't express: codes of types other than
 * `url`, and invalid JSON.
 * @throws not_found
 */
export async function listFailedRows(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<FailedRows> {
  const { areItemsExpired, change, source } = await getJobDetails(deps, context, jobId);
  const rows = areItemsExpired ? [] : await readRows(deps, context, jobId);
  // In a row that changes a code, an empty cell means something, too.
  const isUsed = (text: string | undefined) => (change === null ? (text ?? "") !== "" : text !== undefined);
  const columns = codeColumns.filter((name) => rows.some(({ cells }) => isUsed(cells[name])));
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

/** Returns these rows as CSV, with the columns they use and one for the error. @throws not_found */
export async function downloadFailedRows(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<string> {
  const { rows, columns, names } = await listFailedRows(deps, context, jobId);
  const lines = rows.map(({ cells, error }) => csvRow([...columns.map((name) => cells[name] ?? ""), error]));
  return csvRow([...names, "error"]) + lines.join("");
}

/** Returns a row's cells from the input kept by its item; null if a table can't express it. */
function keptCells(input: unknown): ChangeCells | null {
  if (input === null) return null;
  const { cells, ...code } = input as { cells?: ChangeCells } & Partial<StagedCode>;
  return cells ?? cellsOf(code);
}
