import type {
  AbuseReport,
  AbuseReportList,
  AbuseReportQuery,
  DecisionInput,
} from "../../contract/resources/operations/abuse-reports.ts";
import type { SuspensionInput } from "../../contract/resources/operations/suspension.ts";
import { hostOfKey } from "../../protocol/routes.ts";
import * as store from "../../store/operations/abuse-reports.ts";
import type { Operator } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireFound, ServiceError } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { setCodeSuspension, setDomainSuspension, setPageSuspension } from "../suspensions.ts";

/** Returns a page of the list of abuse reports, newest first. @throws invalid_input for a cursor of another list */
export async function listAbuseReports(deps: Deps, query: AbuseReportQuery): Promise<AbuseReportList> {
  const { cursor, limit, ...filters } = query;
  const after = parseCursor(cursor, filters);
  const rows = await store.listAbuseReports(deps.db, filters, after, limit + 1);
  const { items, nextCursor } = toPage(rows, limit, filters);
  return { items: items.map(store.presentAbuseReport), nextCursor };
}

/** Returns how many abuse reports are open. */
export const countOpenReports = (deps: Deps): Promise<number> => store.countOpenReports(deps.db);

/** Returns an abuse report. @throws not_found */
export async function getAbuseReport(deps: Deps, id: string): Promise<AbuseReport> {
  return store.presentAbuseReport(requireFound(await store.findAbuseReport(deps.db, id), "Abuse report"));
}

/**
 * Decides an abuse report, after suspending its subject if requested. A later decision replaces an earlier one but
 * doesn't lift a suspension.
 * @throws not_found, also if the subject has been erased
 */
export async function decideAbuseReport(
  deps: Deps,
  operator: Operator,
  id: string,
  input: DecisionInput,
): Promise<AbuseReport> {
  if (input.suspend !== undefined) {
    await suspendSubject(
      deps,
      operator,
      requireFound(await store.findAbuseReport(deps.db, id), "Abuse report"),
      input.suspend,
    );
  }
  const decided = await store.decideAbuseReport(deps.db, id, input, deps.now());
  return store.presentAbuseReport(requireFound(decided, "Abuse report"));
}

/**
 * Suspends the reported code and the hosted page that it showed (which other codes may show as well), the reported page,
 * or the reported domain. One of them may have been erased, or the host be another workspace's, in the meantime.
 * @throws not_found if none is left
 */
async function suspendSubject(
  deps: Deps,
  operator: Operator,
  { routeKey, workspaceId, qrId, pageId }: store.AbuseReportRow,
  suspension: SuspensionInput,
): Promise<void> {
  const host = hostOfKey(routeKey);
  if (host !== null) {
    await setDomainSuspension(deps, operator, host, suspension, workspaceId);
    return;
  }
  const code = qrId === null ? undefined : await ifThere(setCodeSuspension(deps, operator, qrId, suspension));
  const page =
    pageId === null ? undefined : await ifThere(setPageSuspension(deps, operator, pageId, suspension));
  requireFound(code ?? page, qrId === null ? "Page" : "QR code");
}

/** Returns undefined if the subject was not found. */
async function ifThere<T>(suspended: Promise<T>): Promise<T | undefined> {
  try {
    return await suspended;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  }
}
