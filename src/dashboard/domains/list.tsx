import { plans } from "../../contract/plans.ts";
import type { Domain } from "../../contract/resources/domains.ts";
import { canClaimHosts, countCodesAt, listDomains } from "../../domain/domains/domains.ts";
import { Empty } from "../../ui/empty.tsx";
import { Notice } from "../../ui/notice.tsx";
import { codesColumn, Table } from "../../ui/table.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { May } from "../frame/may.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { SettingsPage } from "../frame/settings-page.tsx";
import { OperatorCommand } from "./operator-command.tsx";
import { DomainStatus, domainPath, domainsPath, reasonOf } from "./status.tsx";

/** A domain with the number of codes that use it. */
interface Used {
  readonly domain: Domain;
  readonly codes: number;
}

/** The workspace's domains, oldest first. */
export async function domainList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const { domains } = await listDomains(deps, context);
  const used = await Promise.all(
    domains.map(async (domain) => ({ domain, codes: await countCodesAt(deps, context, domain.host) })),
  );
  const { domains: cap, title } = plans[context.plan];
  const isFull = domains.length >= cap;
  const canAdd = !isFull && canClaimHosts(deps);
  return {
    title: "Domains",
    content: (
      <SettingsPage request={request} title="Domains" action={canAdd && domains.length > 0 && <AddDomain />}>
        {cap === 0 && (
          <Notice kind="info">
            <p>Your {title} plan doesn't include domains.</p>
            <UpgradeLink url={deps.settings.upgradeUrl} />
          </Notice>
        )}
        {cap > 0 && isFull && (
          <Notice kind="info">
            <p>
              Your {title} plan allows {formatCount(cap, "domain")}. Remove one to add another.
            </p>
            <UpgradeLink url={deps.settings.upgradeUrl} />
          </Notice>
        )}
        {used.length > 0 ? (
          <DomainTable used={used} />
        ) : (
          <Empty
            title="No domains yet"
            text="A domain lets short links and printed codes have an address of your own, such as go.example.com. You need a host that you don't use for anything else, and access to its DNS."
          >
            {canAdd && <AddDomain />}
          </Empty>
        )}
        {cap > 0 && !canClaimHosts(deps) && (
          <May permission="domains">
            <OperatorCommand context={context} />
          </May>
        )}
      </SettingsPage>
    ),
  };
}

const AddDomain = () => (
  <May permission="domains">
    <a class="button primary" href={`${domainsPath}/new`}>
      Add domain
    </a>
  </May>
);

const DomainTable = ({ used }: { used: readonly Used[] }) => (
  <Table
    kind="records"
    rows={used}
    columns={[
      {
        head: "Host",
        cell: ({ domain: { id, host, isDefault } }) => (
          <>
            <a class="name" dir="auto" href={domainPath(id)}>
              {host}
            </a>
            {isDefault && <span class="tag">Default</span>}
          </>
        ),
      },
      {
        head: "Status",
        cell: ({ domain }) => {
          const reason = reasonOf(domain);
          return (
            <>
              <DomainStatus domain={domain} />
              {reason !== null && <span class="second quiet">{reason}</span>}
            </>
          );
        },
      },
      codesColumn,
    ]}
  />
);
