import type { ScanErasure } from "../../protocol/workspace-ledger.ts";
import { requireQr } from "../codes/require-code.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";

/**
 * Erases the scans of a code that were made until now, with or without their sums. The code may be deleted. They are
 * no longer shown from the answer on, and removed in the background. Erasing them again changes nothing.
 * @throws not_found
 */
export async function eraseScans(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  sums: ScanErasure["sums"],
): Promise<{ success: true }> {
  const { id: qrId, hash } = await requireQr(deps, context, id, "shown");
  await deps.ledger(context.workspaceId).eraseScans({ qrId, hash, sums }, deps.now());
  return { success: true };
}
