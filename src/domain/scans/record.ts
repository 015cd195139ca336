import type { ScanRecord } from "../../protocol/messages.ts";
import type { Deps } from "../deps.ts";
import { enqueueDeliveries } from "../webhooks/enqueue.ts";

/**
 * Writes scans down, each in its workspace's ledger. Repeats are harmless.
 * @returns the workspaces whose ledger did not take theirs, with the reason
 */
export async function recordScans(deps: Deps, scans: readonly ScanRecord[]): Promise<Map<string, unknown>> {
  const failed = new Map<string, unknown>();
  const byWorkspace = Map.groupBy(scans, (scan) => scan.workspaceId);
  await Promise.all(
    [...byWorkspace].map(async ([workspaceId, own]) => {
      try {
        const webhookIds = await deps.ledger(workspaceId).recordScans(own, deps.now());
        await enqueueDeliveries(deps, workspaceId, webhookIds);
      } catch (error) {
        failed.set(workspaceId, error);
      }
    }),
  );
  return failed;
}
