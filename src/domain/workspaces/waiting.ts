import { limits } from "../../contract/limits.ts";
import { type Plan, plans } from "../../contract/plans.ts";
import { domainProblemWords } from "../../contract/resources/domains.ts";
import {
  endedReasons,
  type WaitingItem,
  type WaitingKind,
  type WaitingList,
} from "../../contract/resources/waiting.ts";
import { waitingKindNames, waitingKinds } from "../../contract/waiting-kinds.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { Actor } from "../../protocol/history.ts";
import type { LedgerNotices } from "../../protocol/workspace-ledger.ts";
import {
  countWaitingItems,
  type FoundWaiting,
  findPostponed,
  findWaiting,
  type Postponed,
  updatePostponed,
  type WaitingKey,
} from "../../store/waiting.ts";
import { findWorkspace } from "../../store/workspaces/workspaces.ts";
import { codeTitle } from "../codes/titles.ts";
import type { Caller, Member } from "../context/context.ts";
import { holdsScope, isKey, may, requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";
import type { SignedInMember } from "../identity/sessions.ts";
import { ifAvailable, ifKnown } from "../ledger.ts";
import { counted } from "../resources/difference.ts";
import { listStillScanned, type StillScanned, type StillScannedList } from "../scans/closed.ts";

/** A thing that waits for a person. */
export type WaitingThing = readonly [kind: WaitingKind, id: string];

/** The title of things of a kind. */
export const waitingTitles: Readonly<Record<WaitingKind, string>> = {
  proposal: "Changes to confirm",
  webhook: "Paused webhooks",
  delivery: "Failed deliveries",
  domain: "Domains with a problem",
  job: "Failed jobs",
  print: "Failed prints",
  design: "Designs that phones can't read",
  closed: "Codes scanned after their end",
  limit: "Limits nearly reached",
};

/** The name of a thing among those that a person has put off. */
export const waitingKey = (kind: WaitingKind, id: string): string => `${kind}:${id}`;

/** Returns whether a caller may act on a kind of things. */
const isOpenTo =
  (caller: Member | Caller) =>
  (kind: WaitingKind): boolean => {
    const { permission, scope } = waitingKinds[kind];
    return isKey(caller) ? holdsScope(caller, scope) : may(caller, permission);
  };

/** Returns the webhooks among what waits. */
export const waitingInLedger = ({ waiting }: LedgerNotices): WaitingThing[] => [
  ...(waiting?.paused ?? []).map(({ id }) => ["webhook", id] as const),
  ...(waiting?.failing ?? []).map(({ id }) => ["delivery", id] as const),
];

/** The use of what the plan limits. */
interface Use {
  readonly plan: Plan;
  readonly liveCodes: number;
  /** Bytes in the catalogue. */
  readonly storedBytes: number;
  readonly storageLimit: number;
}

interface NearLimit {
  readonly id: "codes" | "storage" | "scans";
  readonly title: string;
  readonly text: string;
}

/** Returns whether so much of a limit is used that people should know. @param limit null for none */
export const isNearlyUsed = (used: number, limit: number | null): boolean =>
  limit !== null && limit > 0 && used >= limits.waiting.share * limit;

/** Returns the limits that are nearly reached. @param storage how full the ledger is; undefined if it doesn't say */
function nearLimits(
  { plan, liveCodes, storedBytes, storageLimit }: Use,
  storage: LedgerNotices["storage"] | undefined,
): NearLimit[] {
  const { liveCodes: cap } = plans[plan];
  const near: NearLimit[] = [];
  if (cap !== null && isNearlyUsed(liveCodes, cap)) {
    const text = `${formatNumber(liveCodes)} of ${formatNumber(cap)} are used.`;
    near.push({ id: "codes", title: "Codes", text });
  }
  if (isNearlyUsed(storedBytes, storageLimit)) {
    const text = `${Math.floor((100 * storedBytes) / storageLimit)} % is used.`;
    near.push({ id: "storage", title: "Storage for codes, pages, templates and jobs", text });
  }
  if (storage !== undefined && storage !== "ok") {
    const text = storage === "full" ? "It is full." : "It is filling up.";
    near.push({ id: "scans", title: "Storage for scans and submissions", text });
  }
  return near;
}

/** Counts what waits for a person and isn't put off, from what each page reads. */
export function countOpen(
  { member, postponed, ...use }: Pick<SignedInMember, "member" | "postponed"> & Omit<Use, "plan">,
  {
    waiting,
    storage,
  }: { readonly waiting: readonly WaitingThing[]; readonly storage: LedgerNotices["storage"] },
  now: number,
): number {
  const isOpen = isOpenTo(member);
  const nearly = nearLimits({ ...use, plan: member.plan }, storage).map(({ id }) => ["limit", id] as const);
  return [...waiting, ...nearly].filter(
    ([kind, id]) => isOpen(kind) && !((postponed[waitingKey(kind, id)] ?? 0) > now),
  ).length;
}

/** Returns what waits for the caller, by kind, newest first. @throws not_found */
export async function listWaitingItems(deps: Deps, caller: Member | Caller): Promise<WaitingList> {
  const [described, postponed] = await Promise.all([
    describeWaiting(
      deps,
      caller.workspaceId,
      ifAvailable(deps, () => deps.ledger(caller.workspaceId).notices(0)),
      listStillScanned(deps, caller),
    ),
    isKey(caller) ? {} : findPostponed(deps.db, caller.workspaceId, caller.userId),
  ]);
  const items = described
    .filter(({ kind }) => isOpenTo(caller)(kind))
    .map((item) => withPostponed(deps, item, postponed));
  return { items, count: items.filter(({ postponedUntil }) => postponedUntil === null).length };
}

/** A thing that waits, for anybody. */
export type DescribedItem = Omit<WaitingItem, "postponedUntil">;

/**
 * Returns what waits in a workspace, by kind, newest first.
 * @param notices of the ledger @param scanned codes that don't answer; null for both if the ledger can't be read, and then
 * what it knows is missing @throws not_found
 */
export async function describeWaiting(
  deps: Deps,
  workspaceId: string,
  notices: Promise<LedgerNotices | null>,
  scanned: Promise<StillScannedList | null>,
): Promise<DescribedItem[]> {
  const now = deps.now();
  const [found, workspace, ledger, closed] = await Promise.all([
    findWaiting(deps.db, workspaceId, now, deps.settings.scanOrigin),
    findWorkspace(deps.db, workspaceId),
    notices,
    scanned,
  ]);
  const { plan, liveCodes, storedBytes, jobBytes, storageLimit } = requireFound(workspace, "Workspace");
  const use = {
    plan,
    liveCodes,
    storedBytes: storedBytes + jobBytes,
    storageLimit: storageLimit ?? plans[plan].storedBytes,
  };
  const described: Readonly<Record<WaitingKind, readonly Described[]>> = {
    ...describeStored(found),
    webhook: (ledger?.waiting?.paused ?? []).map(({ id, url, reason }) => ({
      ...{ id, title: withoutScheme(url), text: `Paused. ${reason}.`, path: `developer/webhooks/${id}` },
    })),
    delivery: (ledger?.waiting?.failing ?? []).map(({ id, url, deliveryId }) => ({
      ...{ id, title: withoutScheme(url), text: "Some of its deliveries failed and were not sent again." },
      ...{ path: `developer/webhooks/${id}/deliveries?status=failed`, since: timeOfId(deliveryId) },
    })),
    closed: (closed?.codes ?? []).flatMap(describeClosed),
    limit: nearLimits(use, ledger?.storage).map((limit) => ({
      ...limit,
      path: limit.id === "scans" ? "settings/reports" : "settings/plan",
    })),
  };
  return waitingKindNames.flatMap((kind) => described[kind].map((item) => present(deps, kind, item)));
}

/** A thing in words. @property path of its page, below the dashboard's @property since epoch milliseconds */
type Described = Pick<WaitingItem, "id" | "title" | "text" | "reason"> & {
  readonly path: string;
  readonly since?: number;
};

const present = (
  { settings }: Deps,
  kind: WaitingKind,
  { id, title, text, path, since, reason }: Described,
): DescribedItem => ({
  ...{ kind, id, title, text, link: `${settings.appOrigin}/dashboard/${path}` },
  ...(reason !== undefined && { reason }),
  since: isoTime(since ?? null),
});

function withPostponed({ now }: Deps, item: DescribedItem, postponed: Postponed): WaitingItem {
  const until = postponed[waitingKey(item.kind, item.id)] ?? 0;
  return { ...item, postponedUntil: isoTime(until > now() ? until : null) };
}

/** How codes ended, in the words of their scans. */
const endings = {
  deleted: "although it is deleted",
  paused: "although it is paused",
  expired: "although it has ended",
} as const satisfies Record<(typeof endedReasons)[number], string>;

/** Describes a code that was scanned after its end, if a person can change that. */
function describeClosed({ id, title, reason, scans, lastDay, isErased }: StillScanned): Described[] {
  const ended = endedReasons.find((each) => each === reason);
  if (ended === undefined || isErased) return [];
  const text = `Scanned ${counted(scans, "time")} in the last ${bounds.lately} days ${endings[ended]}.`;
  return [{ id, title, text, reason: ended, path: `codes/${id}`, since: Date.parse(lastDay) }];
}

/** Counts what waits, and stores it, so that the next pages read it in one row. */
export async function countWaiting(deps: Deps, workspaceId: string): Promise<WaitingKey[]> {
  const now = deps.now();
  const { counted: most } = limits.waiting;
  const read = () => ifKnown(deps.ledger(workspaceId).closedCodes(bounds.lately, most, now));
  const closed = (await ifAvailable(deps, read)) ?? [];
  const codes = closed.map(({ qrId, reason }) => [qrId, reason] as const);
  return countWaitingItems(deps.db, workspaceId, now, codes);
}

/** The key that proposed a change, and its program. */
export const proposerOf = ({ name, client }: Actor): string =>
  client === undefined ? name : `${name} (${client})`;

const describeStored = ({ proposals, jobs, prints, designs, domains }: FoundWaiting) => ({
  proposal: proposals.map(({ id, proposedBy, summary: [first = "A change", ...others] }) => ({
    ...{ id, title: first, text: [...others, `Proposed by ${proposerOf(proposedBy)}.`].join(" ") },
    ...{ path: `changes/${id}`, since: timeOfId(id) },
  })),
  job: jobs.map(({ kind, source, ...job }) => ({
    ...describeJob(job, kind === "update" && source === null ? "codes" : "rows", `jobs/${job.id}`),
    title: `${titleOf(kind, source?.fileName !== undefined)} of ${counted(job.totalItems, source === null ? "code" : "row")}${source?.fileName === undefined ? "" : ` from ${source.fileName}`}`,
  })),
  print: prints.map(({ kind, ...job }) => ({
    ...describeJob(job, "codes", `prints/${job.id}`),
    title: `${kind === "images" ? "Images of" : "Labels for"} ${counted(job.totalItems, "code")}`,
  })),
  design: designs.map((qr) => ({
    ...{ id: qr.id, title: codeTitle(qr), text: "Phones can't reliably read its design." },
    ...{ path: `codes/${qr.id}/edit`, since: Date.parse(qr.updatedAt) },
  })),
  domain: domains.map(({ id, host, problem }) => ({
    ...{ id, title: host, text: `${domainProblemWords[problem]}.`, path: `domains/${id}` },
  })),
});

const titleOf = (kind: "create" | "update", isImport: boolean): string => {
  if (isImport) return "Import";
  return kind === "create" ? "Creation" : "Change";
};

const describeJob = (
  { id, totalItems, failureCount, completedAt, error }: Omit<FoundWaiting["prints"][number], "kind">,
  items: "rows" | "codes",
  path: string,
) => ({
  ...{ id, path, since: completedAt },
  text:
    error ??
    (totalItems === 1
      ? `${items === "rows" ? "Its row" : "Its code"} failed.`
      : `${formatNumber(failureCount)} of ${formatNumber(totalItems)} ${items} failed.`),
});

const formatNumber = (value: number): string => value.toLocaleString("en");

/** Puts things off for a week, or shows them again, for one member. Unknown keys do nothing. */
export async function postponeItems(
  deps: Deps,
  member: Member,
  keys: readonly string[],
  { isOff }: { readonly isOff: boolean },
): Promise<void> {
  requirePermission(member, "codes.read");
  const now = deps.now();
  const { counted, postponedDays } = limits.waiting;
  const known = keys.filter((key) => keyPattern.test(key)).slice(0, counted);
  const until = isOff ? now + postponedDays * dayLength : now;
  await updatePostponed(deps.db, member, known, { now, until });
}

const keyPattern = new RegExp(`^(${waitingKindNames.join("|")}):[0-9a-z-]{1,40}$`);
