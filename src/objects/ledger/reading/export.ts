import type { ExportFormat } from "../../../contract/resources/enums.ts";
import { BoundedMap } from "../../../lib/bounded-map.ts";
import { unknownRule } from "../../../lib/text/bot-rules.ts";
import { idFromHex, idsFrom, timeOfId } from "../../../lib/text/ids.ts";
import { scanColumns, scanLines } from "../../../lib/text/scan-lines.ts";
import { utf8Length } from "../../../lib/text/utf8.ts";
import { isoFormatter } from "../../../lib/time/calendar.ts";
import type {
  ExportPage,
  ExportRange,
  ExportRequest,
  ExportSources,
} from "../../../protocol/workspace-ledger.ts";
import type { LedgerArchiveFiles } from "../archive/archive-files.ts";
import { LedgerPart } from "../part.ts";
import type { RawHistory } from "../scans/raw-history.ts";
import { notErased } from "../scans/raw-scans.ts";
import type { ScanErasures } from "../scans/scan-erasures.ts";

type ExportedRow = { digits: string; code: number; agent: number; place: number; via: number; rule: number };

/** Scans by ascending id, complete up to their `last`, after which there may be more. */
interface ReadRows {
  readonly rows: readonly ExportedRow[];
  readonly last: string | null;
  readonly more: boolean;
}

/** The rule's reference in rows of human scans. */
const noRule = -1;

/** How many times as many scans by bots are examined as a page has, because they have no index by code. */
const examined = 10;

type FragmentKind = keyof typeof scanColumns;

/** How many rendered fragments of each format and kind are cached. */
const cachedFragments = 5000;

const newFragments = () => {
  const ofFormat = () => ({
    code: newMemory(),
    place: newMemory(),
    agent: newMemory(),
    via: newMemory(),
    botRule: newMemory(),
  });
  return { csv: ofFormat(), ndjson: ofFormat() };
};

/** Caches fragments by the reference of the value they render. */
const newMemory = () => new BoundedMap<number, string>(cachedFragments);

/**
 * Renders scans as lines. Codes, places, user agents and addresses are rendered once each and cached, so that a line
 * costs little more than its id and time.
 */
export class LedgerExport extends LedgerPart<{
  sql: SqlStorage;
  rawHistory: RawHistory;
  archiveFiles: LedgerArchiveFiles;
  scanErasures: ScanErasures;
}> {
  #fragments = newFragments();
  readonly #isoTime = isoFormatter();

  /** Drops cached fragments. Call it after deleting what they were rendered from. */
  clearMemory(): void {
    this.#fragments = newFragments();
  }

  /** Returns where the scans of a range are stored. @param now epoch milliseconds */
  sources({ from, until, after }: ExportRange, now: number): ExportSources {
    const kept = Math.max(from, this.parts.rawHistory.keptFrom(now));
    const first = idsFrom(kept);
    const files = this.parts.archiveFiles.overlapping(
      after !== null && after > first ? after : first,
      idsFrom(until),
    );
    return {
      version: this.parts.archiveFiles.version,
      files,
      from: kept,
      erased: this.parts.scanErasures.inFiles(),
      via: true,
      bots: true,
    };
  }

  /** Renders one page of scans, oldest first. */
  page(request: ExportRequest): ExportPage {
    const { rows, last, more } = this.#rows(request);
    let text = "";
    let bytes = 0;
    const ends: number[] = [];
    for (const row of rows) {
      const line = this.#line(request, row);
      text += line;
      if (!request.indexed) continue;
      bytes += utf8Length(line);
      ends.push(bytes);
    }
    return {
      lines: new TextEncoder().encode(text),
      last,
      more,
      ids: request.indexed ? rows.map(({ digits }) => digits) : [],
      ends,
      version: this.parts.archiveFiles.version,
    };
  }

  #rows(request: ExportRequest): ReadRows {
    const { kind = "human" } = request;
    if (kind !== "all") return kind === "human" ? this.#humans(request) : this.#bots(request);
    const both = [this.#humans(request), this.#bots(request)];
    const ends = both.flatMap(({ more, last }) => (more && last !== null ? [last] : [])).sort();
    const end = ends[0];
    const rows = both
      .flatMap((each) => each.rows)
      .filter(({ digits }) => end === undefined || digits <= end)
      .sort((a, b) => (a.digits < b.digits ? -1 : 1));
    return { rows, last: end ?? rows.at(-1)?.digits ?? request.after, more: end !== undefined };
  }

  #humans({ qrId, from, until, after, limit }: ExportRequest): ReadRows {
    const range = rangeAfter(after);
    // Not aliased as `id`, because ORDER BY would use the alias and each page would sort the rest of the table.
    const select = `SELECT lower(hex(id)) AS digits, code, agent, place, via, ${noRule} AS rule FROM scans s`;
    const ofCode = "INDEXED BY scans_by_code WHERE code = (SELECT ref FROM codes WHERE qr_id = ?) AND";
    const rows = this.parts.sql
      .exec<ExportedRow>(
        `${select} ${qrId === null ? "WHERE" : ofCode} ${range} AND ${notErased} ORDER BY id LIMIT ?`,
        ...(qrId === null ? [] : [qrId]),
        after ?? idsFrom(from),
        idsFrom(until),
        limit,
      )
      .toArray();
    return { rows, last: rows.at(-1)?.digits ?? after, more: rows.length === limit };
  }

  #bots({ qrId, from, until, after, limit }: ExportRequest): ReadRows {
    const most = qrId === null ? limit : limit * examined;
    const read = this.parts.sql
      .exec<ExportedRow & { shown: number }>(
        `SELECT lower(hex(id)) AS digits, code, agent, 0 AS place, 0 AS via, rule,
           (? IS NULL OR code = (SELECT ref FROM codes WHERE qr_id = ?)) AND ${notErased} AS shown
         FROM bot_scans s WHERE ${rangeAfter(after)} ORDER BY id LIMIT ?`,
        qrId,
        qrId,
        after ?? idsFrom(from),
        idsFrom(until),
        most,
      )
      .toArray();
    const shown = read.filter((row) => row.shown === 1);
    const rows = shown.slice(0, limit);
    const isCut = shown.length > limit;
    const last = (isCut ? rows : read).at(-1)?.digits ?? after;
    return { rows, last, more: isCut || read.length === most };
  }

  #line({ format, via, kind = "human" }: ExportRequest, row: ExportedRow): string {
    return scanLines[format].line(
      idFromHex(row.digits),
      this.#fragment(format, "code", row.code),
      this.#isoTime(timeOfId(row.digits)),
      this.#fragment(format, "place", row.place),
      this.#fragment(format, "agent", row.agent),
      via === true ? this.#fragment(format, "via", row.via) : null,
      kind === "human" ? null : this.#fragment(format, "botRule", row.rule),
    );
  }

  #fragment(format: ExportFormat, kind: FragmentKind, ref: number): string {
    const fragments = this.#fragments[format][kind];
    const cached = fragments.get(ref);
    if (cached !== undefined) return cached;
    const fragment = scanLines[format].fragment(scanColumns[kind], this.#values(kind, ref));
    fragments.set(ref, fragment);
    return fragment;
  }

  #values(kind: FragmentKind, ref: number): (string | null)[] {
    if (kind === "code") return this.#code(ref);
    if (kind === "via") return [this.#via(ref)];
    if (kind === "botRule") return [this.#botRule(ref)];
    return kind === "place" ? this.#place(ref) : this.#agent(ref);
  }

  #code(ref: number): (string | null)[] {
    const row = this.parts.sql
      .exec<{ qr_id: string; hash: string }>("SELECT qr_id, hash FROM codes WHERE ref = ?", ref)
      .one();
    return [row.qr_id, row.hash];
  }

  /** Returns a scan's country and city; a bot's has none. */
  #place(ref: number): (string | null)[] {
    if (ref === 0) return [null, null];
    const row = this.parts.sql
      .exec<{ country: string; city: string }>("SELECT country, city FROM places WHERE ref = ?", ref)
      .one();
    return [row.country || null, row.city || null];
  }

  #agent(ref: number): (string | null)[] {
    const row = this.parts.sql
      .exec<{ device: string; os: string; user_agent: string }>(
        "SELECT c.device, c.os, user_agent FROM agents a JOIN clients c ON c.ref = a.client WHERE a.ref = ?",
        ref,
      )
      .one();
    return [row.device || null, row.os || null, row.user_agent || null];
  }

  #via(ref: number): string | null {
    if (ref === 0) return null;
    const sql = "SELECT address FROM vias WHERE ref = ?";
    return this.parts.sql.exec<{ address: string }>(sql, ref).one().address;
  }

  #botRule(ref: number): string | null {
    if (ref === noRule) return null;
    const sql = "SELECT name FROM bot_rules WHERE ref = ?";
    return this.parts.sql.exec<{ name: string }>(sql, ref).toArray()[0]?.name ?? unknownRule;
  }
}

/** A condition on ids, by the id that they follow or, without one, by the first one. */
const rangeAfter = (after: string | null): string =>
  `id ${after === null ? ">=" : ">"} unhex(?) AND id < unhex(?)`;
