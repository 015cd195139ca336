import type { ExportFormat } from "../../contract/resources/enums.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { csvCell } from "../../lib/text/csv.ts";
import { idFromHex, idsFrom, timeOfId } from "../../lib/text/ids.ts";

export interface ExportRequest {
  /** Scans of this code alone; null for all. */
  readonly qrId: string | null;
  readonly format: ExportFormat;
  /** Times of scans, epoch milliseconds: from, included, and until, left out. */
  readonly from: number;
  readonly until: number;
  /** Where the page before ended. */
  readonly after: string | null;
  readonly limit: number;
}

export interface ExportPage {
  /** Whole lines, as UTF-8: bytes cross from object to Worker cheaper than text, and need no room on its heap. */
  readonly lines: Uint8Array;
  /** Where the next page goes on. */
  readonly last: string | null;
  readonly more: boolean;
}

type ScanRow = { digits: string; code: number; agent: number; place: number };

/** How a format writes what a scan refers to, and the line around it. */
interface Renderer {
  members(names: readonly string[], values: readonly (string | null)[]): string;
  line(id: string, code: string, at: string, place: string, agent: string): string;
}

const renderers: Record<ExportFormat, Renderer> = {
  csv: {
    members: (_, values) => values.map(csvCell).join(","),
    line: (id, code, at, place, agent) => `${id},${code},${at},${place},${agent}\r\n`,
  },
  ndjson: {
    members: (names, values) => names.map((name, i) => `"${name}":${JSON.stringify(values[i])}`).join(","),
    line: (id, code, at, place, agent) => `{"id":"${id}",${code},"scannedAt":"${at}",${place},${agent}}\n`,
  },
};

/** Rendered pieces of a kind that are kept. */
const kept = 10_000;

const encoder = new TextEncoder();

/**
 * Renders scans as lines. What a scan refers to (its code, place and user agent) is rendered once and kept, so a
 * line costs little more than its id and time.
 */
export class LedgerExport {
  readonly #sql: SqlStorage;
  readonly #pieces = new BoundedMap<string, string>(kept);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  page(request: ExportRequest): ExportPage {
    const rows = this.#rows(request);
    let text = "";
    for (const row of rows) text += this.#line(request.format, row);
    return {
      lines: encoder.encode(text),
      last: rows.at(-1)?.digits ?? request.after,
      more: rows.length === request.limit,
    };
  }

  #rows({ qrId, from, until, after, limit }: ExportRequest): ScanRow[] {
    // A scan's id begins with its time, so the order and the range of ids are those of time.
    const begin = after ?? idsFrom(from);
    const range = `id ${after === null ? ">=" : ">"} unhex(?) AND id < unhex(?)`;
    // Not "AS id": ORDER BY would mean that one, and sort all that is left of the table for every page.
    const select = "SELECT lower(hex(id)) AS digits, code, agent, place FROM scans";
    if (qrId === null) {
      return this.#sql
        .exec<ScanRow>(`${select} WHERE ${range} ORDER BY id LIMIT ?`, begin, idsFrom(until), limit)
        .toArray();
    }
    return this.#sql
      .exec<ScanRow>(
        `${select} INDEXED BY scans_by_code
         WHERE code = (SELECT ref FROM codes WHERE qr_id = ?) AND ${range} ORDER BY id LIMIT ?`,
        qrId,
        begin,
        idsFrom(until),
        limit,
      )
      .toArray();
  }

  #line(format: ExportFormat, row: ScanRow): string {
    const { members, line } = renderers[format];
    const id = idFromHex(row.digits);
    const at = new Date(timeOfId(id)).toISOString();
    const code = this.#piece(`${format} code`, row.code, () =>
      members(["qrId", "hash"], this.#code(row.code)),
    );
    const place = this.#piece(`${format} place`, row.place, () =>
      members(["country", "city"], this.#place(row.place)),
    );
    const agent = this.#piece(`${format} agent`, row.agent, () =>
      members(["device", "os", "userAgent"], this.#agent(row.agent)),
    );
    return line(id, code, at, place, agent);
  }

  #piece(kind: string, ref: number, render: () => string): string {
    const key = `${kind} ${ref}`;
    let piece = this.#pieces.get(key);
    if (piece === undefined) {
      piece = render();
      this.#pieces.set(key, piece);
    }
    return piece;
  }

  #code(ref: number): (string | null)[] {
    const row = this.#sql
      .exec<{ qr_id: string; hash: string }>("SELECT qr_id, hash FROM codes WHERE ref = ?", ref)
      .one();
    return [row.qr_id, row.hash];
  }

  #place(ref: number): (string | null)[] {
    const row = this.#sql
      .exec<{ country: string; city: string }>("SELECT country, city FROM places WHERE ref = ?", ref)
      .one();
    return [row.country || null, row.city || null];
  }

  #agent(ref: number): (string | null)[] {
    const row = this.#sql
      .exec<{ device: string | null; os: string | null; user_agent: string }>(
        "SELECT device, os, user_agent FROM agents WHERE ref = ?",
        ref,
      )
      .one();
    return [row.device, row.os, row.user_agent || null];
  }
}
