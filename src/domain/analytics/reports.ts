import { limits } from "../../contract/limits.ts";
import type {
  Analytics,
  AnalyticsQuery,
  WorkspaceAnalyticsQuery,
} from "../../contract/resources/scans/analytics.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { dayLength, formatDay, parseDay } from "../../lib/time/calendar.ts";
import type { CodePosition } from "../../protocol/analytics.ts";
import { findCodeLabels } from "../../store/codes/codes.ts";
import { listQrIds } from "../../store/codes/list.ts";
import { requireQr } from "../codes/require-code.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { parseCursor } from "../paging.ts";
import type { Dates } from "./ranges.ts";

/** A query of the API, or one that names the days to compare with. */
type WithDates<Query extends AnalyticsQuery> = Omit<Query, "compare"> & {
  readonly compare?: Query["compare"] | Dates;
};
export type ReportQuery = WithDates<AnalyticsQuery>;
export type WorkspaceReportQuery = WithDates<WorkspaceAnalyticsQuery>;

/** Returns a report on a code, which may be deleted. @throws not_found, invalid_input */
export async function findCodeReport(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  query: ReportQuery,
): Promise<Analytics> {
  const qr = await requireQr(deps, context, id, "shown");
  return codeReport(deps, context, qr.id, query);
}

/** Returns a report on a code that has already been read. @throws invalid_input */
export async function codeReport(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  query: ReportQuery,
): Promise<Analytics> {
  if (query.dimensions.includes("code")) {
    throw invalid("dimensions", "can include `code` only in a report on several codes");
  }
  return report(deps, context, [id], query);
}

/**
 * Returns a report on the workspace, including deleted codes; with a tag or folder, on the codes that have it today.
 * @throws invalid_input, also for too many codes, or too many days for that many codes
 */
export async function workspaceReport(
  deps: Deps,
  context: WorkspaceContext,
  query: WorkspaceReportQuery,
): Promise<Analytics> {
  return withLabels(deps, context, await unlabelledReport(deps, context, query));
}

/** Returns a workspace's report without names and hashes of codes, for callers that read the codes themselves. */
export async function unlabelledReport(
  deps: Deps,
  context: WorkspaceContext,
  query: WorkspaceReportQuery,
): Promise<Analytics> {
  const { tag, folderId, cursor, ...asked } = query;
  const filters = { tag, folderId, from: asked.from, to: asked.to };
  const after = positionIn(cursor, filters);
  if (after !== undefined && !asked.dimensions.includes("code")) {
    throw invalid("cursor", "needs `code` among the dimensions");
  }
  const options = { ...asked, after, filters };
  if (tag === undefined && folderId === undefined) return report(deps, context, null, options);
  const most = limits.analytics.codes;
  const qrIds = await listQrIds(deps.db, context.workspaceId, { tag, folderId, limit: most + 1 });
  if (qrIds.length > most) {
    const advice = `Choose one with at most ${most}, or report on the whole workspace.`;
    throw invalid(tag === undefined ? "folderId" : "tag", `has too many codes. ${advice}`);
  }
  requireFewDays(qrIds.length, options, deps.now());
  return report(deps, context, qrIds, options);
}

/** Returns the code that a page of the dimension `code` follows; undefined for the first page. @throws invalid_input */
function positionIn(cursor: string | undefined, filters: unknown): CodePosition | undefined {
  const text = parseCursor(cursor, filters, (position) => /^\d{1,16} \d{1,16}$/.test(position));
  const [ref, scans] = text?.split(" ").map(Number) ?? [];
  return ref === undefined || scans === undefined ? undefined : { ref, scans };
}

/** The westernmost time zone's distance from UTC, milliseconds. */
const latestZone = 12 * 60 * 60 * 1000;

/** @throws invalid_input for a report that would read too many days of too many codes */
function requireFewDays(codes: number, { from, to }: ReportQuery, now: number): void {
  if (from === undefined) return;
  const longest = Math.floor(limits.analytics.codeDays / Math.max(codes, 1));
  // Only the ledger knows the time zone, and so what day it is. Today begins last in the westernmost zone.
  const end = to ?? formatDay(Math.floor((now - latestZone) / dayLength));
  if (parseDay(end) - parseDay(from) < longest) return;
  throw invalid("from", `must be at most ${longest} days before to in a report on ${codes} codes`);
}

/** For the dimension `code`: the last code of the page before, and the filters that its cursor is for. */
interface Paged {
  readonly after?: CodePosition | undefined;
  readonly filters?: unknown;
}

async function report(
  deps: Deps,
  context: WorkspaceContext,
  qrIds: readonly string[] | null,
  { filters, ...query }: ReportQuery & Paged,
): Promise<Analytics> {
  const found = await deps.ledger(context.workspaceId).analytics({ qrIds, ...query }, deps.now());
  if ("problem" in found) throw invalid(found.field, found.problem);
  const { next, ...result } = found;
  const { code, ...dimensions } = result.dimensions;
  const nextCursor = next === undefined ? null : writeCursor(`${next.ref} ${next.scans}`, filters);
  // A ledger that still runs the code of 1.1.0 doesn't say it.
  return {
    ...result,
    dimensions: { ...dimensions, ...(code !== undefined && { code: { ...code, nextCursor } }) },
    incomplete: { ...result.incomplete, visitorsChangedOn: result.incomplete.visitorsChangedOn ?? null },
  };
}

/** Adds the names and hashes of the codes in a report, including deleted ones. */
async function withLabels(deps: Deps, context: WorkspaceContext, analytics: Analytics): Promise<Analytics> {
  const { code, ...others } = analytics.dimensions;
  if (code === undefined) return analytics;
  const ids = code.items.flatMap(({ value }) => value ?? []);
  const labels = await findCodeLabels(deps.db, context.workspaceId, ids);
  const items = code.items.map((item) => ({ ...item, name: null, ...labels.get(item.value ?? "") }));
  return { ...analytics, dimensions: { ...others, code: { ...code, items } } };
}
