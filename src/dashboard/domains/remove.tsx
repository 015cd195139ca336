import { limits } from "../../contract/limits.ts";
import type { Domain } from "../../contract/resources/domains.ts";
import {
  countCodesAt,
  deleteDomain,
  getVersionedDomain,
  restoreDomain as restore,
} from "../../domain/domains/domains.ts";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { codeCountWithNoun } from "../../ui/values/format.ts";
import { change } from "../frame/change.ts";
import { formPage } from "../frame/form-page.tsx";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";
import { domainPath, domainsPath } from "./status.tsx";

const labels = { host: "Host" } as const;

/** Asks for confirmation before removing a domain. @throws not_found */
export const confirmRemoval: Answer = async (request) => {
  const { domain } = await getVersionedDomain(request.deps, request.context, request.param("id"));
  return show(request, domain, new URLSearchParams());
};

/** Removes a domain; shows the form again if its host wasn't typed but has to be. @throws not_found */
export async function removeDomain(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param, form } = request;
  const { domain } = await getVersionedDomain(deps, context, param("id"));
  try {
    await deleteDomain(deps, context, domain.id, form.get("host") ?? undefined);
  } catch (error) {
    const { problems, status } = rejectionOf(error);
    const host = `Enter ${domain.host} to remove it.`;
    return show(request, domain, form, { problems: "host" in problems ? { host } : problems, status });
  }
  return { seeOther: domainsPath, flash: "domainRemoved", subject: domain.id };
}

async function show(
  { deps, context }: DashboardRequest,
  { id, host }: Domain,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const codes = await countCodesAt(deps, context, host);
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const back = { path: domainPath(id), name: host };
  const title = `Remove ${host}?`;
  const usual = new URL(deps.settings.scanOrigin).host;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <div class="card confirm">
        <Problems form={form} labels={labels} />
        {codes === 0 ? (
          <p>No code uses this domain.</p>
        ) : (
          <p>
            <strong>
              {codeCountWithNoun(codes)} {codes === 1 ? "uses" : "use"} this domain.
            </strong>{" "}
            Within a second, scans of what was printed with {host} show a page that says that the address is
            no longer in use.
          </p>
        )}
        <p>
          {codes > 0 && `The codes go on working at ${usual}, the host that their short links get back. `}
          You can restore the domain for {limits.deletedDays} days; its host then has to be proved again.
        </p>
        <PostForm novalidate>
          {codes > 0 && (
            <TextField
              form={form}
              name="host"
              label={labels.host}
              hint={`Enter ${host} to confirm`}
              required
              maxLength={limits.domain.typed}
            />
          )}
          <FormButtons submit="Remove domain" back={back.path} danger />
        </PostForm>
      </div>
    </>,
  );
}

export const restoreDomain = change(restore, domainPath, "domainRestored");
