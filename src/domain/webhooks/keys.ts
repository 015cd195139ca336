import type { Webhook } from "../../contract/resources/webhooks/webhooks.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { listWebhooks, updateWebhook } from "./webhooks.ts";

/** Returns the active webhooks that one of these keys created or redirected. */
export async function listWebhooksOfKeys(
  deps: Deps,
  context: WorkspaceContext,
  keyIds: readonly string[],
): Promise<Webhook[]> {
  const { webhooks } = await listWebhooks(deps, context);
  return webhooks.filter(({ keyId, status }) => status === "active" && keyIds.includes(keyId ?? ""));
}

/** Pauses the webhooks that one of these keys created or redirected. */
export async function pauseWebhooksOfKeys(
  deps: Deps,
  context: WorkspaceContext,
  keyIds: readonly string[],
): Promise<void> {
  for (const { id } of await listWebhooksOfKeys(deps, context, keyIds)) {
    await updateWebhook(deps, context, id, { status: "paused" });
  }
}
