import { limits } from "../../../contract/limits.ts";
import { plans } from "../../../contract/plans.ts";
import type { PageList } from "../../../contract/resources/pages.ts";
import { WebhookInput } from "../../../contract/resources/webhooks/webhooks.ts";
import { claimFormKey } from "../../../domain/idempotency.ts";
import { listPages } from "../../../domain/pages/pages.ts";
import { createWebhook, listWebhooks } from "../../../domain/webhooks/webhooks.ts";
import { FormButtons, FormKey } from "../../../ui/forms/buttons.tsx";
import { Select, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { formPage } from "../../frame/form-page.tsx";
import { repeatedForm } from "../../frame/repeated-form.tsx";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";
import { CommonFields, labels, readWebhookForm, webhookFormValues } from "./form.tsx";
import { PlanNote } from "./list.tsx";
import { secretPage } from "./secret.tsx";
import { webhookPath, webhookTitle } from "./texts.tsx";

const back = { path: "/dashboard/developer/webhooks", name: "Webhooks" } as const;

/** The form of a new webhook. */
export const newWebhook = (request: DashboardRequest): Promise<PageResponse> =>
  showForm(request, webhookFormValues({ url: "", events: ["qr.scanned"], mode: "realtime", headers: [] }));

/** Returns the id in a text: the text itself, or the id in the address of a code's page. */
const idIn = (text: string): string | null =>
  text === "" ? null : (/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text)?.[0].toLowerCase() ?? text);

const readWebhook = (form: URLSearchParams): object => ({
  ...readWebhookForm(form),
  scopeQrId: idIn((form.get("scopeQrId") ?? "").trim()),
  scopePageId: form.get("scopePageId") || null,
});

/**
 * Creates a webhook and shows its secret only in this response. A form submitted twice creates one webhook. Shows the
 * form again if that fails.
 */
export async function saveNewWebhook(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, form } = request;
  const outcome = await submitForm(WebhookInput, readWebhook(form), async (input) =>
    (await claimFormKey(deps, context, form.get("key"))) ? createWebhook(deps, context, input) : null,
  );
  if ("rejection" in outcome) return showForm(request, form, outcome.rejection);
  if (outcome.done === null) return repeatedForm("webhook's secret", back);
  const created = { path: webhookPath(outcome.done.id), name: webhookTitle(outcome.done) };
  return secretPage("Webhook created", created, outcome.done.secret);
}

async function showForm(
  request: DashboardRequest,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const { deps, context } = request;
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const [pages, { webhooks }] = await Promise.all([
    listPages(deps, context, { cursor: undefined, limit: limits.pageList.max }),
    listWebhooks(deps, context),
  ]);
  return formPage(
    "New webhook",
    rejection,
    <>
      <Head title="New webhook" back={back} />
      {webhooks.length >= plans[context.plan].webhooks && <PlanNote request={request} />}
      <PostForm class="card developer-form" novalidate data-draft="ask">
        <Problems form={form} labels={labels} />
        <FormKey />
        <CommonFields form={form} />
        <Scope form={form} pages={pages} />
        <FormButtons submit="Create webhook" back={back.path} />
      </PostForm>
    </>,
  );
}

/** The code or page that the events are limited to. */
function Scope({ form, pages: { items } }: { form: FormState; pages: PageList }) {
  const isOpen = ["scopeQrId", "scopePageId"].some(
    (name) => (form.values.get(name) ?? "") !== "" || form.problems[name] !== undefined,
  );
  return (
    <details class="more" open={isOpen}>
      <summary>
        Limit to one code or page <span class="quiet">Can't be changed later</span>
      </summary>
      <div>
        <TextField
          form={form}
          name="scopeQrId"
          label={labels.scopeQrId}
          hint="Paste the address of the code's page in this dashboard, or its id. Only events of this code are sent."
        />
        {items.length > 0 && (
          <Select
            form={form}
            name="scopePageId"
            label={labels.scopePageId}
            hint="Only events of this page are sent."
            choices={[["", "None"], ...items.map(({ id, title }) => [id, title] as const)]}
          />
        )}
      </div>
    </details>
  );
}
