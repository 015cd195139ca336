import type { OperatorDomain } from "../../../contract/resources/domains.ts";
import { countCodesAt } from "../../../domain/domains/domains.ts";
import { getDomainOfHost, removeDomain as remove } from "../../../domain/domains/operator.ts";
import { Action } from "../../../ui/forms/buttons.tsx";
import { Table } from "../../../ui/table.tsx";
import { codeCountWithNoun } from "../../../ui/values/format.ts";
import { DomainStatus, reasonOf } from "../../domains/status.tsx";
import { confirmPage } from "../../frame/form-page.tsx";
import type { PageResponse, SeeOther } from "../../frame/request.ts";
import type { OperatorRequest } from "../request.ts";

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
