import { type Domain, DomainUpdate } from "../../contract/resources/domains.ts";
import { getVersionedDomain, updateDomain } from "../../domain/domains/domains.ts";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { labels, readSettings, SettingsFields, settingsValues } from "./fields.tsx";
import { domainPath } from "./status.tsx";

/** The form of a domain's settings. @throws not_found */
export async function editDomain({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const { domain } = await getVersionedDomain(deps, context, param("id"));
  return show(domain, settingsValues(domain));
}

/** Saves the settings; shows the form again if that fails. @throws not_found */
export async function saveDomain({
  deps,
  context,
  param,
  form,
}: DashboardRequest): Promise<DashboardResponse> {
  const { domain } = await getVersionedDomain(deps, context, param("id"));
  const outcome = await submitForm(DomainUpdate, readSettings(form), (input) =>
    updateDomain(deps, context, domain.id, input),
  );
  if ("rejection" in outcome) return show(domain, form, outcome.rejection);
  return { seeOther: domainPath(domain.id), flash: "domainSaved", subject: domain.id };
}

function show({ id, host }: Domain, values: URLSearchParams, rejection?: Rejection): PageResponse {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const back = { path: domainPath(id), name: host };
  const title = `Edit ${host}`;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <PostForm class="card developer-form" novalidate>
        <Problems form={form} labels={labels} />
        <SettingsFields form={form} host={host} />
        <FormButtons submit="Save changes" back={back.path} />
      </PostForm>
    </>,
  );
}
