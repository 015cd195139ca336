import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import { DomainInput } from "../../contract/resources/domains.ts";
import { canClaimHosts, createDomain } from "../../domain/domains/domains.ts";
import { claimFormKey } from "../../domain/idempotency.ts";
import { FormButtons, FormKey } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formPage } from "../frame/form-page.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { labels } from "./fields.tsx";
import { OperatorCommand } from "./operator-command.tsx";
import { domainPath, domainsPath } from "./status.tsx";

const title = "Add domain";

/** The form to add a domain. */
export const newDomain = (request: DashboardRequest): PageResponse => show(request, request.query);

/** Claims a host, only once for a form submitted twice; shows the form again if that fails. */
export async function saveNewDomain(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const outcome = await submitForm(DomainInput, { host: form.get("host") ?? "" }, async (input) =>
    (await claimFormKey(deps, context, form.get("key"))) ? createDomain(deps, context, input) : null,
  );
  if ("rejection" in outcome) return show(request, form, outcome.rejection);
  if (outcome.done === null) return { seeOther: domainsPath };
  return { seeOther: domainPath(outcome.done.domain.id), flash: "domainAdded" };
}

function show(request: DashboardRequest, values: URLSearchParams, rejection?: Rejection): PageResponse {
  const { deps, context } = request;
  const form: FormState = { values, problems: rejection?.problems ?? {}, focus: "host" };
  const { domains: cap, title: plan } = plans[context.plan];
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={{ path: domainsPath, name: "Domains" }} />
      {cap === 0 || rejection?.status === 402 ? (
        <Notice kind="info">
          <p>{rejection?.problems[""] ?? `Your ${plan} plan doesn't include domains.`}</p>
          <UpgradeLink url={deps.settings.upgradeUrl} />
        </Notice>
      ) : canClaimHosts(deps) ? (
        <PostForm class="card narrow-form" novalidate>
          <Problems form={form} labels={labels} />
          <FormKey />
          <TextField
            form={form}
            name="host"
            label={labels.host}
            hint="A subdomain you own and don't use for anything else, such as go.example.com"
            inputMode="url"
            placeholder="go.example.com"
            required
            maxLength={limits.domain.typed}
          />
          <p class="quiet">
            The next page shows the DNS records to add. Nothing changes at the host before that.
          </p>
          <FormButtons submit="Add domain" back={domainsPath} />
        </PostForm>
      ) : (
        <OperatorCommand context={context} />
      )}
    </>,
  );
}
