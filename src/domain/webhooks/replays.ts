import type { Replay, ReplayInput, ReplayPreview } from "../../contract/resources/webhooks/replays.ts";
import { enqueueDeliveries } from "../../edge/scans/enqueue.ts";
import type { ReplaySelection } from "../../protocol/replays.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound, ServiceError } from "../errors.ts";

const selectionOf = ({ since, includeSkipped }: ReplayInput): ReplaySelection => ({
  // The ledger's ids have no time before 1970.
  since: Math.max(0, Date.parse(since)),
  includeSkipped,
});

/** Counts the deliveries that a replay of a webhook would send. @throws not_found */
export async function previewReplay(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
  input: ReplayInput,
): Promise<ReplayPreview> {
  requirePermission(context, "webhooks");
  const ledger = deps.ledger(context.workspaceId);
  return requireFound(await ledger.countReplay(webhookId, selectionOf(input), deps.now()), "Webhook");
}

/**
 * Starts to send a webhook's failed deliveries again, each with one attempt and the same id and body. The ledger
 * continues on its own.
 * @throws not_found; invalid_input while the webhook is paused or another replay of it is running
 */
export async function startReplay(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
  input: ReplayInput,
): Promise<Replay> {
  requirePermission(context, "webhooks");
  const ledger = deps.ledger(context.workspaceId);
  const replay = await ledger.startReplay(webhookId, selectionOf(input), deps.now());
  if (replay === undefined) throw notFound("Webhook");
  if (replay === "paused") {
    throw new ServiceError("invalid_input", "The webhook is paused. Resume it to replay deliveries.");
  }
  if (replay === "running") {
    throw new ServiceError(
      "invalid_input",
      "A replay of this webhook is already running. Stop it, or wait until it ends.",
    );
  }
  await enqueueDeliveries(deps, context.workspaceId, [webhookId]);
  return replay;
}

/** Returns a webhook's replays, newest first. @throws not_found */
export async function listReplays(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
): Promise<Replay[]> {
  requirePermission(context, "webhooks");
  return requireFound(await deps.ledger(context.workspaceId).listReplays(webhookId), "Webhook");
}

/** Returns a replay with its progress. @throws not_found */
export async function getReplay(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
  id: string,
): Promise<Replay> {
  requirePermission(context, "webhooks");
  const replays = await listReplays(deps, context, webhookId);
  return requireFound(
    replays.find((replay) => replay.id === id),
    "Replay",
  );
}

/**
 * Stops a replay. Deliveries already being sent are completed. A replay that has ended stays as it is. @throws
 * not_found
 */
export async function stopReplay(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
  id: string,
): Promise<Replay> {
  requirePermission(context, "webhooks");
  return requireFound(await deps.ledger(context.workspaceId).stopReplay(webhookId, id, deps.now()), "Replay");
}
