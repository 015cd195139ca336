import type { EventKind } from "../../contract/resources/enums.ts";
import type {
  CreatedWebhook,
  Delivery,
  Webhook,
  WebhookInput,
  WebhookUpdate,
} from "../../contract/resources/webhooks/webhooks.ts";
import { enqueueDeliveries } from "../../edge/scans/enqueue.ts";
import { encryptText } from "../../lib/crypto/encryption.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { newId } from "../../lib/text/ids.ts";
import type { NewHeader } from "../../protocol/workspace-ledger.ts";
import { findQr } from "../../store/codes/codes.ts";
import { pageIdsQuery } from "../../store/pages.ts";
import { answer } from "../../store/queries.ts";
import { markHasWebhooks } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { isKey, requirePermission, requireReadable } from "../context/permissions.ts";
import { planCapError, planOf } from "../context/plan.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { requireAllowedHosts } from "../destinations/blocked-hosts.ts";
import { invalid, notFound, requireFound, unavailable } from "../errors.ts";
import { forwardEvents } from "../events/forwarding.ts";
import { ifKnown } from "../ledger.ts";
import { readReceiver } from "./receiver.ts";
import { sampleEvent } from "./samples.ts";

/**
 * Registers a receiver.
 * @returns the webhook with its secret, which is not shown again and is stored encrypted
 * @throws invalid_input; plan_limit at the plan's limit; forbidden in a suspended workspace
 */
export async function createWebhook(
  deps: Deps,
  context: WorkspaceContext,
  input: WebhookInput,
): Promise<CreatedWebhook> {
  requirePermission(context, "webhooks");
  requireReadable(context, input.events);
  await requireNotSuspended(deps, context);
  const url = await readReceiverUrl(deps, input.url);
  const headers = await encryptHeaders(deps, input.headers ?? [], []);
  await requireOwnedScope(deps, context, input);
  const plan = planOf(context);
  const secret = newSecret();
  const now = deps.now();
  // Comes first, so that the outbox contains every event after the webhook's creation.
  await markHasWebhooks(deps.db, context.workspaceId);
  // The ledger sends a webhook all events that it receives from now on. So pending ones are forwarded first, unless
  // another caller is already doing so.
  await forwardEvents(deps, context.workspaceId);
  const webhook = await deps.ledger(context.workspaceId).createWebhook(
    {
      id: newId(now),
      url,
      events: input.events,
      scopeQrId: input.scopeQrId ?? null,
      scopePageId: input.scopePageId ?? null,
      mode: input.mode,
      secret: await encryptSecret(deps, secret),
      headers: headers.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])),
      keyId: isKey(context) ? context.keyId : null,
      createdAt: now,
    },
    plan.webhooks,
    context.actor,
  );
  if (webhook === undefined) {
    const allowed = `${plan.webhooks} webhook endpoint${plan.webhooks === 1 ? "" : "s"}`;
    throw planCapError(context, allowed, "Delete one, or upgrade to create more.");
  }
  return { ...webhook, secret };
}

/** Returns all webhooks of the workspace. */
export async function listWebhooks(deps: Deps, context: WorkspaceContext): Promise<{ webhooks: Webhook[] }> {
  requirePermission(context, "webhooks");
  return { webhooks: await deps.ledger(context.workspaceId).listWebhooks() };
}

/** Returns a webhook, without its secret. @throws not_found */
export async function getWebhook(deps: Deps, context: WorkspaceContext, id: string): Promise<Webhook> {
  requirePermission(context, "webhooks");
  return requireFound(await deps.ledger(context.workspaceId).getWebhook(id), "Webhook");
}

/**
 * Changes the given settings, or pauses or resumes.
 * @throws invalid_input, also for another scope; not_found; forbidden for a key that can't read all events
 */
export async function updateWebhook(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: WebhookUpdate,
): Promise<Webhook> {
  requirePermission(context, "webhooks");
  requireReadable(context, input.events ?? []);
  await requireAllEventsReadable(deps, context, id);
  await requireSameScope(deps, context, id, input);
  const stored = async () => (await getWebhook(deps, context, id)).url;
  const url = input.url === undefined ? undefined : await readReceiverUrl(deps, input.url, stored);
  const headers = await readHeaders(deps, context, id, url, input.headers);
  const { events, mode, status } = input;
  const ledger = deps.ledger(context.workspaceId);
  const changes = { url, keyId: isKey(context) ? context.keyId : null, events, mode, headers, status };
  return requireFound(await ledger.changeWebhook(id, changes, deps.now(), context.actor), "Webhook");
}

/**
 * Refuses a key that can't read all events which the webhook gets or still has to send: it could redirect them by the
 * URL, or forge them by the secret.
 * @throws forbidden; not_found
 */
async function requireAllEventsReadable(deps: Deps, context: WorkspaceContext, id: string): Promise<void> {
  if (!isKey(context)) return;
  const { events } = await getWebhook(deps, context, id);
  requireReadable(context, events);
  const unsent = await ifKnown(deps.ledger(context.workspaceId).listUnsentEvents(id));
  if (unsent === undefined) throw unavailable();
  requireReadable(context, unsent);
}

/** @throws invalid_input if the scope differs from the webhook's, which can't be changed; not_found */
async function requireSameScope(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: WebhookUpdate,
): Promise<void> {
  const given = (["scopeQrId", "scopePageId"] as const).filter((field) => input[field] !== undefined);
  if (given.length === 0) return;
  const webhook = await getWebhook(deps, context, id);
  const changed = given.find((field) => input[field] !== webhook[field]);
  if (changed !== undefined) throw invalid(changed, "can't be changed. Create another webhook instead.");
}

/** Deletes a webhook with its deliveries. @throws not_found */
export async function deleteWebhook(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ success: true }> {
  requirePermission(context, "webhooks");
  await requireAllEventsReadable(deps, context, id);
  if (!(await deps.ledger(context.workspaceId).deleteWebhook(id, deps.now(), context.actor)))
    throw notFound("Webhook");
  return { success: true };
}

/**
 * Generates a new secret. The previous one also signs for 24 hours, so that receivers can switch over. @throws
 * not_found
 */
export async function rotateSecret(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ secret: string }> {
  requirePermission(context, "webhooks");
  await requireAllEventsReadable(deps, context, id);
  const secret = newSecret();
  const ledger = deps.ledger(context.workspaceId);
  if (!(await ledger.rotateSecret(id, await encryptSecret(deps, secret), deps.now(), context.actor)))
    throw notFound("Webhook");
  return { secret };
}

/** Sends a sample of the first kind of event that the webhook subscribes to, with one attempt. @throws not_found */
export async function testWebhook(deps: Deps, context: WorkspaceContext, id: string): Promise<Delivery> {
  requirePermission(context, "webhooks");
  const webhook = await getWebhook(deps, context, id);
  const now = deps.now();
  const kind: EventKind = webhook.events[0] ?? "qr.scanned";
  const event = sampleEvent(deps, context, kind);
  const delivery = requireFound(await deps.ledger(context.workspaceId).sendTest(id, event, now), "Webhook");
  await enqueueDeliveries(deps, context.workspaceId, [id]);
  return delivery;
}

/** Returns a new signing secret. */
export const newSecret = () => `whsec_${randomBase62(32)}`;

/** Encrypts a secret for a ledger. */
export const encryptSecret = (deps: Deps, secret: string) =>
  encryptText(deps.settings.webhookSecrets, secret);

/**
 * Reads the headers of a change. Values are kept for the same origin only, or whoever changes the URL would get them.
 * @param url the new one @throws invalid_input; not_found
 */
async function readHeaders(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  url: string | undefined,
  headers: WebhookInput["headers"],
): Promise<NewHeader[] | undefined> {
  if (url === undefined && headers === undefined) return undefined;
  const before = await getWebhook(deps, context, id);
  const isMoved = url !== undefined && new URL(url).origin !== new URL(before.url).origin;
  if (headers !== undefined) return encryptHeaders(deps, headers, isMoved ? [] : before.headers);
  if (!isMoved || before.headers.length === 0) return undefined;
  throw invalid("headers", "must be sent again with another origin in url, with their values or as []");
}

/** @param kept headers whose values are stored */
async function encryptHeaders(
  deps: Deps,
  headers: NonNullable<WebhookInput["headers"]>,
  kept: Webhook["headers"],
): Promise<NewHeader[]> {
  return Promise.all(
    headers.map(async ({ name, value }) => {
      if (value !== undefined) return { name, value: await encryptSecret(deps, value) };
      if (!kept.some((header) => header.name === name)) {
        throw invalid("headers", `must have a value for ${name}, since none is stored for this origin`);
      }
      return { name, value: null };
    }),
  );
}

/**
 * Reads the URL of a receiver. @param stored returns the present URL, which stays valid as it is
 * @throws invalid_input
 */
export async function readReceiverUrl(
  deps: Deps,
  input: string,
  stored?: () => Promise<string>,
): Promise<string> {
  const receiver = readReceiver(deps, input);
  if (!receiver.ok) {
    if ((await stored?.()) === input) return input;
    throw invalid("url", receiver.problem);
  }
  await requireAllowedHosts(deps, { url: receiver.url });
  return receiver.url;
}

async function requireOwnedScope(
  deps: Deps,
  context: WorkspaceContext,
  { scopeQrId, scopePageId }: WebhookInput,
): Promise<void> {
  if (scopeQrId && scopePageId) throw invalid("scopePageId", "can't be combined with scopeQrId");
  if (
    scopeQrId &&
    (await findQr(deps.db, context.workspaceId, scopeQrId, { deleted: "hidden" })) === undefined
  ) {
    throw invalid("scopeQrId", "isn't a QR code of this workspace");
  }
  if (
    scopePageId &&
    !(await answer(pageIdsQuery(deps.db, context.workspaceId, [scopePageId]))).has(scopePageId)
  ) {
    throw invalid("scopePageId", "isn't a page of this workspace");
  }
}
