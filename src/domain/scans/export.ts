import { type ExportQuery, exportColumns } from "../../contract/resources/scans.ts";
import type { Deps } from "../deps.ts";
import { csvRow } from "../../lib/text/csv.ts";
import type { ExportPage } from "../../protocol/workspace-ledger.ts";
import type { Owner } from "../identity/caller.ts";
import { streamPageSize } from "../paging.ts";
import { requireQr } from "../codes/codes.ts";

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * The workspace's scans as lines of CSV or NDJSON, oldest first, page by page from the ledger. Scans recorded after the
 * export began are not included.
 * @throws not_found for a code that is not the workspace's; a deleted code is
 */
export async function exportScans(
  deps: Deps,
  owner: Owner,
  query: ExportQuery,
): Promise<AsyncIterable<string | Uint8Array>> {
  const { qrId } = query;
  if (qrId !== undefined) await requireQr(deps, owner, qrId, "shown");
  return exportLines(deps, owner, query);
}

async function* exportLines(
  deps: Deps,
  owner: Owner,
  query: ExportQuery,
): AsyncGenerator<string | Uint8Array> {
  const ledger = deps.ledger(owner.workspaceId);
  const { qrId = null, format } = query;
  const from = query.from === undefined ? 0 : Date.parse(query.from);
  const end = query.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(query.to) + dayMilliseconds;
  const until = Math.min(end, deps.now() + 1);
  if (format === "csv") yield csvRow(exportColumns);
  let page: ExportPage;
  let after: string | null = null;
  do {
    page = await ledger.exportPage({
      qrId,
      format,
      from,
      until,
      after,
      limit: streamPageSize,
    });
    if (page.lines.length > 0) yield page.lines;
    after = page.last;
  } while (page.more);
}
