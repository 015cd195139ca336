import * as z from "zod";
import { EventKind } from "../../contract/resources/enums.ts";
import type {
  Delivery,
  DeliveryList,
  DeliveryListQuery,
  DeliveryWithAttempts,
} from "../../contract/resources/webhooks/webhooks.ts";
import { enqueueDeliveries } from "../../edge/scans/enqueue.ts";
import { idAt } from "../../lib/text/ids.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { canRead, isKey, requirePermission, requireReadable } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { notFound, ServiceError } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";

/**
 * Returns a webhook's deliveries, newest first; for a key, those of events that its scopes can read.
 * @throws not_found; invalid_input for a cursor of another list
 */
export async function listDeliveries(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
  { cursor, limit, status, from, to }: DeliveryListQuery,
): Promise<DeliveryList> {
  requirePermission(context, "webhooks");
  const filters = { webhookId, status, from, to };
  const after = parseCursor(cursor, filters) ?? (to === undefined ? null : idAt(to));
  const since = from === undefined ? null : idAt(from);
  const ledger = deps.ledger(context.workspaceId);
  const events = isKey(context) ? EventKind.options.filter((event) => canRead(context, event)) : null;
  const rows = await ledger.listDeliveries(webhookId, status ?? null, after, limit + 1, since, events);
  if (rows === undefined) throw notFound("Webhook");
  return toPage(rows, limit, filters);
}

/**
 * Returns a delivery with its body and the log of its attempts.
 * @throws not_found; forbidden for a key that can't read all its events
 */
export async function getDelivery(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
  id: string,
): Promise<DeliveryWithAttempts> {
  requirePermission(context, "webhooks");
  const delivery = await deps.ledger(context.workspaceId).getDelivery(webhookId, id);
  if (delivery === undefined) throw notFound("Delivery");
  requireReadable(context, eventsOf(delivery));
  return delivery;
}

/** The kinds of events in a delivery; none if all of them were erased. */
function eventsOf({ event, payload }: DeliveryWithAttempts): EventKind[] {
  const { data: batch } = BatchPayload.safeParse(payload);
  if (batch !== undefined) return batch.events.map((each) => each.event);
  const { data: kind } = EventKind.safeParse(event);
  return kind === undefined ? [] : [kind];
}

const BatchPayload = z.object({ events: z.array(z.object({ event: EventKind })) });

/** Sends a failed or skipped delivery again, with the same id and body. @throws not_found, invalid_input */
export async function replayDelivery(
  deps: Deps,
  context: WorkspaceContext,
  webhookId: string,
  id: string,
): Promise<Delivery> {
  requirePermission(context, "webhooks");
  const replayed = await deps.ledger(context.workspaceId).replay(webhookId, id, deps.now());
  if (replayed === undefined) throw notFound("Delivery");
  if (replayed === "paused") {
    throw new ServiceError("invalid_input", "The webhook is paused. Resume it to replay deliveries.");
  }
  if (replayed === "erased") {
    throw new ServiceError(
      "invalid_input",
      "The submission in this delivery was erased. There is nothing left to send.",
    );
  }
  if (typeof replayed === "string") {
    const problem = `The delivery is ${replayed}. Only failed and skipped deliveries can be replayed.`;
    throw new ServiceError("invalid_input", problem);
  }
  await enqueueDeliveries(deps, context.workspaceId, [webhookId]);
  return replayed;
}
