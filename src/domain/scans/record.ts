import type { ScanRecord } from "../../protocol/messages.ts";
import type { Deps } from "../deps.ts";
import { enqueueDeliveries } from "../webhooks/enqueue.ts";

/**
 * Records scans in the ledgers of their workspaces. Recording a scan again changes nothing.
 * @returns the workspaces whose scans could not be recorded, with the error
 */
export async function recordScans(deps: Deps, scans: readonly ScanRecord[]): Promise<Map<string, unknown>> {
  const failed = new Map<string, unknown>();
  const byWorkspace = Map.groupBy(scans, (scan) => scan.workspaceId);
  await Promise.all(
    [...byWorkspace].map(async ([workspaceId, workspaceScans]) => {
      try {
        const webhookIds = await deps.ledger(workspaceId).recordScans(workspaceScans, deps.now());
        await enqueueDeliveries(deps, workspaceId, webhookIds);
      } catch (error) {
        failed.set(workspaceId, error);
      }
    }),
  );
  return failed;
}
