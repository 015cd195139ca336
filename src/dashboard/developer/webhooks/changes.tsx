import { claimFormKey } from "../../../domain/idempotency.ts";
import {
  getWebhook,
  deleteWebhook as remove,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from "../../../domain/webhooks/webhooks.ts";
import { FormKey } from "../../../ui/forms/buttons.tsx";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Head } from "../../../ui/head.tsx";
import { formatCount } from "../../../ui/values/format.ts";
import { confirmPage } from "../../frame/form-page.tsx";
import { repeatedForm } from "../../frame/repeated-form.tsx";
import type { DashboardRequest, PageResponse, SeeOther } from "../../frame/request.ts";
import { secretPage } from "./secret.tsx";
import { webhookPath, webhookTitle } from "./texts.tsx";

/** Stops deliveries. @throws not_found */
export async function pauseWebhook({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  await updateWebhook(deps, context, param("id"), { status: "paused" });
  return { seeOther: webhookPath(param("id")), flash: "webhookPaused" };
}

/** Delivers events again. @throws not_found */
export async function resumeWebhook({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  await updateWebhook(deps, context, param("id"), { status: "active" });
  return { seeOther: webhookPath(param("id")), flash: "webhookResumed" };
}

/** Sends a sample event and shows its delivery. @throws not_found */
export async function sendTest({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  const { id } = await testWebhook(deps, context, param("id"));
  return { seeOther: `${webhookPath(param("id"))}/deliveries/${id}` };
}

/** Asks for confirmation before replacing the secret. @throws not_found */
export async function confirmRotation({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const webhook = await getWebhook(deps, context, param("id"));
  const back = { path: webhookPath(webhook.id), name: webhookTitle(webhook) };
  return {
    title: "Replace signing secret?",
    content: (
      <>
        <Head title="Replace signing secret?" back={back} />
        <div class="card">
          <p>
            You see the new secret once. <strong>The current one also signs for 24 more hours</strong>, so
            that you can update your receiver. If you replaced a secret in the last 24 hours, the one before
            that stops signing at once.
          </p>
          <PostForm class="buttons">
            <FormKey />
            <button class="button primary" type="submit">
              Replace secret
            </button>
            <a class="button" href={back.path}>
              Cancel
            </a>
          </PostForm>
        </div>
      </>
    ),
  };
}

/** Replaces the secret, only once for a form submitted twice, and shows it only in this response. @throws not_found */
export async function rotate({ deps, context, param, form }: DashboardRequest): Promise<PageResponse> {
  const webhook = await getWebhook(deps, context, param("id"));
  if (!(await claimFormKey(deps, context, form.get("key")))) {
    return repeatedForm("secret", { path: webhookPath(webhook.id), name: webhookTitle(webhook) });
  }
  const { secret } = await rotateSecret(deps, context, webhook.id);
  return secretPage("Signing secret replaced", webhook, secret, "The previous one also signs for 24 hours.");
}

/** Asks for confirmation before deleting a webhook. @throws not_found */
export async function confirmWebhookDeletion({
  deps,
  context,
  param,
}: DashboardRequest): Promise<PageResponse> {
  const webhook = await getWebhook(deps, context, param("id"));
  const title = `Delete the ${webhookTitle(webhook).replace("W", "w")}?`;
  return confirmPage(
    { title, action: "Delete webhook", back: { path: webhookPath(webhook.id), name: webhookTitle(webhook) } },
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
}

/** Deletes a webhook. @throws not_found */
export async function deleteWebhook({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  await remove(deps, context, param("id"));
  return { seeOther: "/dashboard/developer/webhooks", flash: "webhookDeleted" };
}
