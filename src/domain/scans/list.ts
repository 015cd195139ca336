import type { ScanListQuery, ScanListResponse } from "../../contract/resources/scans.ts";
import type { Deps } from "../deps.ts";
import type { Owner } from "../identity/caller.ts";
import { requireQr } from "../codes/codes.ts";

/** Statistics and recent scans of a code, deleted ones included: their scans are kept. @throws not_found */
export async function listScans(
  deps: Deps,
  caller: Owner,
  id: string,
  query: ScanListQuery,
): Promise<ScanListResponse> {
  const qr = await requireQr(deps, caller, id, "shown");
  return deps.ledger(caller.workspaceId).listScans(qr.id, query.limit);
}
