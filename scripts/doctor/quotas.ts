import { type Finding, failed, ok, tokenPage, unknown, warning } from "./findings.ts";
import { pageOf, type Subject } from "./subject.ts";

interface Quota {
  readonly name: string;
  /** The daily quota of Workers Free, for the whole account. */
  readonly included: number;
  /** The dataset of Cloudflare's analytics, and the sum to read from it. */
  readonly dataset: string;
  readonly sum: string;
  /** Only these kinds of operations count. */
  readonly actions?: readonly string[];
}

/** The daily quotas of Workers Free. They reset at midnight UTC. */
const quotas: readonly Quota[] = [
  { name: "Worker requests", included: 100_000, dataset: "workersInvocationsAdaptive", sum: "requests" },
  { name: "D1 rows written", included: 100_000, dataset: "d1AnalyticsAdaptiveGroups", sum: "rowsWritten" },
  { name: "D1 rows read", included: 5_000_000, dataset: "d1AnalyticsAdaptiveGroups", sum: "rowsRead" },
  {
    name: "KV writes",
    included: 1_000,
    dataset: "kvOperationsAdaptiveGroups",
    sum: "requests",
    actions: ["write"],
  },
  {
    name: "KV reads",
    included: 100_000,
    dataset: "kvOperationsAdaptiveGroups",
    sum: "requests",
    actions: ["read"],
  },
  {
    name: "queue operations",
    included: 10_000,
    dataset: "queueMessageOperationsAdaptiveGroups",
    sum: "billableOperations",
  },
  {
    name: "Durable Object requests",
    included: 100_000,
    dataset: "durableObjectsInvocationsAdaptiveGroups",
    sum: "requests",
  },
  {
    name: "Durable Object rows written",
    included: 100_000,
    dataset: "durableObjectsPeriodicGroups",
    sum: "rowsWritten",
  },
  {
    name: "Durable Object rows read",
    included: 5_000_000,
    dataset: "durableObjectsPeriodicGroups",
    sum: "rowsRead",
  },
];

type Groups = readonly {
  readonly sum?: Readonly<Record<string, number>>;
  readonly dimensions?: { readonly actionType?: string };
}[];

/** The share of a quota that calls for attention. */
const highShare = 0.8;

/** Reads how much of today's quotas the account has used. Workers Paid has no daily quotas. */
export async function checkQuotas(subject: Subject): Promise<Finding[]> {
  const { api, account, plan, now } = subject;
  if (plan === "paid") return [ok("quotas", "Workers Paid has none a day.")];
  if (plan === undefined) {
    return [unknown("quotas", "Not checked, because the token can't read your plan.", tokenPage)];
  }
  const day = new Date(now()).toISOString().slice(0, 10);
  const datasets = [...new Set(quotas.map(({ dataset }) => dataset))];
  const fields = datasets.map((dataset) => {
    const own = quotas.filter((quota) => quota.dataset === dataset);
    const sums = [...new Set(own.map(({ sum }) => sum))].join(" ");
    const dimensions = own.some(({ actions }) => actions !== undefined) ? " dimensions { actionType }" : "";
    return `${dataset}(limit: 1000, filter: { date_geq: "${day}", date_leq: "${day}" }) { sum { ${sums} }${dimensions} }`;
  });
  const answer = await api.analytics<Readonly<Record<string, Groups>>>(account.id, fields.join(" "));
  const used = quotas.map(({ name, included, dataset, sum, actions }) => {
    const groups = (answer[dataset] ?? []).filter(
      ({ dimensions }) => actions === undefined || actions.includes(dimensions?.actionType ?? ""),
    );
    const count = groups.reduce((total, group) => total + (group.sum?.[sum] ?? 0), 0);
    return { share: count / included, text: `${name} ${Math.round((count / included) * 100)} %` };
  });
  used.sort((one, other) => other.share - one.share);
  const list = (from: number) => used.filter(({ share }) => share >= from).map(({ text }) => text);
  const plans = pageOf(subject, "workers/plans");
  if (list(1).length > 0)
    return [failed("quotas", `Used up until midnight UTC: ${list(1).join(", ")}.`, plans)];
  if (list(highShare).length > 0) {
    return [warning("quotas", `Nearly used up today: ${list(highShare).join(", ")}.`, plans)];
  }
  return [ok("quotas", `The highest today: ${used[0]?.text}.`)];
}
