import type { Child } from "hono/jsx";
import { limits as bounds } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { Workspace } from "../../contract/resources/identity/workspace.ts";
import { isNearlyUsed } from "../../domain/workspaces/waiting.ts";
import { getWorkspace } from "../../domain/workspaces/workspace.ts";
import { bounds as ledgerBounds } from "../../protocol/bounds.ts";
import { Icon } from "../../ui/icon.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatBytes, formatNumber } from "../../ui/values/format.ts";
import { Modules } from "../../ui/values/modules.tsx";
import { typeTexts } from "../codes/form/types.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { SettingsPage } from "../frame/settings-page.tsx";
import { PromiseLink } from "./promise-link.tsx";

/** The plan, how much of it is used, and what happens at each limit. */
export async function planSettings(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const workspace = await getWorkspace(deps, context);
  const { title } = plans[workspace.plan];
  const { upgradeUrl } = deps.settings;
  return {
    title: "Plan and usage",
    content: (
      <SettingsPage
        request={request}
        title="Plan and usage"
        action={
          upgradeUrl === "" ? undefined : (
            <a class="button" href={upgradeUrl}>
              <Icon name="arrow-up-right" />
              Change plan
            </a>
          )
        }
      >
        <p>
          This workspace is on the <strong>{title} plan</strong>.
          {upgradeUrl === "" && " To change it, ask the operator of this service."}
        </p>
        <PromiseLink request={request} />
        <ul class="usage-list">
          {usageOf(workspace).map((row) => (
            <UsageRow row={row} />
          ))}
        </ul>
        <section class="card" aria-labelledby="included">
          <h2 id="included">In your plan</h2>
          <Facts items={inPlan(workspace)} />
        </section>
      </SettingsPage>
    ),
  };
}

interface Row {
  readonly name: string;
  readonly used: number;
  /** Null means no limit. */
  readonly limit: number | null;
  /** How a number of them is written. */
  readonly format?: (amount: number) => string;
  /** A sentence about what happens at the limit. */
  readonly atLimit: string;
}

const deleteOne = (thing: string): string => `Delete a ${thing} to make room.`;

/** Everything whose amount is limited, most important first. */
const usageOf = ({ limits, usage }: Workspace): readonly Row[] => [
  {
    name: "Codes",
    used: usage.liveCodes,
    limit: limits.liveCodes,
    atLimit: "At the limit, no codes can be created or restored. Codes that exist go on working.",
  },
  {
    name: "Created today",
    used: usage.creationsToday,
    limit: limits.creationsPerDay,
    atLimit: "At the limit, you can create more after midnight UTC.",
  },
  {
    name: "Hosted pages",
    used: usage.pages,
    limit: limits.pages,
    atLimit: `${deleteOne("page")} Deleted pages count for ${bounds.deletedDays} days.`,
  },
  { name: "Domains", used: usage.domains, limit: limits.domains, atLimit: "Remove one to add another." },
  { name: "Templates", used: usage.templates, limit: limits.templates, atLimit: deleteOne("template") },
  { name: "Folders", used: usage.folders, limit: limits.folders, atLimit: deleteOne("folder") },
  { name: "Webhooks", used: usage.webhooks, limit: limits.webhooks, atLimit: deleteOne("webhook") },
  {
    name: "Storage for codes, pages, templates and jobs",
    used: usage.storedBytes,
    limit: limits.storedBytes,
    format: formatBytes,
    atLimit: `At the limit, nothing can be added. What you delete makes room within ${bounds.deletedDays} days.`,
  },
  {
    name: "Storage for imports and bulk edits",
    used: usage.jobBytes,
    limit: limits.jobBytes,
    format: formatBytes,
    atLimit: "At the limit, new ones are refused until earlier ones expire, 30 days after they end.",
  },
  {
    name: "Storage for scans and submissions",
    used: usage.storage.bytes,
    limit: ledgerBounds.ledger.full,
    format: formatBytes,
    atLimit: "At the limit, scans are still counted, but no longer listed one by one.",
  },
  {
    name: "Your API requests this minute",
    used: usage.requestsThisMinute,
    limit: limits.requestsPerMinute,
    atLimit: "At the limit, requests are refused until the next minute. Scans are never limited.",
  },
];

function UsageRow({ row: { name, used, limit, format = formatNumber, atLimit } }: { row: Row }) {
  return (
    <li>
      <p>
        <span class="what">{name}</span>
        <span class="digits">{amountOf(used, limit, format)}</span>
      </p>
      {limit !== null && limit > 0 && <Modules value={used} max={limit} label={`${name} used`} />}
      {limit !== null && isNearlyUsed(used, limit) && (
        <p class="small quiet">
          {used >= limit ? "Full." : "Nearly full."} {atLimit}
        </p>
      )}
    </li>
  );
}

function amountOf(used: number, limit: number | null, format: (amount: number) => string): string {
  if (limit === null) return `${format(used)}, no limit`;
  return limit === 0 ? "Not in your plan" : `${format(used)} of ${format(limit)}`;
}

/** The features of the plan, besides amounts. */
function inPlan({ plan, limits }: Workspace): readonly (readonly [string, Child])[] {
  const { fullDesign, chosenShortName, qrTypes } = plans[plan];
  return [
    ["Types of codes", qrTypes.map((type) => typeTexts[type].name).join(", ")],
    ["Rows of an import", `Up to ${formatNumber(limits.bulkRows)}`],
    ["Design", fullDesign ? "Colours, shapes, logos and templates" : "Colours and shapes"],
    ["Short names of your choice", chosenShortName ? "Yes" : "No"],
    ["Secret API keys", limits.secretKeys ? "Yes" : "No"],
  ];
}
