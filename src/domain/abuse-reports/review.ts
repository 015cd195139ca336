import type {
  DecisionInput,
  AbuseReport,
  AbuseReportList,
  AbuseReportQuery,
} from "../../contract/resources/abuse-reports.ts";
import type { SuspensionInput } from "../../contract/resources/suspension.ts";
import * as store from "../../store/operations/abuse-reports.ts";
import type { Deps } from "../deps.ts";
import { requireFound, ServiceError } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { setCodeSuspension, setPageSuspension } from "../operations/suspension.ts";

/** How long an abuse report is kept after its decision, milliseconds. */
const retentionMilliseconds = 400 * 24 * 60 * 60_000;

/** A page of the list of abuse reports, newest first. @throws invalid_input for a cursor of another list */
export async function listAbuseReports(deps: Deps, query: AbuseReportQuery): Promise<AbuseReportList> {
  const { cursor, limit, ...filters } = query;
  const after = parseCursor(cursor, filters);
  const rows = await store.listAbuseReports(deps.db, filters, after, limit + 1);
  const { items, nextCursor } = toPage(rows, limit, filters);
  return { items: items.map(store.presentAbuseReport), nextCursor };
}

/**
 * Decides an abuse report, once what it is about has been suspended, if that is asked for. A later decision replaces an earlier
 * one and lifts no suspension.
 * @throws not_found, also if what it is about has been erased
 */
export async function decideAbuseReport(deps: Deps, id: string, input: DecisionInput): Promise<AbuseReport> {
  if (input.suspend !== undefined) {
    await suspendSubject(
      deps,
      requireFound(await store.findAbuseReport(deps.db, id), "Abuse report"),
      input.suspend,
    );
  }
  const decided = await store.decideAbuseReport(deps.db, id, input, deps.now());
  return store.presentAbuseReport(requireFound(decided, "Abuse report"));
}

/**
 * Suspends the code that was reported and the hosted page that it showed, which other codes may show, too; or the page that
 * was reported. One of them may have been erased since.
 * @throws not_found if all have been
 */
async function suspendSubject(
  deps: Deps,
  { qrId, pageId }: Pick<store.AbuseReportRow, "qrId" | "pageId">,
  suspension: SuspensionInput,
): Promise<void> {
  const code = qrId === null ? undefined : await ifThere(setCodeSuspension(deps, qrId, suspension));
  const page = pageId === null ? undefined : await ifThere(setPageSuspension(deps, pageId, suspension));
  requireFound(code ?? page, qrId === null ? "Page" : "QR code");
}

/** Undefined for what was not found. */
async function ifThere<T>(suspended: Promise<T>): Promise<T | undefined> {
  try {
    return await suspended;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Deletes abuse reports that were decided long ago, a bounded number at a time. */
export async function pruneAbuseReports(deps: Deps): Promise<void> {
  await store.pruneAbuseReports(deps.db, deps.now() - retentionMilliseconds);
}
