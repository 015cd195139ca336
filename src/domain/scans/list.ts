import type { ScanListQuery, ScanListResponse } from "../../contract/resources/scans.ts";
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
