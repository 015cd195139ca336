import { limits } from "../../contract/limits.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { type Analytics, AnalyticsQuery } from "../../contract/resources/scans/analytics.ts";
import { anyLine } from "../../contract/text.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { describeError, log } from "../../lib/log.ts";
import { newId } from "../../lib/text/ids.ts";
import { formatDay, parseDay } from "../../lib/time/calendar.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import type { Removable } from "../../store/resources/kind.ts";
import type { SharedQuery } from "../../store/schema/sharing.ts";
import * as store from "../../store/shared-reports.ts";
import { getQr } from "../codes/codes.ts";
import { serviceContext, type WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { requireNotSuspended, suspensionError } from "../context/suspension.ts";
import { lookUpCredential } from "../credential-throttle.ts";
import type { Deps } from "../deps.ts";
import { invalid, limitReached, notFound, rateLimited } from "../errors.ts";
import { getFolder } from "../folders/folders.ts";
import { isWorkExceeded } from "../public-work.ts";
import { changeResource, createResource } from "../resources/change.ts";
import type { Resource } from "../resources/resource.ts";
import { type Dates, datesOfRange, isRange, type Range } from "./ranges.ts";
import { codeReport, workspaceReport } from "./reports.ts";

export type { SharedQuery };

/** A report that anyone with its link can read, without the link itself. */
export type SharedReport = Omit<store.SharedReportRow, "digest" | "workspaceId" | "version">;

/** A code, the codes with a tag, or those in a folder; the whole workspace if all are null. */
export type Subject = store.ReportSubject;

/** The whole workspace; also the null fields of other subjects. */
export const wholeWorkspace: Subject = { qrId: null, tag: null, folderId: null };

/** Base62 characters: about 190 bits. */
const tokenLength = 32;
const tokenPattern = /^[0-9A-Za-z]{32}$/;

/** The options of a link, besides what it shows. */
interface LinkOptions {
  /** For those who manage links; empty for none. */
  readonly name: string;
  /** The last day on which it works, in the reporting time zone; null for no end. */
  readonly lastDay: string | null;
}

const LinkName = anyLine(limits.sharedReportName);

/**
 * Shares a report. Only this response contains the link.
 * @throws not_found for a code or folder that doesn't exist; invalid_input; forbidden in a suspended workspace
 */
export async function shareReport(
  deps: Deps,
  context: WorkspaceContext,
  subject: Subject,
  query: SharedQuery,
  { name, lastDay }: LinkOptions,
): Promise<{ shared: SharedReport; url: string }> {
  requirePermission(context, "codes.write");
  await requireNotSuspended(deps, context);
  await requireSubject(deps, context, subject);
  const named = LinkName.safeParse(name);
  if (!named.success) throw invalid("name", named.error.issues[0]?.message ?? "isn't valid");
  if (query.ranges.length === 0) throw invalid("range", "must have at least one choice");
  const { timeZone } = await deps.ledger(context.workspaceId).reportingStatus();
  const now = deps.now();
  // If the longest range can be read, so can the others.
  const today = zoneOf(timeZone).dayOf(now);
  const [longest] = query.ranges.toSorted((a, b) => daysIn(b, query, today) - daysIn(a, query, today));
  if (longest !== undefined)
    await reportOn(deps, context, subject, { ...query, dimensions: [] }, longest, today);
  const expiresAt = lastDay === null ? null : endOf(lastDay, timeZone);
  if (expiresAt !== null && expiresAt <= now) throw invalid("until", "can't be in the past");
  const { url, digest } = await newLink(deps);
  const row = {
    ...{ id: newId(now), workspaceId: context.workspaceId, digest, ...subject, query, expiresAt },
    ...{ name: named.data === "" ? null : named.data, openedOn: null },
    ...{ createdAt: now, version: 1, deletedAt: null },
  };
  await createResource(deps, context, sharedReportResource, row);
  return { shared: presented(row), url };
}

/** Shared reports as resources. The names of their subjects stay out of the history, since they can be erased. */
const sharedReportResource: Resource<Removable<store.SharedReportRow>> = {
  kind: store.sharedReportKind,
  object: "shared_report",
  noun: "Shared report",
  nameOf: ({ name }) => name,
  fieldsOf: ({ qrId, tag, folderId, expiresAt }) => ({
    ...{ qrId, tag, folderId },
    expiresAt: isoTime(expiresAt),
  }),
  verbOf: ({ before, after }) =>
    before === null ? undefined : after.deletedAt === null ? "replaced" : "revoked",
  capsOf: () => ({ shared_reports: limits.sharedReports }),
  refusalOf: async (deps, context) =>
    (await suspensionError(deps, context)) ??
    limitReached(limits.sharedReports, "shared reports", "Revoke a link that you no longer need."),
};

async function newLink(deps: Deps): Promise<{ url: string; digest: string }> {
  const token = randomBase62(tokenLength);
  return { url: `${deps.settings.scanOrigin}/shared/${token}`, digest: await sha256Hex(token) };
}

/** Returns the shared reports on a subject, newest first, including those whose link has ended. */
export async function listSharedReports(
  deps: Deps,
  context: WorkspaceContext,
  subject: Subject,
): Promise<SharedReport[]> {
  await requireSubject(deps, context, subject);
  const rows = await store.listSharedReports(deps.db, context.workspaceId, subject);
  return rows.map(presented);
}

/** Revokes a shared report's link immediately. @returns the report @throws not_found */
export async function revokeSharedReport(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<SharedReport> {
  requirePermission(context, "codes.write");
  const { row } = await changeResource(deps, context, sharedReportResource, id, (before) => ({
    ...before,
    deletedAt: deps.now(),
  }));
  return presented(row);
}

/** Gives a shared report a new link, which only this response contains. The old one stops working. @throws not_found */
export async function replaceSharedLink(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ shared: SharedReport; url: string }> {
  requirePermission(context, "codes.write");
  await requireNotSuspended(deps, context);
  const { url, digest } = await newLink(deps);
  const { row } = await changeResource(deps, context, sharedReportResource, id, (before) => ({
    ...before,
    digest,
  }));
  return { shared: presented(row), url };
}

type OpenedSubject =
  | { readonly kind: "code"; readonly qr: Qr }
  | { readonly kind: "tag" | "folder"; readonly name: string }
  | { readonly kind: "workspace" };

/** A shared report as its readers see it. */
export interface OpenedReport {
  readonly workspaceName: string;
  /** The first colour of the workspace's brand, hex; null for none. */
  readonly color: string | null;
  /** The logo of the workspace, by its id; null for none. */
  readonly logoId: string | null;
  readonly subject: OpenedSubject;
  /** The ranges that readers can choose, and the current one. */
  readonly ranges: readonly Range[];
  readonly range: Range;
  /** The dates of the range `custom`, if readers can choose it. */
  readonly dates: Dates | null;
  readonly report: Analytics;
  readonly expiresAt: number | null;
}

/**
 * Opens the report behind a link.
 * @param range chosen by the reader; falls back to the first one if it isn't allowed
 * @param clientAddress to throttle networks that try unknown links or open too many reports
 * @param isPerson whether the day of the opening is noted, which programs that look at links shouldn't change
 * @throws not_found without a reason: unknown, revoked or ended, or its subject is deleted or suspended; rate_limited
 */
export async function openSharedReport(
  deps: Deps,
  token: string,
  range: string,
  clientAddress: string,
  isPerson: boolean,
): Promise<OpenedReport> {
  const { report: shared, context, ...workspace } = await findValidLink(deps, token, clientAddress);
  if (await isWorkExceeded(deps, clientAddress, "report")) throw rateLimited(60);
  const { query, expiresAt } = shared;
  const [first = "30d"] = query.ranges;
  const chosen = isRange(range) && query.ranges.includes(range) ? range : first;
  const [subject, { timeZone }] = await Promise.all([
    openSubject(deps, context, shared),
    deps.ledger(context.workspaceId).reportingStatus(),
  ]);
  const today = zoneOf(timeZone).dayOf(deps.now());
  const report = await reportOn(deps, context, shared, query, chosen, today);
  if (isPerson) await noteOpening(deps, shared, formatDay(today));
  return {
    ...workspace,
    subject,
    ranges: query.ranges,
    range: chosen,
    dates: query.ranges.includes("custom") ? { from: query.from, to: query.to } : null,
    report,
    expiresAt,
  };
}

/** Notes the day on which a link was opened, with one write a day. It may fail, since the report can be read anyway. */
async function noteOpening(deps: Deps, shared: store.SharedReportRow, today: string): Promise<void> {
  if (shared.openedOn === today) return;
  try {
    await store.noteOpening(deps.db, shared.workspaceId, shared.id, today);
  } catch (error) {
    log("warn", "opening of a shared report not noted", {
      sharedReportId: shared.id,
      error: describeError(error),
    });
  }
}

/** Returns what the report behind a link is about, without reading the report. @throws as `openSharedReport` */
export async function openSharedLink(
  deps: Deps,
  token: string,
  clientAddress: string,
): Promise<
  Pick<OpenedReport, "workspaceName" | "logoId" | "subject"> & { readonly context: WorkspaceContext }
> {
  const { report, context, workspaceName, logoId } = await findValidLink(deps, token, clientAddress);
  return { context, workspaceName, logoId, subject: await openSubject(deps, context, report) };
}

async function findValidLink(deps: Deps, token: string, clientAddress: string) {
  const found = tokenPattern.test(token) ? await findByToken(deps, token, clientAddress) : null;
  if (found === null || found.suspended !== null) throw notFound("Shared report");
  const { report, plan, workspaceName, brandColors, logoId } = found;
  if (report.expiresAt !== null && report.expiresAt <= deps.now()) throw notFound("Shared report");
  const color = brandColors?.[0]?.hex ?? null;
  return { report, context: serviceContext(report.workspaceId, plan), workspaceName, color, logoId };
}

/** Returns the title of a shared report. A code without a name has its short link, because readers see no destination. */
export function subjectTitle(subject: OpenedSubject, workspaceName: string): string {
  switch (subject.kind) {
    case "code":
      return subject.qr.name ?? withoutScheme(subject.qr.scanUrl);
    case "tag":
      return `Codes with the tag ${subject.name}`;
    case "folder":
      return `Codes in the folder ${subject.name}`;
    case "workspace":
      return `All codes of ${workspaceName}`;
  }
}

async function openSubject(
  deps: Deps,
  context: WorkspaceContext,
  { qrId, tag, folderId }: Subject,
): Promise<OpenedReport["subject"]> {
  if (qrId !== null) {
    const qr = await getQr(deps, context, qrId);
    if (qr.suspended !== null) throw notFound("Shared report");
    return { kind: "code", qr };
  }
  if (folderId !== null) return { kind: "folder", name: (await getFolder(deps, context, folderId)).name };
  return tag === null ? { kind: "workspace" } : { kind: "tag", name: tag };
}

async function findByToken(deps: Deps, token: string, clientAddress: string) {
  const digest = await sha256Hex(token);
  return lookUpCredential(
    deps,
    clientAddress,
    async () => (await store.findSharedReportByDigest(deps.db, digest)) ?? null,
  );
}

async function requireSubject(
  deps: Deps,
  context: WorkspaceContext,
  { qrId, tag, folderId }: Subject,
): Promise<void> {
  if (qrId !== null) await getQr(deps, context, qrId);
  if (folderId !== null) await getFolder(deps, context, folderId);
  if (tag === "") throw invalid("tag", "can't be empty");
}

/** Values per dimension in a shared report: enough for nearly all countries on the map. */
const values = 100;

async function reportOn(
  deps: Deps,
  context: WorkspaceContext,
  { qrId, tag, folderId }: Subject,
  query: SharedQuery,
  range: Range,
  today: number,
): Promise<Analytics> {
  const { dates, compare, interval } = datesOfRange(range, query, today, query.compare);
  const parsed = AnalyticsQuery.safeParse({
    ...dates,
    interval,
    limit: String(values),
    dimensions: query.dimensions.join(","),
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(String(issue?.path[0]), issue?.message ?? "isn't valid");
  }
  const asked = { ...parsed.data, compare };
  if (qrId !== null) return codeReport(deps, context, qrId, asked);
  return workspaceReport(deps, context, {
    ...asked,
    ...(tag === null ? {} : { tag }),
    ...(folderId === null ? {} : { folderId }),
  });
}

/** Returns the number of days in a range; 0 for invalid dates. */
function daysIn(range: Range, query: SharedQuery, today: number): number {
  const { from, to } = datesOfRange(range, query, today, null).dates;
  try {
    return parseDay(to) - parseDay(from) + 1;
  } catch {
    return 0;
  }
}

/** Returns the instant at which a day ends. @throws invalid_input for an invalid day */
function endOf(day: string, timeZone: string): number {
  try {
    return zoneOf(timeZone).startOf(parseDay(day) + 1);
  } catch {
    throw invalid("until", "must be a date such as 2026-01-31");
  }
}

const presented = ({
  id,
  qrId,
  tag,
  folderId,
  query,
  createdAt,
  expiresAt,
  name,
  openedOn,
}: store.SharedReportRow): SharedReport => ({
  ...{ id, qrId, tag, folderId, query, createdAt, expiresAt, name, openedOn },
});
