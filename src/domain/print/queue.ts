import { describeError, log } from "../../lib/log.ts";
import type { Deps } from "../deps.ts";

/** Queues the next slice of the workspace's print jobs. If the queue refuses, the sweep does it later. */
export async function enqueuePrints(deps: Deps, workspaceId: string, delaySeconds = 0): Promise<void> {
  try {
    await deps.printQueue.send({ workspaceId }, { delaySeconds });
  } catch (error) {
    log("error", "print job not queued; the sweep will retry it", { error: describeError(error) });
  }
}
