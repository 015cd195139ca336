import type { ScanListQuery, ScanListResponse } from "../contract/scans.ts";
import type { Deps } from "../deps.ts";
import { findQr } from "../store/qr.ts";
import type { Caller } from "./caller.ts";
import { notFound } from "./errors.ts";

/** Statistics and recent scans of a code, deleted ones included: their scans are kept. @throws not_found */
export async function listScans(
  deps: Deps,
  caller: Caller,
  id: string,
  query: ScanListQuery,
): Promise<ScanListResponse> {
  const qr = await findQr(deps.db, caller.workspaceId, id, { deleted: "shown" });
  if (qr === undefined) throw notFound("QR code");
  return deps.ledger(caller.workspaceId).scansOf(qr.id, query.limit);
}
