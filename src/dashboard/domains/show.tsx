import type { Domain } from "../../contract/resources/domains.ts";
import { countQr } from "../../domain/codes/list.ts";
import { checkDomain, countCodesAt, getVersionedDomain } from "../../domain/domains/domains.ts";
import { domainVisits } from "../../domain/scans/closed.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { DomainVisitCounts } from "../../protocol/workspace-ledger.ts";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { Action } from "../../ui/forms/buttons.tsx";
import { Head } from "../../ui/head.tsx";
import { Menu, MenuLinks } from "../../ui/menu.tsx";
import { NotAvailable } from "../../ui/missing.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { codeCountWithNoun, formatCount, formatNumber, formatTime } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import { searchAddress } from "../codes/list/search.ts";
import { queryNames } from "../codes/query-names.ts";
import { May } from "../frame/may.tsx";
import type { DashboardRequest, PageResponse, SeeOther } from "../frame/request.ts";
import { Reason } from "../frame/workspace-notices.tsx";
import { labels } from "./fields.tsx";
import { DomainStatus, domainPath, domainsPath } from "./status.tsx";
import { DomainSteps } from "./steps.tsx";

/** A domain: how far it is, what it needs, and its settings. @throws not_found */
export async function showDomain(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const { domain } = await getVersionedDomain(deps, context, request.param("id"));
  const [codes, leadingThere, visits, timeZone] = await Promise.all([
    countCodesAt(deps, context, domain.host),
    countQr(deps, context, { destinationHost: domain.host }),
    domainVisits(deps, context, domain.host),
    request.timeZone(),
  ]);
  const path = domainPath(domain.id);
  const { checkedAt } = domain;
  return {
    title: domain.host,
    content: (
      <>
        <Head
          title={domain.host}
          back={{ path: domainsPath, name: "Domains" }}
          beside={<DomainStatus domain={domain} />}
        >
          <May permission="domains">
            <Action path={`${path}/check`}>Check now</Action>
            <a class="button" href={`${path}/edit`}>
              Edit
            </a>
            <Menu label="More actions" icon="ellipsis">
              <MenuLinks
                items={[
                  ["History of domains", "rotate-ccw-clock", `/dashboard/history?kind=domain`],
                  "divider",
                  ["Remove", "trash", `${path}/remove`],
                ]}
              />
            </Menu>
          </May>
        </Head>
        {domain.suspended !== null && (
          <Notice kind="bad">
            <p>
              The operator of this service has suspended this domain. Visitors see a generic page, and short
              links have the usual host again. <Reason suspended={domain.suspended} />
            </p>
          </Notice>
        )}
        <section class="card developer-form" aria-labelledby="setup">
          <div class="section-head">
            <h2 id="setup">Setup</h2>
            <p class="small quiet">
              {checkedAt === null ? (
                "Not checked yet"
              ) : (
                <>
                  Checked <RelativeTime time={checkedAt} now={deps.now()} timeZone={timeZone} />
                </>
              )}
            </p>
          </div>
          <DomainSteps domain={domain} />
          {leadingThere.codes > 0 && <LeadingThere host={domain.host} codes={leadingThere.codes} />}
        </section>
        <Visits host={domain.host} visits={visits} />
        <Settings domain={domain} codes={codes} timeZone={timeZone} />
      </>
    ),
  };
}

/** Printed codes may have led to the host before it was a domain, where another service answered. */
const LeadingThere = ({ host, codes }: { readonly host: string; readonly codes: number }) => (
  <Notice kind="warn">
    <p>
      <a href={searchAddress({ words: "", host })}>{codeCountWithNoun(codes)}</a>{" "}
      {codes === 1 ? "leads" : "lead"} to this host. Scans of them get what this domain answers there: check
      that each address is a short name or an alias of another code.
    </p>
  </Notice>
);

/** How often people open the host itself, as printed beside a code or typed. */
const Visits = ({ host, visits }: { host: string; visits: DomainVisitCounts | null }) => (
  <section class="card developer-form" aria-labelledby="visits">
    <h2 id="visits">Visits of {host}</h2>
    {visits === null ? (
      <NotAvailable />
    ) : (
      <>
        <p>
          People opened the host itself, without a code, {formatCount(visits.total, "time")},{" "}
          {formatNumber(visits.days.reduce((sum, day) => sum + day, 0))} of them in the last {bounds.lately}{" "}
          days.
        </p>
        {visits.total > 0 && <Sparkline values={visits.days} height={28} />}
      </>
    )}
  </section>
);

const ours = <span class="quiet">Our standard page</span>;

interface SettingsProps {
  readonly domain: Domain;
  readonly codes: number;
  readonly timeZone: string;
}

const Settings = ({ domain, codes, timeZone }: SettingsProps) => (
  <section class="card developer-form" aria-labelledby="settings">
    <h2 id="settings">Settings</h2>
    <Facts
      items={[
        [labels.isDefault, domain.isDefault ? "Yes" : "No"],
        [labels.name, domain.name ?? <span class="quiet">None</span>],
        [labels.rootUrl, domain.rootUrl === null ? ours : <span class="address">{domain.rootUrl}</span>],
        [
          labels.unknownUrl,
          domain.unknownUrl === null ? ours : <span class="address">{domain.unknownUrl}</span>,
        ],
        [labels.query, queryNames[domain.query]],
        ["Used by", codeCountWithNoun(codes)],
        ["Added", formatTime(domain.createdAt, timeZone)],
      ]}
    />
  </section>
);

/** Checks now how far a domain is. @throws not_found */
export async function checkNow({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  const { domain, checked } = await checkDomain(deps, context, param("id"));
  const flash = { now: "domainChecked", before: "domainCheckedBefore", later: "domainCheckedLater" } as const;
  return { seeOther: domainPath(domain.id), flash: flash[checked] };
}
