import type { DecisionInput, Report, ReportList, ReportQuery } from "../../contract/resources/reports.ts";
import * as store from "../../store/reports.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { setCodeSuspension, setPageSuspension } from "./suspension.ts";

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
    const { qrId, pageId } = requireFound(await store.findReport(deps.db, id), "Report");
    if (qrId !== null) await setCodeSuspension(deps, qrId, input.suspend);
    else if (pageId !== null) await setPageSuspension(deps, pageId, input.suspend);
  }
  const decided = await store.decideReport(deps.db, id, input, deps.now());
  return store.presentReport(requireFound(decided, "Report"));
}

/** Deletes reports that were decided long ago, a bounded number at a time. */
export async function pruneReports(deps: Deps): Promise<void> {
  await store.pruneReports(deps.db, deps.now() - retentionMilliseconds);
}
