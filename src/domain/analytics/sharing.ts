import { limits } from "../../contract/limits.ts";
import type { Analytics, AnalyticsQuery } from "../../contract/resources/analytics.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { newId } from "../../lib/text/ids.ts";
import { parseDay } from "../../lib/time/calendar.ts";
import { Zone } from "../../lib/time/zone.ts";
import * as store from "../../store/shared-reports.ts";
import { getQr } from "../codes/codes.ts";
import { codeTitle } from "../codes/titles.ts";
import type { Deps } from "../deps.ts";
import { invalid, limitReached, notFound, requireFound } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { unknownKeyThrottle } from "../throttle.ts";
import { requireNotSuspended } from "../workspaces/suspended.ts";
import { codeReport, workspaceReport } from "./reports.ts";

/** A report that anyone with its link can read, without the link itself. */
export type SharedReport = Omit<store.SharedReportRow, "digest" | "workspaceId">;

/** A code by its id, or the codes with a tag. */
export type Subject = { readonly qrId: string } | { readonly tag: string };

/** Base62 characters: about 190 bits. */
const tokenLength = 32;
const tokenPattern = /^[0-9A-Za-z]{32}$/;

/**
 * Shares a report on the days that the query means today. The link is returned only here.
 * @param lastDay the last day on which the link works, in the reporting time zone; null for no end
 * @throws not_found for a code that does not exist; invalid_input; forbidden in a suspended workspace
 */
export async function shareReport(
  deps: Deps,
  context: WorkspaceContext,
  subject: Subject,
  query: AnalyticsQuery,
  lastDay: string | null,
): Promise<{ shared: SharedReport; url: string }> {
  await requireSubject(deps, context, subject);
  const report = await reportOn(deps, context, subject, query);
  const now = deps.now();
  const expiresAt = lastDay === null ? null : endOf(lastDay, report.timeZone);
  if (expiresAt !== null && expiresAt <= now) throw invalid("until", "must not be in the past");
  const token = randomBase62(tokenLength);
  const row: store.SharedReportRow = {
    id: newId(now),
    workspaceId: context.workspaceId,
    digest: await sha256Hex(token),
    ...columnsOf(subject),
    query: { ...query, from: report.from, to: report.to },
    createdAt: now,
    expiresAt,
  };
  if (!(await store.insertSharedReport(deps.db, row, limits.sharedReports))) {
    await requireNotSuspended(deps, context);
    throw limitReached(limits.sharedReports, "shared reports", "end the link of one that is not needed");
  }
  return { shared: withoutSecrets(row), url: `${deps.settings.scanOrigin}/shared/${token}` };
}

/** The shared reports on a code or a tag, newest first, also those whose link has ended. */
export async function listSharedReports(
  deps: Deps,
  context: WorkspaceContext,
  subject: Subject,
): Promise<SharedReport[]> {
  await requireSubject(deps, context, subject);
  const rows = await store.listSharedReports(deps.db, context.workspaceId, columnsOf(subject));
  return rows.map(withoutSecrets);
}

/** Ends the link of a shared report, at once. @returns what it was @throws not_found */
export async function endSharedReport(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<SharedReport> {
  const row = await store.deleteSharedReport(deps.db, context.workspaceId, id);
  return withoutSecrets(requireFound(row, "Shared report"));
}

/** A shared report, as the reader of its link sees it. */
export interface OpenedReport {
  /** The code's title; or the tag. */
  readonly subject: { readonly kind: "code" | "tag"; readonly name: string };
  readonly report: Analytics;
  readonly expiresAt: number | null;
}

/**
 * The report of a link.
 * @param clientAddress to throttle networks that try unknown links
 * @throws not_found, without the reason: unknown, ended, or the code is deleted or suspended; rate_limited
 */
export async function openSharedReport(
  deps: Deps,
  token: string,
  clientAddress: string,
): Promise<OpenedReport> {
  const found = tokenPattern.test(token) ? await findByToken(deps, token, clientAddress) : null;
  if (found === null || found.suspended !== null) throw notFound("Shared report");
  const { workspaceId, qrId, tag, query, expiresAt } = found.report;
  if (expiresAt !== null && expiresAt <= deps.now()) throw notFound("Shared report");
  const context = { workspaceId, plan: found.plan };
  if (qrId === null) {
    const name = tag ?? "";
    return {
      subject: { kind: "tag", name },
      report: await reportOn(deps, context, { tag: name }, query),
      expiresAt,
    };
  }
  const qr = await getQr(deps, context, qrId);
  if (qr.suspended !== null) throw notFound("Shared report");
  const report = await reportOn(deps, context, { qrId }, query);
  return { subject: { kind: "code", name: codeTitle(qr) }, report, expiresAt };
}

async function findByToken(deps: Deps, token: string, clientAddress: string) {
  const digest = await sha256Hex(token);
  return unknownKeyThrottle(deps).lookUpCredential(
    clientAddress,
    async () => (await store.findSharedReportByDigest(deps.db, digest)) ?? null,
  );
}

async function requireSubject(deps: Deps, context: WorkspaceContext, subject: Subject): Promise<void> {
  if ("qrId" in subject) await getQr(deps, context, subject.qrId);
  else if (subject.tag === "") throw invalid("tag", "must not be empty");
}

const reportOn = (
  deps: Deps,
  context: WorkspaceContext,
  subject: Subject,
  query: AnalyticsQuery,
): Promise<Analytics> =>
  "qrId" in subject
    ? codeReport(deps, context, subject.qrId, query)
    : workspaceReport(deps, context, { ...query, tag: subject.tag });

const columnsOf = (subject: Subject): store.ReportSubject =>
  "qrId" in subject ? { qrId: subject.qrId, tag: null } : { qrId: null, tag: subject.tag };

/** The instant at which a day ends. @throws invalid_input for what is no day */
function endOf(day: string, timeZone: string): number {
  try {
    return new Zone(timeZone).startOf(parseDay(day) + 1);
  } catch {
    throw invalid("until", "must be a date such as 2026-01-31");
  }
}

const withoutSecrets = ({ digest, workspaceId, ...shared }: store.SharedReportRow): SharedReport => shared;
