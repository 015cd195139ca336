import type { ScanErasure } from "../../protocol/workspace-ledger.ts";
import { requireQr } from "../codes/require-code.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";

/**
 * Erases a code's scans up to now, with or without their sums. The code may be deleted. The scans are hidden once this
 * returns, and removed in the background. Repeating this has no effect.
 * @throws not_found
 */
export async function eraseScans(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  sums: ScanErasure["sums"],
): Promise<{ success: true }> {
  requirePermission(context, "settings");
  const { id: qrId, hash, name } = await requireQr(deps, context, id, "shown");
  await deps
    .ledger(context.workspaceId)
    .eraseScans({ qrId, hash, name: name ?? hash, sums }, deps.now(), context.actor);
  return { success: true };
}
