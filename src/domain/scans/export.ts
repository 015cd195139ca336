import { type ExportQuery, exportColumns } from "../../contract/resources/scans.ts";
import type { Deps } from "../deps.ts";
import { csvRow } from "../../lib/text/csv.ts";
import type { ExportPage } from "../../protocol/workspace-ledger.ts";
import type { Owner } from "../identity/caller.ts";
import { streamPageSize } from "../paging.ts";
import { requireQr } from "../codes/codes.ts";

const day = 24 * 60 * 60 * 1000;

/**
 * The workspace's scans as lines of CSV or NDJSON, oldest first, page by page from the ledger. Scans that come
 * while it runs are left to the next export.
 * @throws not_found for a code that is not the workspace's; deleted ones are
 */
export async function exportScans(
  deps: Deps,
  caller: Owner,
  query: ExportQuery,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { qrId } = query;
  if (qrId !== undefined) await requireQr(deps, caller, qrId, "shown");
  return lines(deps, caller, query);
}

async function* lines(deps: Deps, caller: Owner, query: ExportQuery): AsyncGenerator<string | Uint8Array> {
  const ledger = deps.ledger(caller.workspaceId);
  const { qrId = null, format } = query;
  const from = query.from === undefined ? 0 : Date.parse(query.from);
  const end = query.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.to) + day;
  const until = Math.min(end, deps.now() + 1);
  if (format === "csv") yield csvRow(exportColumns);
  for (let after: string | null = null, more = true; more; ) {
    const page: ExportPage = await ledger.exportPage({
      qrId,
      format,
      from,
      until,
      after,
      limit: streamPageSize,
    });
    if (page.lines.length > 0) yield page.lines;
    after = page.last;
    more = page.more;
  }
}
