import type { ScanListQuery, ScanListResponse } from "../../contract/resources/scans.ts";
import type { CodeScans } from "../../protocol/analytics.ts";
import type { Deps } from "../deps.ts";
import type { Owner } from "../identity/caller.ts";
import { requireQr } from "../codes/codes.ts";

/** Statistics and recent scans of a code, which may be deleted. @throws not_found */
export async function listScans(
  deps: Deps,
  owner: Owner,
  id: string,
  query: ScanListQuery,
): Promise<ScanListResponse> {
  const qr = await requireQr(deps, owner, id, "shown");
  return deps.ledger(owner.workspaceId).listScans(qr.id, query.limit);
}

/** Days of the series in a list of codes. */
const sparklineDays = 30;

/** Human scans of codes of the workspace, by id: in all, and on each of the last 30 days. One call of the ledger. */
export async function scansOfCodes(
  deps: Deps,
  { workspaceId }: Owner,
  qrIds: readonly string[],
): Promise<ReadonlyMap<string, CodeScans>> {
  if (qrIds.length === 0) return new Map();
  const scans = await deps.ledger(workspaceId).sparklines(qrIds, sparklineDays, deps.now());
  return new Map(scans.map((each) => [each.qrId, each]));
}
