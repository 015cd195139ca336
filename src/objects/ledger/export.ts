import type { ExportFormat } from "../../contract/resources/enums.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { csvCell } from "../../lib/text/csv.ts";
import { idFromHex, idsFrom, timeOfId } from "../../lib/text/ids.ts";
import type { ExportPage, ExportRequest } from "../../protocol/workspace-ledger.ts";
import { isoTime } from "./times.ts";

type ScanRow = { digits: string; code: number; agent: number; place: number };

/** How a format writes a line: fragments of several columns each, and the line around them. */
interface Renderer {
  fragment(names: readonly string[], values: readonly (string | null)[]): string;
  line(id: string, code: string, at: string, place: string, agent: string): string;
}

const renderers: Record<ExportFormat, Renderer> = {
  csv: {
    fragment: (_, values) => values.map(csvCell).join(","),
    line: (id, code, at, place, agent) => `${id},${code},${at},${place},${agent}\r\n`,
  },
  ndjson: {
    fragment: (names, values) => names.map((name, i) => `"${name}":${JSON.stringify(values[i])}`).join(","),
    line: (id, code, at, place, agent) => `{"id":"${id}",${code},"scannedAt":"${at}",${place},${agent}}\n`,
  },
};

/** Rendered fragments to hold in memory. */
const cachedFragments = 10_000;

const encoder = new TextEncoder();

/**
 * Renders scans as lines. Codes, places and user agents are rendered once each and cached, so that a line costs little
 * more than its id and time.
 */
export class LedgerExport {
  readonly #sql: SqlStorage;
  readonly #fragments = new BoundedMap<string, string>(cachedFragments);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** One page of scans, oldest first. */
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
    // A scan's id begins with its time, so a range of times is a range of ids.
    const first = after ?? idsFrom(from);
    const range = `id ${after === null ? ">=" : ">"} unhex(?) AND id < unhex(?)`;
    // The alias is not `id`: ORDER BY would refer to the alias, and each page would sort the rest of the table.
    const select = "SELECT lower(hex(id)) AS digits, code, agent, place FROM scans";
    if (qrId === null) {
      return this.#sql
        .exec<ScanRow>(`${select} WHERE ${range} ORDER BY id LIMIT ?`, first, idsFrom(until), limit)
        .toArray();
    }
    return this.#sql
      .exec<ScanRow>(
        `${select} INDEXED BY scans_by_code
         WHERE code = (SELECT ref FROM codes WHERE qr_id = ?) AND ${range} ORDER BY id LIMIT ?`,
        qrId,
        first,
        idsFrom(until),
        limit,
      )
      .toArray();
  }

  #line(format: ExportFormat, row: ScanRow): string {
    const { fragment, line } = renderers[format];
    const id = idFromHex(row.digits);
    const code = this.#cached(`${format} code ${row.code}`, () =>
      fragment(["qrId", "hash"], this.#code(row.code)),
    );
    const place = this.#cached(`${format} place ${row.place}`, () =>
      fragment(["country", "city"], this.#place(row.place)),
    );
    const agent = this.#cached(`${format} agent ${row.agent}`, () =>
      fragment(["device", "os", "userAgent"], this.#agent(row.agent)),
    );
    return line(id, code, isoTime(timeOfId(id)), place, agent);
  }

  #cached(key: string, render: () => string): string {
    let fragment = this.#fragments.get(key);
    if (fragment === undefined) {
      fragment = render();
      this.#fragments.set(key, fragment);
    }
    return fragment;
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
      .exec<{ device: string; os: string; user_agent: string }>(
        "SELECT c.device, c.os, user_agent FROM agents a JOIN clients c ON c.ref = a.client WHERE a.ref = ?",
        ref,
      )
      .one();
    return [row.device || null, row.os || null, row.user_agent || null];
  }
}
