import type { EventKind } from "../../contract/resources/enums.ts";
import type {
  CreatedWebhook,
  Delivery,
  Webhook,
  WebhookInput,
  WebhookUpdate,
} from "../../contract/resources/webhooks.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type { Deps } from "../deps.ts";
import { randomBase62, encryptText, encryptionKey } from "../../lib/crypto/crypto.ts";
import { newId } from "../../lib/text/ids.ts";
import { readReceiver } from "../../lib/web/receiver.ts";
import { filterOwnedPageIds } from "../../store/pages.ts";
import { findQr } from "../../store/codes.ts";
import { markHasWebhooks } from "../../store/workspaces.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { tellDue } from "./enqueue.ts";
import { sampleEvent } from "./samples.ts";

/**
 * Registers a receiver.
 * @returns the webhook with its secret, which is shown this once and stored sealed
 * @throws invalid_input; plan_limit when the plan allows no more
 */
export async function createWebhook(deps: Deps, owner: Owner, input: WebhookInput): Promise<CreatedWebhook> {
  const url = receiverOf(deps, input.url);
  await requireScopes(deps, owner, input);
  const plan = planOf(owner);
  const secret = newSecret();
  const now = deps.now();
  // First of all: what happens after the webhook is there must be written down for it.
  await markHasWebhooks(deps.db, owner.workspaceId);
  const webhook = await deps.ledger(owner.workspaceId).createWebhook(
    {
      id: newId(now),
      url,
      events: input.events,
      scopeQrId: input.scopeQrId ?? null,
      scopePageId: input.scopePageId ?? null,
      mode: input.mode,
      secret: await sealed(deps, secret),
      createdAt: now,
    },
    plan.webhooks,
  );
  if (webhook === undefined) {
    const allowed = `${plan.webhooks} webhook endpoint${plan.webhooks === 1 ? "" : "s"}`;
    throw new ServiceError(
      "plan_limit",
      `Your plan ${plan.title} allows ${allowed}; delete one or upgrade to create more`,
    );
  }
  return { ...webhook, secret };
}

export async function listWebhooks(deps: Deps, owner: Owner): Promise<{ webhooks: Webhook[] }> {
  return { webhooks: await deps.ledger(owner.workspaceId).listWebhooks() };
}

/** @throws not_found */
export async function getWebhook(deps: Deps, owner: Owner, id: string): Promise<Webhook> {
  return found(await deps.ledger(owner.workspaceId).getWebhook(id));
}

/** Changes what is given; pauses or resumes. @throws invalid_input, not_found */
export async function updateWebhook(
  deps: Deps,
  owner: Owner,
  id: string,
  input: WebhookUpdate,
): Promise<Webhook> {
  const url = input.url === undefined ? undefined : receiverOf(deps, input.url);
  return found(await deps.ledger(owner.workspaceId).changeWebhook(id, { ...input, url }, deps.now()));
}

/** Nothing is sent to it any more; its deliveries are gone. @throws not_found */
export async function deleteWebhook(deps: Deps, owner: Owner, id: string): Promise<{ success: true }> {
  if (!(await deps.ledger(owner.workspaceId).deleteWebhook(id, deps.now()))) throw notFound("Webhook");
  return { success: true };
}

/** A new secret. The one before it signs too for 24 hours, so that receivers can change over. @throws not_found */
export async function rotateSecret(deps: Deps, owner: Owner, id: string): Promise<{ secret: string }> {
  const secret = newSecret();
  const ledger = deps.ledger(owner.workspaceId);
  if (!(await ledger.rotateSecret(id, await sealed(deps, secret), deps.now()))) throw notFound("Webhook");
  return { secret };
}

/** Sends a sample of the first event the webhook listens to, marked as a test; tried once. @throws not_found */
export async function testWebhook(deps: Deps, owner: Owner, id: string): Promise<Delivery> {
  const webhook = await getWebhook(deps, owner, id);
  const now = deps.now();
  const kind: EventKind = webhook.events[0] ?? "qr.scanned";
  const event = sampleEvent(deps, owner, kind);
  const delivery = found(await deps.ledger(owner.workspaceId).sendTest(id, event, now));
  await tellDue(deps, owner.workspaceId, [id]);
  return delivery;
}

function found<T>(value: T | undefined, what = "Webhook"): T {
  if (value === undefined) throw notFound(what);
  return value;
}

const newSecret = () => `whsec_${randomBase62(32)}`;

const sealed = async (deps: Deps, secret: string) =>
  encryptText(await encryptionKey(deps.webhookSecret), secret);

function receiverOf(deps: Deps, input: string): string {
  const receiver = readReceiver(input, {
    maxLength: webhookRules.url,
    ownHost: deps.scanHost,
    // Local development alone is served by plain http.
    loopback: deps.scanOrigin.startsWith("http://"),
  });
  if (!receiver.ok) throw invalid("url", receiver.problem);
  return receiver.url;
}

async function requireScopes(
  deps: Deps,
  owner: Owner,
  { scopeQrId, scopePageId }: WebhookInput,
): Promise<void> {
  if (scopeQrId && scopePageId) throw invalid("scopePageId", "must not be given together with scopeQrId");
  if (
    scopeQrId &&
    (await findQr(deps.db, owner.workspaceId, scopeQrId, { deleted: "hidden" })) === undefined
  ) {
    throw invalid("scopeQrId", "is not a QR code of this workspace");
  }
  if (
    scopePageId &&
    !(await filterOwnedPageIds(deps.db, owner.workspaceId, [scopePageId])).has(scopePageId)
  ) {
    throw invalid("scopePageId", "is not a page of this workspace");
  }
}
