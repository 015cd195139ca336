import { limits } from "../../contract/limits.ts";
import type { DomainVisits } from "../../contract/resources/domains.ts";
import {
  type ClosedCodeList,
  type ClosedExportQuery,
  type ClosedScans,
  closedColumns,
} from "../../contract/resources/scans/scans.ts";
import { closedReason } from "../../edge/redirect/actions.ts";
import { codeRoute } from "../../edge/routing/routes.ts";
import { concurrently } from "../../lib/concurrently.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { bounds } from "../../protocol/bounds.ts";
import type {
  ClosedCode,
  ClosedCountPage,
  ClosedDay,
  DomainVisitCounts,
} from "../../protocol/workspace-ledger.ts";
import { findQrs } from "../../store/codes/codes.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { scanUrlOf } from "../../store/codes/columns.ts";
import { codeTitle } from "../codes/titles.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { getVersionedDomain } from "../domains/domains.ts";
import { unavailable } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { ifAvailable, ifKnown } from "../ledger.ts";
import { streamPageSize } from "../paging.ts";

/** A code that people still scan although it leads nowhere. */
export interface StillScanned extends Omit<ClosedCode, "qrId"> {
  readonly id: string;
  readonly title: string;
  readonly scanUrl: string;
  readonly isErased: boolean;
}

/** The codes that are still scanned. */
export interface StillScannedList {
  readonly codes: readonly StillScanned[];
  /** Whether there may be more of them. */
  readonly more: boolean;
}

/**
 * Lists the codes that lead nowhere now and were scanned lately for that reason, the most scanned first. One call of the
 * ledger, and one row of the catalogue a code. @returns null if the ledger can't be read
 */
export async function listStillScanned(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
): Promise<StillScannedList | null> {
  const limit = limits.stillScanned;
  const closed = await ifAvailable(deps, () =>
    ifKnown(deps.ledger(workspaceId).closedCodes(bounds.lately, limit + 1, deps.now())),
  );
  if (closed === null) return null;
  const listed = (closed ?? []).slice(0, limit);
  const ids = [...new Set(listed.map(({ qrId }) => qrId))];
  const rows = ids.length === 0 ? new Map<string, QrRow>() : await findQrs(deps.db, workspaceId, ids);
  const codes = listed.flatMap(({ qrId, ...counts }): StillScanned[] => {
    const row = rows.get(qrId);
    if (row === undefined) return [];
    const route = codeRoute(row);
    if (closedReason({ route, suspended: route.suspended }, deps.now()) !== counts.reason) return [];
    const scanUrl = scanUrlOf(row, deps.settings.scanOrigin);
    const title = codeTitle({ ...row, scanUrl });
    return [{ ...counts, id: qrId, title, scanUrl, isErased: row.erasedAt !== null }];
  });
  return { codes, more: (closed ?? []).length > limit };
}

/** Returns the codes that lead nowhere and are still scanned, for programs. @throws internal if the ledger can't be read */
export async function listClosedCodes(deps: Deps, context: WorkspaceContext): Promise<ClosedCodeList> {
  const list = await listStillScanned(deps, context);
  if (list === null) throw unavailable();
  const items = list.codes.map(({ id, title, isErased, ...code }) => ({
    ...{ qrId: id, name: title, erased: isErased },
    ...code,
  }));
  return { items, days: bounds.lately, more: list.more };
}

/**
 * Streams the numbers of scans without a target, by code, day and reason, as lines of CSV or NDJSON, those of one code
 * together. @throws rate_limited for too many exports; internal while the ledger runs the code of 1.1.0
 */
export async function exportClosedScans(
  deps: Deps,
  context: WorkspaceContext,
  query: ClosedExportQuery,
): Promise<AsyncIterable<Uint8Array>> {
  const first = await ifKnown(deps.ledger(context.workspaceId).closedCounts(null, streamPageSize));
  if (first === undefined) throw unavailable();
  return leaseExport(deps, context, closedLines(deps, context, query, first));
}

async function* closedLines(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { from = "", to = "9999", format }: ClosedExportQuery,
  first: ClosedCountPage,
): AsyncGenerator<string> {
  const lineOf = (count: ClosedDay) =>
    format === "csv"
      ? csvRow(closedColumns.map((column) => String(count[column])))
      : `${JSON.stringify(count)}\n`;
  if (format === "csv") yield csvRow(closedColumns);
  for (let page = first; ; ) {
    const counts = page.counts.filter(({ day }) => from <= day && day <= to);
    if (counts.length > 0) yield counts.map(lineOf).join("");
    if (page.next === null) return;
    page = await deps.ledger(workspaceId).closedCounts(page.next, streamPageSize);
  }
}

/** Returns how often a code, deleted or not, was scanned without a target; null if the ledger can't be read. */
export async function closedScansOf(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<ClosedScans | null> {
  const page = await ifAvailable(deps, () => deps.ledger(workspaceId).listScans(id, 1));
  return page?.closed ?? null;
}

/**
 * Returns how often suspended codes of any workspace were scanned while they were, by id, for the operator: of those whose
 * ledgers can be read. One call of a ledger for each.
 */
export async function suspendedScans(
  deps: Deps,
  codes: readonly { readonly id: string; readonly workspaceId: string }[],
): Promise<ReadonlyMap<string, number>> {
  const scans = new Map<string, number>();
  await concurrently(codes, ledgersAtOnce, async ({ id, workspaceId }) => {
    const closed = await ifAvailable(deps, () => deps.ledger(workspaceId).listScans(id, 1));
    const suspended = closed?.closed?.reasons.find(({ reason }) => reason === "suspended");
    if (closed?.closed !== undefined) scans.set(id, suspended?.scans ?? 0);
  });
  return scans;
}

const ledgersAtOnce = 6;

/** Returns the visits of a domain's own address, for programs. @throws not_found; internal if they can't be read */
export async function getDomainVisits(
  deps: Deps,
  context: WorkspaceContext,
  domainId: string,
): Promise<DomainVisits> {
  const { domain } = await getVersionedDomain(deps, context, domainId);
  const visits = await domainVisits(deps, context, domain.host);
  if (visits === null) throw unavailable();
  return { ...visits, days: [...visits.days] };
}

/** Returns the visits of a domain's own address, in total and on each day lately; null if they can't be read. */
export async function domainVisits(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  host: string,
): Promise<DomainVisitCounts | null> {
  const read = () => ifKnown(deps.ledger(workspaceId).domainVisits(host, bounds.lately, deps.now()));
  return (await ifAvailable(deps, read)) ?? null;
}
