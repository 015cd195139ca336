import type { ScanErasure } from "../../protocol/workspace-ledger.ts";
import { requireQr } from "../codes/codes.ts";
import type { Deps } from "../deps.ts";
import type { Owner } from "../identity/caller.ts";

/**
 * Erases the scans of a code that were made until now, with or without their sums. The code may be deleted. They are
 * shown no more from the answer on, and removed in the background. Erasing them again changes nothing.
 * @throws not_found
 */
export async function eraseScans(
  deps: Deps,
  owner: Owner,
  id: string,
  sums: ScanErasure["sums"],
): Promise<{ success: true }> {
  const { id: qrId, hash } = await requireQr(deps, owner, id, "shown");
  await deps.ledger(owner.workspaceId).eraseScans({ qrId, hash, sums }, deps.now());
  return { success: true };
}
