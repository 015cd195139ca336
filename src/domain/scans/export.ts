import { timesOf } from "../../contract/resources/scans/scan-filters.ts";
import { type ExportQuery, exportColumns } from "../../contract/resources/scans/scans.ts";
import { csvRow } from "../../lib/text/csv.ts";
import type { ExportPage, ExportSources } from "../../protocol/workspace-ledger.ts";
import { requireQr } from "../codes/require-code.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { leaseExport } from "../export-lease.ts";
import { requireFiles } from "../files.ts";
import { streamPageSize } from "../paging.ts";

import { type ArchivedRange, ArchivedScans, ArchiveUnreadable } from "./archived-scans.ts";
import { requireBots } from "./list.ts";

/**
 * Streams the workspace's scans as lines of CSV or NDJSON, oldest first, from files of archived scans and, page by
 * page, from the ledger. Excludes scans recorded after the export began.
 * @throws not_found for a code of another workspace (deleted codes are allowed); rate_limited for too many exports;
 *   internal (503) for archived scans without a bucket, and for scans by bots of a ledger that runs the code of 1.1.0
 */
export async function exportScans(
  deps: Deps,
  context: WorkspaceContext,
  query: ExportQuery,
): Promise<AsyncIterable<Uint8Array>> {
  const { qrId, kind } = query;
  if (qrId !== undefined) await requireQr(deps, context, qrId, "shown");
  if (deps.files === undefined || kind !== "human") {
    const range = { ...rangeOf(deps, query), after: null };
    const sources = await deps.ledger(context.workspaceId).exportSources(range, deps.now());
    requireBots(kind, sources);
    requireReadable(deps, sources);
  }
  return leaseExport(deps, context, exportLines(deps, context, query));
}

function rangeOf(deps: Deps, query: ExportQuery): { from: number; until: number } {
  const { from = 0, until = Number.POSITIVE_INFINITY } = timesOf(query);
  return { from: Math.max(0, from), until: Math.min(until, deps.now() + 1) };
}

/** @throws internal (503) if scans are in files and no bucket is bound */
function requireReadable(deps: Deps, { files }: ExportSources): void {
  if (files.length > 0) requireFiles(deps, "Exports of archived scans", "Export a later range of days.");
}

async function* exportLines(
  deps: Deps,
  context: WorkspaceContext,
  query: ExportQuery,
): AsyncGenerator<string | Uint8Array> {
  const ledger = deps.ledger(context.workspaceId);
  const { qrId = null, format, kind } = query;
  const { from, until } = rangeOf(deps, query);
  // Decided once, because all lines have the columns of the first.
  let via: boolean | undefined;
  const position: Position = { after: null };
  for (let failures = 0; ; ) {
    const { after } = position;
    const sources = await ledger.exportSources({ from, until, after }, deps.now());
    if (via === undefined) {
      via = sources.via === true;
      const columns = exportColumns.filter((column) => via || column !== "via");
      if (format === "csv") yield csvRow(kind === "human" ? columns : [...columns, "botRule"]);
    }
    const range = { qrId, format, from: sources.from, until, after, via, kind };
    const archived = new ArchivedScans(deps.files, sources, range);
    try {
      if (yield* merged(ledger, range, sources, archived, position)) return;
    } catch (error) {
      failures = position.after === after ? failures + 1 : 1;
      if (!(error instanceof ArchiveUnreadable) || failures >= attempts) throw error;
    } finally {
      await archived.close();
    }
  }
}

/** How many times an export resumes from the same scan after a file could not be read, before it fails. */
const attempts = 3;

/** The export's progress: the id of the last scan, 32 hex digits. */
interface Position {
  after: string | null;
}

/**
 * Yields lines of the ledger and of files, by ascending id. @returns false if scans have moved and the rest must be
 * read again
 */
async function* merged(
  ledger: ReturnType<Deps["ledger"]>,
  range: ArchivedRange,
  { version, files }: ExportSources,
  archived: ArchivedScans,
  position: Position,
): AsyncGenerator<string | Uint8Array, boolean> {
  const indexed = files.length > 0;
  let page: ExportPage;
  do {
    page = await ledger.exportPage({ ...range, after: position.after, limit: streamPageSize, indexed });
    if (page.version !== version) return false;
    if (indexed) yield* mergedPage(page, archived, position);
    else if (page.lines.length > 0) yield page.lines;
    position.after = page.last;
  } while (page.more);
  for (let line = await archived.peek(); line !== null; line = await archived.peek()) {
    archived.take();
    position.after = line.digits;
    yield line.text;
  }
  return true;
}

/** Returns the lines of a page, merged with those of files up to the page's last scan. */
async function* mergedPage(
  { lines, ids, ends }: ExportPage,
  archived: ArchivedScans,
  position: Position,
): AsyncGenerator<string | Uint8Array> {
  let start = 0;
  for (const [i, id] of ids.entries()) {
    for (let line = await archived.peek(); line !== null && line.digits < id; line = await archived.peek()) {
      const end = ends[i - 1] ?? 0;
      if (end > start) yield lines.subarray(start, end);
      start = end;
      archived.take();
      position.after = line.digits;
      yield line.text;
    }
  }
  if (lines.length > start) yield lines.subarray(start);
}
