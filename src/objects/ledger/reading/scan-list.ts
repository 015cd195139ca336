import type { ScanKind } from "../../../contract/resources/scans/scan-filters.ts";
import type { ScanEvent } from "../../../contract/resources/scans/scans.ts";
import { unknownRule } from "../../../lib/text/bot-rules.ts";
import { idFromHex, idsFrom, idToHex, timeOfId } from "../../../lib/text/ids.ts";
import type { RecentScans } from "../../../protocol/analytics.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { ScanFilter, ScanPage } from "../../../protocol/workspace-ledger.ts";
import type { LedgerArchiveFiles } from "../archive/archive-files.ts";
import { LedgerPart } from "../part.ts";
import type { RawHistory } from "../scans/raw-history.ts";
import { notErased } from "../scans/raw-scans.ts";
import { isoTime } from "../times.ts";

const noFilter: ScanFilter = {
  after: null,
  from: 0,
  until: Number.POSITIVE_INFINITY,
  country: null,
  device: null,
  os: null,
  browser: null,
  kind: "human",
};

/** Higher than any id. */
const afterAllIds = "ff".repeat(16);

/** Reads recorded scans. */
export class LedgerScanList extends LedgerPart<{
  sql: SqlStorage;
  rawHistory: RawHistory;
  archiveFiles: LedgerArchiveFiles;
}> {
  /**
   * The time from which all of a code's scans are listed, epoch milliseconds: older ones may have been archived or
   * deleted. Null if all are listed.
   * @param storedFrom raw scans from before were erased but are still counted
   */
  #completeFrom(storedFrom: number): number | null {
    return Math.max(this.parts.rawHistory.rawSince, this.parts.archiveFiles.latestEnd, storedFrom) || null;
  }

  /**
   * Returns a code's statistics and a page of its scans, newest first. Reads at most `bounds.listedScans` scans, so a
   * page whose filter matches few may be short; `next` continues after the last scan read.
   * @param limit maximum number of scans
   */
  page(qrId: string, limit: number, filter: ScanFilter = noFilter): Omit<ScanPage, "latest"> {
    const code = this.parts.sql
      .exec<CodeTotalsRow>(
        "SELECT ref, scans, visitors, counted_from, stored_from FROM codes WHERE qr_id = ?",
        qrId,
      )
      .toArray()[0];
    if (code === undefined) {
      const completeFrom = this.#completeFrom(0);
      return { stats: { total: 0, uniqueVisitors: 0 }, events: [], next: null, completeFrom, bots: true };
    }
    const { ref, scans, visitors, counted_from, stored_from } = code;
    const from = Math.max(filter.from, stored_from);
    return {
      stats: { total: scans, uniqueVisitors: visitors },
      ...this.#read(ref, qrId, limit, { ...filter, from }),
      completeFrom: this.#completeFrom(stored_from > counted_from ? stored_from : 0),
      bots: true,
    };
  }

  /** Returns the last scans that the page of a code shows. */
  last(qrId: string): Pick<RecentScans, "events" | "lastScanAt"> {
    const { events } = this.page(qrId, bounds.activityScans);
    return { events, lastScanAt: events[0]?.scannedAt ?? null };
  }

  #read(code: number, qrId: string, limit: number, filter: ScanFilter): Pick<ScanPage, "events" | "next"> {
    const events: ScanEvent[] = [];
    let read = 0;
    let last: string | null = null;
    const { kind = "human" } = filter;
    for (const row of this.#rows(code, filter, kind)) {
      // This scan shows that there is another page.
      if (events.length === limit || read === bounds.listedScans) return { events, next: last };
      read += 1;
      last = idFromHex(row.id);
      if (row.code !== code || !matches(row, filter)) continue;
      const { rule } = row;
      events.push({ ...presentScan(row, qrId), ...(kind !== "human" && { botRule: rule }) });
    }
    return { events, next: null };
  }

  /**
   * Yields a code's scans in a time range, newest first. Rows are read lazily. Scans by bots, which have no index by code,
   * are those of all codes.
   */
  #rows(code: number, { after, from, until }: ScanFilter, kind: ScanKind): Iterable<ListedRow> {
    const end = Number.isFinite(until) ? idsFrom(until) : afterAllIds;
    const before = (after === null ? end : [idToHex(after).toLowerCase(), end].sort()[0]) ?? end;
    const since = idsFrom(Math.max(0, from));
    if (kind === "human") return this.#humans(code, since, before);
    const bots = this.#bots(since, before);
    return kind === "bot" ? bots : newestFirst(this.#humans(code, since, before), bots);
  }

  #humans(code: number, since: string, before: string): Iterable<ListedRow> {
    return this.parts.sql.exec<ListedRow>(
      `SELECT hex(s.id) AS id, s.code, p.country, p.city, c.device, c.os, c.browser, a.user_agent, v.address AS via,
         NULL AS rule
       FROM scans s INDEXED BY scans_by_code CROSS JOIN agents a ON a.ref = s.agent
         CROSS JOIN clients c ON c.ref = a.client CROSS JOIN places p ON p.ref = s.place
         LEFT JOIN vias v ON v.ref = s.via
       WHERE s.code = ? AND s.id >= unhex(?) AND s.id < unhex(?) ORDER BY s.id DESC`,
      code,
      since,
      before,
    );
  }

  #bots(since: string, before: string): Iterable<ListedRow> {
    return this.parts.sql.exec<ListedRow>(
      `SELECT hex(s.id) AS id, s.code, '' AS country, '' AS city, c.device, c.os, c.browser, a.user_agent, NULL AS via,
         coalesce(b.name, ?) AS rule
       FROM bot_scans s CROSS JOIN agents a ON a.ref = s.agent CROSS JOIN clients c ON c.ref = a.client
         LEFT JOIN bot_rules b ON b.ref = s.rule
       WHERE s.id >= unhex(?) AND s.id < unhex(?) ORDER BY s.id DESC`,
      unknownRule,
      since,
      before,
    );
  }

  /** Returns recorded scans by id, 32 hex digits each. Omits those that are not stored. */
  byIds(ids: readonly string[]): Map<string, ScanEvent> {
    const rows = this.parts.sql.exec<ShownScanRow & { qr_id: string }>(
      `SELECT lower(hex(s.id)) AS id, k.qr_id, p.country, p.city, c.device, c.os, a.user_agent, v.address AS via
       FROM json_each(?) wanted CROSS JOIN scans s ON s.id = unhex(wanted.value)
         CROSS JOIN codes k ON k.ref = s.code CROSS JOIN agents a ON a.ref = s.agent
         CROSS JOIN clients c ON c.ref = a.client CROSS JOIN places p ON p.ref = s.place
         LEFT JOIN vias v ON v.ref = s.via
       WHERE ${notErased}`,
      JSON.stringify(ids),
    );
    return new Map(rows.toArray().map((row) => [row.id, presentScan(row, row.qr_id)]));
  }
}

type CodeTotalsRow = {
  ref: number;
  scans: number;
  visitors: number;
  counted_from: number;
  stored_from: number;
};

type ShownScanRow = {
  id: string;
  country: string;
  city: string;
  device: string;
  os: string;
  user_agent: string;
  via: string | null;
};

type ListedRow = ShownScanRow & { code: number; browser: string; rule: string | null };

/** Merges two lists of scans, each newest first. */
function* newestFirst(a: Iterable<ListedRow>, b: Iterable<ListedRow>): Generator<ListedRow> {
  const [own, others] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  let [first, second] = [own.next(), others.next()];
  while (first.done !== true || second.done !== true) {
    if (second.done === true || (first.done !== true && first.value.id > second.value.id)) {
      yield first.value;
      first = own.next();
    } else {
      yield second.value;
      second = others.next();
    }
  }
}

function matches(row: ListedRow, { country, device, os, browser }: ScanFilter): boolean {
  return (
    (country === null || row.country === country) &&
    (device === null || row.device === device) &&
    (os === null || row.os.toLowerCase() === os) &&
    (browser === null || row.browser.toLowerCase() === browser)
  );
}

function presentScan(row: ShownScanRow, qrId: string): ScanEvent {
  const id = idFromHex(row.id);
  return {
    id,
    qrId,
    scannedAt: isoTime(timeOfId(id)),
    country: row.country || null,
    city: row.city || null,
    device: row.device || null,
    os: row.os || null,
    userAgent: row.user_agent || null,
    via: row.via,
  };
}
