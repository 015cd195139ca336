import type {
  DecisionInput,
  Report,
  ReportList,
  ReportQuery,
} from "../../contract/resources/abuse-reports.ts";
import type { SuspensionInput } from "../../contract/resources/suspension.ts";
import * as store from "../../store/operations/abuse-reports.ts";
import type { Deps } from "../deps.ts";
import { requireFound, ServiceError } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { setCodeSuspension, setPageSuspension } from "../operations/suspension.ts";

/** How long a report is kept after its decision, milliseconds. */
const retentionMilliseconds = 400 * 24 * 60 * 60_000;

/** A page of the list of reports, newest first. @throws invalid_input for a cursor of another list */
export async function listReports(deps: Deps, query: ReportQuery): Promise<ReportList> {
  const { cursor, limit, ...filters } = query;
  const after = parseCursor(cursor, filters);
  const rows = await store.listReports(deps.db, filters, after, limit + 1);
  const { items, nextCursor } = toPage(rows, limit, filters);
  return { items: items.map(store.presentReport), nextCursor };
}

/**
 * Decides a report, once what it is about has been suspended, if that is asked for. A later decision replaces an earlier
 * one and lifts no suspension.
 * @throws not_found, also if what it is about has been erased
 */
export async function decideReport(deps: Deps, id: string, input: DecisionInput): Promise<Report> {
  if (input.suspend !== undefined) {
    await suspendSubject(deps, requireFound(await store.findReport(deps.db, id), "Report"), input.suspend);
  }
  const decided = await store.decideReport(deps.db, id, input, deps.now());
  return store.presentReport(requireFound(decided, "Report"));
}

/**
 * Suspends the code that was reported and the hosted page that it showed, which other codes may show, too; or the page that
 * was reported. One of them may have been erased since.
 * @throws not_found if all have been
 */
async function suspendSubject(
  deps: Deps,
  { qrId, pageId }: Pick<store.ReportRow, "qrId" | "pageId">,
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

/** Deletes reports that were decided long ago, a bounded number at a time. */
export async function pruneReports(deps: Deps): Promise<void> {
  await store.pruneReports(deps.db, deps.now() - retentionMilliseconds);
}
