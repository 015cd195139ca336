import { takeForm } from "../../../domain/idempotency.ts";
import {
  deleteWebhook as remove,
  getWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from "../../../domain/webhooks/webhooks.ts";
import { Confirm } from "../../components/forms/confirm.tsx";
import { formatCount } from "../../components/values/format.ts";
import { Head } from "../../components/head.tsx";
import type { PageAnswer, SeeOther, Visit } from "../../frame/visit.ts";
import { FormKey } from "../../components/forms/form-key.tsx";
import { repeatedForm } from "../repeated-form.tsx";
import { secretPage } from "./secret.tsx";
import { webhookPath, webhookTitle } from "./texts.tsx";

/** Stops deliveries. @throws not_found */
export async function pauseWebhook({ deps, owner, param }: Visit): Promise<SeeOther> {
  await updateWebhook(deps, owner, param("id"), { status: "paused" });
  return { seeOther: webhookPath(param("id")), flash: "webhookPaused" };
}

/** Delivers events again. @throws not_found */
export async function resumeWebhook({ deps, owner, param }: Visit): Promise<SeeOther> {
  await updateWebhook(deps, owner, param("id"), { status: "active" });
  return { seeOther: webhookPath(param("id")), flash: "webhookResumed" };
}

/** Sends a sample event, and shows its delivery. @throws not_found */
export async function sendTest({ deps, owner, param }: Visit): Promise<SeeOther> {
  const { id } = await testWebhook(deps, owner, param("id"));
  return { seeOther: `${webhookPath(param("id"))}/deliveries/${id}` };
}

/** Asks whether to replace the secret. @throws not_found */
export async function confirmRotation({ deps, owner, param }: Visit): Promise<PageAnswer> {
  const webhook = await getWebhook(deps, owner, param("id"));
  const back = { path: webhookPath(webhook.id), name: webhookTitle(webhook) };
  return {
    title: "Replace the signing secret?",
    content: (
      <>
        <Head title="Replace the signing secret?" back={back} />
        <div class="card">
          <p>
            You get a new secret, once. <strong>The previous one also signs for 24 hours</strong>: until then,
            put the new one into your receiver. A secret from before the previous one stops signing at once.
          </p>
          <form class="buttons" method="post">
            <FormKey />
            <button class="button primary" type="submit">
              Replace the secret
            </button>
            <a class="button" href={back.path}>
              Cancel
            </a>
          </form>
        </div>
      </>
    ),
  };
}

/** Replaces the secret and shows the new one, this one time; a form that is submitted twice does it once. @throws not_found */
export async function rotate({ deps, owner, param, form }: Visit): Promise<PageAnswer> {
  const webhook = await getWebhook(deps, owner, param("id"));
  if (!(await takeForm(deps, owner, form.get("key")))) {
    return repeatedForm("secret", { path: webhookPath(webhook.id), name: webhookTitle(webhook) });
  }
  const { secret } = await rotateSecret(deps, owner, webhook.id);
  return secretPage("The new signing secret", webhook, secret, "The previous one also signs for 24 hours.");
}

/** Asks whether to delete a webhook. @throws not_found */
export async function confirmWebhookDeletion({ deps, owner, param }: Visit): Promise<PageAnswer> {
  const webhook = await getWebhook(deps, owner, param("id"));
  const title = `Delete the ${webhookTitle(webhook).replace("W", "w")}?`;
  return {
    title,
    content: (
      <Confirm
        title={title}
        action="Delete the webhook"
        back={{ path: webhookPath(webhook.id), name: webhookTitle(webhook) }}
      >
        <p>
          <strong>{webhook.url} gets no more events.</strong>{" "}
          {webhook.pendingEvents > 0 && `${formatCount(webhook.pendingEvents, "event")} are not delivered. `}
          The list of its deliveries goes too. A deleted webhook can't be restored.
        </p>
        <p>To stop deliveries for a while, pause the webhook instead.</p>
      </Confirm>
    ),
  };
}

/** Deletes a webhook. @throws not_found */
export async function deleteWebhook({ deps, owner, param }: Visit): Promise<SeeOther> {
  await remove(deps, owner, param("id"));
  return { seeOther: "/dashboard/developer/webhooks", flash: "webhookDeleted" };
}
