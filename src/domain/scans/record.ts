import type { ScanBatch } from "../../protocol/messages.ts";
import type { Deps } from "../deps.ts";
import { callLedger } from "../ledger.ts";
import { enqueueDeliveries } from "../webhooks/enqueue.ts";

/**
 * Records scans in the ledgers of their workspaces, with one call per ledger. A ledger that fails, or does not answer in
 * time, holds up no other. Recording a scan again changes nothing.
 * @returns the workspaces whose scans could not be recorded, with the error
 */
export async function recordScans(deps: Deps, batches: readonly ScanBatch[]): Promise<Map<string, unknown>> {
  const failed = new Map<string, unknown>();
  const byWorkspace = Map.groupBy(batches, ({ workspaceId }) => workspaceId);
  await Promise.all(
    Array.from(byWorkspace, async ([workspaceId, ownBatches]) => {
      try {
        const webhookIds = await callLedger(deps, workspaceId, (ledger) =>
          ledger.recordScans(ownBatches, deps.now()),
        );
        await enqueueDeliveries(deps, workspaceId, webhookIds);
      } catch (error) {
        failed.set(workspaceId, error);
      }
    }),
  );
  return failed;
}
