import type {
  Submission,
  SubmissionExportQuery,
  SubmissionList,
  SubmissionListQuery,
} from "../../contract/resources/pages.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { idAt, isId } from "../../lib/text/ids.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { SubmissionPage } from "../../protocol/workspace-ledger.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { parseCursor, streamPageSize } from "../paging.ts";
import { requirePage, setFormClosed } from "./pages.ts";

/** Returns the text to search answers for; null for none. */
const searchOf = (q: string | undefined): string | null =>
  q === undefined || q.trim() === "" ? null : q.trim();

/**
 * Returns one page of a hosted page's submissions, newest first. The hosted page may be deleted. A search examines some
 * of them at a time, so a page may be short or empty and still have a cursor.
 * @throws not_found, invalid_input
 */
export async function listSubmissions(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
  { q, cursor, limit }: SubmissionListQuery,
): Promise<SubmissionList> {
  requirePermission(context, "submissions.read");
  const contains = searchOf(q);
  const filters = contains === null ? { pageId } : { pageId, contains };
  const after = parseCursor(cursor, filters);
  await requirePage(deps, context, pageId, "shown");
  const ledger = deps.ledger(context.workspaceId);
  const { items, next } = await ledger.listSubmissions(pageId, "newest", after, limit, contains);
  return { items: [...items], nextCursor: next === null ? null : writeCursor(next, filters) };
}

/** Returns a submission of a page, which may be deleted. @throws not_found */
export async function getSubmission(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
  id: string,
): Promise<Submission> {
  requirePermission(context, "submissions.read");
  await requirePage(deps, context, pageId, "shown");
  return requireFound(await deps.ledger(context.workspaceId).getSubmission(pageId, id), "Submission");
}

/** Returns the names of all fields that a page's form has or had, current ones first. @throws not_found */
export async function submissionFields(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
): Promise<string[]> {
  const { content } = await requirePage(deps, context, pageId, "shown");
  const current = content.form?.fields.map(({ name }) => name) ?? [];
  const known = await deps.ledger(context.workspaceId).submissionFields(pageId);
  return [...new Set([...current, ...known])];
}

/** Counts the submissions of pages, in the order of the ids. */
export const countSubmissions = async (
  deps: Deps,
  context: WorkspaceContext,
  pageIds: readonly string[],
): Promise<number[]> => deps.ledger(context.workspaceId).countSubmissions(pageIds);

/**
 * Counts a page's submissions by day, up to today: fewer days than asked for where a page has very many.
 * @param timeZone an IANA name
 */
export function submissionsByDay(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
  timeZone: string,
  days: number,
): Promise<readonly number[]> {
  const zone = zoneOf(timeZone);
  const today = zone.dayOf(deps.now());
  const starts = Array.from({ length: days }, (_, i) => zone.startOf(today - days + 1 + i));
  return deps.ledger(context.workspaceId).submissionsByDay(pageId, starts);
}

/** Erases a submission, including from webhook deliveries. @throws not_found */
export async function eraseSubmission(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
  id: string,
): Promise<{ success: true }> {
  requirePermission(context, "submissions.manage");
  const erased = await eraseSubmissions(deps, context, pageId, [id]);
  if (erased === 0) throw notFound("Submission");
  return { success: true };
}

/**
 * Erases submissions of a page, including from webhook deliveries.
 * @returns how many there were
 * @throws not_found
 */
export async function eraseSubmissions(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
  ids: readonly string[],
): Promise<number> {
  requirePermission(context, "submissions.manage");
  const { formClosed, content } = await requirePage(deps, context, pageId, "shown");
  const by = { actor: context.actor, pageTitle: content.title };
  const ledger = deps.ledger(context.workspaceId);
  const { erased } = await ledger.eraseSubmissions(pageId, { ids }, deps.now(), by);
  if (formClosed && erased > 0) await setFormClosed(deps, context, pageId, false);
  return erased;
}

/** How many submissions one call of the ledger erases. */
const erasedAtOnce = 500;

/** How many times one request calls the ledger. */
const maxCalls = bounds.erasedSubmissions / erasedAtOnce;

/** The submissions that a search erases. */
export interface SearchToErase {
  readonly q: string | undefined;
  /** Only submissions that arrived by this time, epoch milliseconds. */
  readonly until: number;
  /** Where an earlier request stopped; undefined for the first one. */
  readonly after: string | undefined;
}

/**
 * Erases a page's submissions that a search finds, or all of them, including from webhook deliveries. One request
 * erases at most `bounds.erasedSubmissions`.
 * @returns where the next request continues; null if none are left
 * @throws not_found
 */
export async function eraseFound(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
  { q, until, after }: SearchToErase,
): Promise<string | null> {
  requirePermission(context, "submissions.manage");
  const { formClosed, content } = await requirePage(deps, context, pageId, "shown");
  const by = { actor: context.actor, pageTitle: content.title };
  const ledger = deps.ledger(context.workspaceId);
  let next: string | null = after !== undefined && isId(after) ? after : idAt(until + 1);
  let total = 0;
  for (let calls = 0; calls < maxCalls && next !== null; calls += 1) {
    const which = { contains: searchOf(q), after: next, limit: erasedAtOnce };
    const result: { erased: number; next: string | null } = await ledger.eraseSubmissions(
      pageId,
      which,
      deps.now(),
      by,
    );
    total += result.erased;
    next = result.next;
  }
  if (formClosed && total > 0) await setFormClosed(deps, context, pageId, false);
  return next;
}

/**
 * Streams a page's submissions as lines, oldest first, page by page: all of them, or those that a search finds. The CSV
 * has a column for each current and former field of the form.
 * @throws not_found; rate_limited for too many exports
 */
export async function exportSubmissions(
  deps: Deps,
  context: WorkspaceContext,
  pageId: string,
  { format, q }: SubmissionExportQuery,
): Promise<AsyncIterable<Uint8Array>> {
  requirePermission(context, "submissions.manage");
  const names = await submissionFields(deps, context, pageId);
  const pages = submissionPages(deps.ledger(context.workspaceId), pageId, searchOf(q));
  return leaseExport(deps, context, format === "csv" ? csvLines(pages, names) : ndjsonLines(pages));
}

type SubmissionPages = AsyncIterable<SubmissionPage["items"]>;

async function* csvLines(pages: SubmissionPages, names: readonly string[]) {
  yield csvRow(["id", "submittedAt", ...names]);
  for await (const page of pages) {
    const rows = page.map(({ id, submittedAt, fields }) =>
      csvRow([id, submittedAt, ...names.map((name) => fields[name]?.toString() ?? null)]),
    );
    yield rows.join("");
  }
}

async function* ndjsonLines(pages: SubmissionPages) {
  for await (const page of pages) {
    yield page.map((submission) => `${JSON.stringify(submission)}\n`).join("");
  }
}

async function* submissionPages(
  ledger: ReturnType<Deps["ledger"]>,
  pageId: string,
  contains: string | null,
): SubmissionPages {
  let after: string | null = null;
  do {
    const { items, next }: SubmissionPage = await ledger.listSubmissions(
      pageId,
      "oldest",
      after,
      streamPageSize,
      contains,
    );
    yield items;
    after = next;
  } while (after !== null);
}
