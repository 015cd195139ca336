import { limits as bounds } from "../../contract/limits.ts";
import { Plan, type PlanLimits, plans } from "../../contract/plans.ts";
import type { Workspace } from "../../contract/resources/identity/workspace.ts";
import { isNearlyUsed } from "../../domain/workspaces/waiting.ts";
import { getWorkspace } from "../../domain/workspaces/workspace.ts";
import { bounds as ledgerBounds } from "../../protocol/bounds.ts";
import { Icon } from "../../ui/icon.tsx";
import { Table } from "../../ui/table.tsx";
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
  const { plan } = workspace;
  const { title } = plans[plan];
  const next = Plan.options[Plan.options.indexOf(plan) + 1];
  const rows = usageOf(workspace);
  const [much, little] = [rows.filter(isMuch), rows.filter((row) => !isMuch(row))];
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
        {much.length > 0 && (
          <ul class="usage-list">
            {much.map((row) => (
              <UsageRow row={row} />
            ))}
          </ul>
        )}
        <Table
          kind="records usage"
          rows={little}
          columns={[
            ["Included", ({ name }) => name],
            ["Used", ({ used, format = formatNumber }) => format(used), { kind: "number" }],
            ["Limit", ({ limit, format = formatNumber }) => limitText(limit, format), { kind: "number" }],
          ]}
        />
        {next === undefined ? (
          <section class="card" aria-labelledby="included">
            <h2 id="included">In your plan</h2>
            <Facts items={featuresOf(plans[plan])} />
          </section>
        ) : (
          <NextPlan now={plans[plan]} next={plans[next]} />
        )}
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

/** Above this share, how much is used is shown as a picture. */
const muchUsed = 0.5;

const isMuch = ({ used, limit }: Row): boolean => limit !== null && limit > 0 && used > muchUsed * limit;

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
        <span class="digits">
          {format(used)} of {limitText(limit, format)}
        </span>
      </p>
      <Modules value={used} max={limit ?? used} label={`${name} used`} />
      {limit !== null && isNearlyUsed(used, limit) && (
        <p class="small quiet">
          {used >= limit ? "Full." : "Nearly full."} {atLimit}
        </p>
      )}
    </li>
  );
}

function limitText(limit: number | null, format: (amount: number) => string): string {
  if (limit === null) return "Unlimited";
  return limit === 0 ? "Not in your plan" : format(limit);
}

/** The differences between a plan and the next one. */
const NextPlan = ({ now, next }: { now: PlanLimits; next: PlanLimits }) => {
  const had = new Map(everythingOf(now));
  return (
    <section aria-labelledby="next">
      <h2 class="section-title" id="next">
        More in the {next.title} plan
      </h2>
      <Table
        kind="records usage"
        rows={everythingOf(next).filter(([name, text]) => had.get(name) !== text)}
        columns={[
          ["Included", ([name]) => name],
          [now.title, ([name]) => had.get(name)],
          [next.title, ([, text]) => text],
        ]}
      />
    </section>
  );
};

/** Everything that a plan has, in words. */
const everythingOf = (plan: PlanLimits): (readonly [name: string, text: string])[] => [
  ...amountsOf(plan).map(
    ([name, limit, format]) =>
      [name, limit === null ? "Unlimited" : limit === 0 ? "None" : format(limit)] as const,
  ),
  ...featuresOf(plan),
];

/** The amounts of a plan, by their names, with how they are written. */
const amountsOf = (
  plan: PlanLimits,
): readonly (readonly [name: string, limit: number | null, format: (amount: number) => string])[] => [
  ["Codes", plan.liveCodes, formatNumber],
  ["Codes created a day", plan.creationsPerDay, formatNumber],
  ["Hosted pages", plan.pages, formatNumber],
  ["Domains", plan.domains, formatNumber],
  ["Templates", plan.templates, formatNumber],
  ["Folders", plan.folders, formatNumber],
  ["Webhooks", plan.webhooks, formatNumber],
  ["Storage", plan.storedBytes, formatBytes],
  ["Rows of an import", plan.bulkRows, formatNumber],
  ["API requests a minute", plan.requestsPerMinute, formatNumber],
];

/** The features of a plan, besides amounts. */
const featuresOf = ({
  fullDesign,
  chosenShortName,
  qrTypes,
  secretKeys,
}: PlanLimits): (readonly [name: string, text: string])[] => [
  ["Types of codes", qrTypes.map((type) => typeTexts[type].name).join(", ")],
  ["Design", fullDesign ? "Colours, shapes, logos and templates" : "Colours and shapes"],
  ["Short names of your choice", chosenShortName ? "Yes" : "No"],
  ["Secret API keys", secretKeys ? "Yes" : "No"],
];
