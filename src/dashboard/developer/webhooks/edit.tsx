import { type Webhook, WebhookUpdate } from "../../../contract/resources/webhooks/webhooks.ts";
import { getWebhook, updateWebhook } from "../../../domain/webhooks/webhooks.ts";
import { FormButtons } from "../../../ui/forms/buttons.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { formPage } from "../../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../../frame/request.ts";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";
import { CommonFields, labels, readWebhookForm, webhookFormValues } from "./form.tsx";
import { webhookPath, webhookTitle } from "./texts.tsx";

/** The form of a webhook's settings. @throws not_found */
export async function editWebhook({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const webhook = await getWebhook(deps, context, param("id"));
  return showForm(webhook, webhookFormValues(webhook));
}

/** Saves the settings; shows the form again if that fails. @throws not_found */
export async function saveWebhook({
  deps,
  context,
  param,
  form,
}: DashboardRequest): Promise<DashboardResponse> {
  const webhook = await getWebhook(deps, context, param("id"));
  const outcome = await submitForm(WebhookUpdate, readWebhookForm(form), (input) =>
    updateWebhook(deps, context, webhook.id, input),
  );
  if ("rejection" in outcome) return showForm(webhook, form, outcome.rejection);
  return { seeOther: webhookPath(webhook.id), flash: "webhookSaved" };
}

function showForm(webhook: Webhook, values: URLSearchParams, rejection?: Rejection): PageResponse {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const back = { path: webhookPath(webhook.id), name: webhookTitle(webhook) };
  return formPage(
    "Edit webhook",
    rejection,
    <>
      <Head title="Edit webhook" back={back} />
      <PostForm class="card developer-form" novalidate data-draft="ask">
        <Problems form={form} labels={labels} />
        <CommonFields form={form} />
        <FormButtons submit="Save changes" back={back.path} />
      </PostForm>
    </>,
  );
}
