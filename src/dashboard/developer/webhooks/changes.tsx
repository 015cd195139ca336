import type { WebhookStatus } from "../../../contract/resources/enums.ts";
import { claimFormKey } from "../../../domain/idempotency.ts";
import {
  getWebhook,
  deleteWebhook as remove,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from "../../../domain/webhooks/webhooks.ts";
import { formatCount } from "../../../ui/values/format.ts";
import { change } from "../../frame/change.ts";
import type { FlashName } from "../../frame/flash.ts";
import { confirmPage } from "../../frame/form-page.tsx";
import { repeatedForm } from "../../frame/repeated-form.tsx";
import type { Answer } from "../../frame/request.ts";
import { rotationPage, secretPage } from "./secret.tsx";
import { webhookPath, webhookTitle } from "./texts.tsx";

const setStatus = (status: WebhookStatus, flash: FlashName): Answer =>
  change((deps, context, id) => updateWebhook(deps, context, id, { status }), webhookPath, flash);

export const pauseWebhook = setStatus("paused", "webhookPaused");
export const resumeWebhook = setStatus("active", "webhookResumed");
export const deleteWebhook = change(remove, "/dashboard/developer/webhooks", "webhookDeleted");

/** Sends a sample event and shows its delivery. @throws not_found */
export const sendTest: Answer = async ({ deps, context, param }) => {
  const { id } = await testWebhook(deps, context, param("id"));
  return { seeOther: `${webhookPath(param("id"))}/deliveries/${id}` };
};

/** Asks for confirmation before replacing the secret. @throws not_found */
export const confirmRotation: Answer = async ({ deps, context, param }) => {
  const webhook = await getWebhook(deps, context, param("id"));
  return rotationPage({ path: webhookPath(webhook.id), name: webhookTitle(webhook) });
};

/** Replaces the secret, only once for a form submitted twice, and shows it only in this response. @throws not_found */
export const rotate: Answer = async ({ deps, context, param, form }) => {
  const webhook = await getWebhook(deps, context, param("id"));
  const back = { path: webhookPath(webhook.id), name: webhookTitle(webhook) };
  if (!(await claimFormKey(deps, context, form.get("key")))) {
    return repeatedForm("secret", back);
  }
  const { secret } = await rotateSecret(deps, context, webhook.id);
  return secretPage("Signing secret replaced", back, secret, "The previous one also signs for 24 hours.");
};

/** Asks for confirmation before deleting a webhook. @throws not_found */
export const confirmWebhookDeletion: Answer = async ({ deps, context, param }) => {
  const webhook = await getWebhook(deps, context, param("id"));
  const name = webhookTitle(webhook);
  const title = `Delete the ${name.replace("W", "w")}?`;
  return confirmPage(
    { title, action: "Delete webhook", back: { path: webhookPath(webhook.id), name } },
    <>
      <p>
        <strong>{webhook.url} receives no more events.</strong>{" "}
        {webhook.pendingEvents > 0 &&
          `${formatCount(webhook.pendingEvents, "pending event")} won't be delivered. `}
        Its list of deliveries is deleted too. A deleted webhook can't be restored.
      </p>
      <p>To stop deliveries for a while, pause it instead.</p>
    </>,
  );
};
