import type { OperatorDomain } from "../../../contract/resources/domains.ts";
import { SuspensionInput } from "../../../contract/resources/operations/suspension.ts";
import type { Deps } from "../../../domain/deps.ts";
import { countCodesAt } from "../../../domain/domains/domains.ts";
import { getDomainOfHost, removeDomain as remove } from "../../../domain/domains/operator.ts";
import { nameOfWorkspace } from "../../../domain/operations/workspaces.ts";
import { setDomainSuspension } from "../../../domain/suspensions.ts";
import { Action } from "../../../ui/forms/buttons.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { Table } from "../../../ui/table.tsx";
import { codeCountWithNoun } from "../../../ui/values/format.ts";
import { DomainStatus, reasonOf } from "../../domains/status.tsx";
import { confirmPage } from "../../frame/form-page.tsx";
import type { DashboardResponse, PageResponse, SeeOther } from "../../frame/request.ts";
import { submitForm } from "../../frame/submit-form.ts";
import type { OperatorRequest } from "../request.ts";
import { readSuspensionForm, SubjectFacts, SuspensionForm } from "../suspension-form.tsx";

const pathOf = (host: string): string => `/operator/domains/${host}`;

/** The page of the workspace that has a domain. */
const backOf = ({ workspaceId }: OperatorDomain) => ({
  path: `/operator/workspaces/${workspaceId}`,
  name: "Workspace",
});

/** The domains of a workspace. Those that it hasn't proved are only claims, which end by themselves. */
export const Domains = ({ domains }: { domains: readonly OperatorDomain[] }) => (
  <Table
    kind="records"
    rows={domains}
    columns={[
      { head: "Host", cell: ({ host }) => <strong class="break">{host}</strong> },
      {
        head: "Status",
        cell: (domain) => {
          const reason = reasonOf(domain);
          return (
            <>
              <DomainStatus domain={domain} />
              {reason !== null && <span class="second quiet break">{reason}</span>}
            </>
          );
        },
      },
    ]}
    actions={({ host, status, suspended }) =>
      status === "unproved" ? null : (
        <>
          {suspended === null ? (
            <a class="button" href={`${pathOf(host)}/suspend`}>
              Suspend<span class="visually-hidden"> {host}</span>
            </a>
          ) : (
            <Action path={`${pathOf(host)}/lift`}>
              Lift<span class="visually-hidden"> suspension of {host}</span>
            </Action>
          )}
          <a class="button plain" href={`${pathOf(host)}/remove`}>
            Remove<span class="visually-hidden"> {host}</span>
          </a>
        </>
      )
    }
  />
);

/** Asks for the reason to suspend a domain. @throws not_found */
export async function domainSuspensionForm({ deps, param }: OperatorRequest): Promise<PageResponse> {
  const form = { values: new URLSearchParams(), problems: {} };
  return showSuspension(deps, await getDomainOfHost(deps, param("host")), form);
}

/** Suspends a domain; shows the form again if that fails. @throws not_found */
export async function suspendDomain(request: OperatorRequest): Promise<DashboardResponse> {
  const { deps, operator, param, form } = request;
  const domain = await getDomainOfHost(deps, param("host"));
  const outcome = await submitForm(SuspensionInput, readSuspensionForm(form), (input) =>
    setDomainSuspension(deps, operator, domain.host, input),
  );
  if ("done" in outcome) return { seeOther: backOf(domain).path, flash: "suspended" };
  return showSuspension(deps, domain, { values: form, problems: outcome.rejection.problems });
}

/** Lifts a domain's suspension. @throws not_found */
export async function liftDomain({ deps, operator, param }: OperatorRequest): Promise<SeeOther> {
  const { workspaceId } = await setDomainSuspension(deps, operator, param("host"), null);
  return { seeOther: `/operator/workspaces/${workspaceId}`, flash: "suspensionLifted" };
}

async function showSuspension(deps: Deps, domain: OperatorDomain, form: FormState): Promise<PageResponse> {
  const { workspaceId: id, rootUrl, unknownUrl } = domain;
  const workspace = { id, name: await nameOfWorkspace(deps, id) };
  const title = `Suspend ${domain.host}?`;
  const isRefused = Object.keys(form.problems).length > 0;
  return {
    title: isRefused ? `Problem: ${title}` : title,
    status: isRefused ? 400 : 200,
    content: (
      <SuspensionForm title={title} form={form} back={backOf(domain)}>
        <SubjectFacts
          workspace={workspace}
          leads={[
            ["Leads to", rootUrl],
            ["Unknown paths", unknownUrl],
          ]}
        />
        <p>
          <strong>No code answers at {domain.host} any more, within a second.</strong> Visitors get a generic
          page. The codes go on working at the host of scans; you can lift the suspension at any time.
        </p>
      </SuspensionForm>
    ),
  };
}

/** Asks for confirmation before removing a domain. @throws not_found */
export async function confirmDomainRemoval({ deps, param }: OperatorRequest): Promise<PageResponse> {
  const domain = await getDomainOfHost(deps, param("host"));
  const codes = await countCodesAt(deps, domain, domain.host);
  return confirmPage(
    { title: `Remove ${domain.host}?`, action: "Remove domain", back: backOf(domain) },
    <>
      <p>
        <strong>No code answers at {domain.host} any more, within a second.</strong>{" "}
        {codeCountWithNoun(codes)} {codes === 1 ? "uses" : "use"} it. They go on working at the host of scans.
      </p>
      <p>The workspace can restore the domain, but then has to prove the host.</p>
    </>,
  );
}

/** Removes a domain. @throws not_found */
export async function removeDomain({ deps, operator, param }: OperatorRequest): Promise<SeeOther> {
  const domain = await getDomainOfHost(deps, param("host"));
  await remove(deps, operator, domain.host);
  return { seeOther: backOf(domain).path, flash: "domainRemoved" };
}
