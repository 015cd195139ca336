import type { ScanRecord } from "../../protocol/messages.ts";
import type { ScanEvent, ScanListResponse } from "../../contract/resources/scans.ts";
import { idFromHex, idToHex, timeOfId } from "../../lib/text/ids.ts";
import { LedgerDictionary } from "./dictionary.ts";
import { Tallies, type Tally } from "./daily-totals.ts";

/** A scan that was written down, with what its user agent told. */
export interface RecordedScan {
  readonly scan: ScanRecord;
  readonly device: string | null;
  readonly os: string | null;
}

/** A scan by a person, with references in place of what the dictionary holds. */
interface Person {
  readonly code: number;
  readonly agent: number;
  readonly place: number;
  readonly visitor: string;
  readonly recorded: RecordedScan;
}

/** The scans themselves, who came, and the sums over them. */
export class LedgerScans {
  readonly #sql: SqlStorage;
  #dictionary: LedgerDictionary;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#dictionary = new LedgerDictionary(sql);
  }

  /** To be called when what was recorded was rolled back: it may have given out references. */
  forget(): void {
    this.#dictionary = new LedgerDictionary(this.#sql);
  }

  /** Writes scans down. A scan that is there already (same id) changes nothing. @returns those by people that were new */
  record(scans: readonly ScanRecord[]): RecordedScan[] {
    const people = new Map<string, Person>();
    const machines = new Map<string, { code: number; agent: number }>();
    for (const scan of scans) {
      const id = idToHex(scan.id);
      const code = this.#dictionary.code(scan);
      const agent = this.#dictionary.agent(scan);
      if (agent.bot || scan.prefetch) machines.set(id, { code, agent: agent.ref });
      else
        people.set(id, {
          code,
          agent: agent.ref,
          recorded: { scan, device: agent.device, os: agent.os },
          place: this.#dictionary.place(scan),
          visitor: scan.visitor,
        });
    }

    const tallies = new Tallies();
    const arrived = this.#insertPeople(people);
    for (const id of arrived) tallies.of(people.get(id), id).scans += 1;
    for (const { code, id } of this.#meet(people, arrived)) tallies.of({ code }, id).newVisitors += 1;
    for (const id of this.#insertMachines(machines)) tallies.of(machines.get(id), id).machineScans += 1;
    this.#addUp(tallies.all());
    return arrived.flatMap((id) => people.get(id)?.recorded ?? []);
  }

  #insertPeople(people: ReadonlyMap<string, Person>): string[] {
    return this.#insertNew(
      `INSERT INTO scans (id, code, agent, place)
       SELECT unhex(value->>0), value->>1, value->>2, value->>3`,
      [...people].map(([id, scan]) => [id, scan.code, scan.agent, scan.place]),
    );
  }

  #insertMachines(machines: ReadonlyMap<string, { code: number; agent: number }>): string[] {
    return this.#insertNew(
      "INSERT INTO machine_scans (id, code, agent) SELECT unhex(value->>0), value->>1, value->>2",
      [...machines].map(([id, scan]) => [id, scan.code, scan.agent]),
    );
  }

  /** Inserts rows that begin with a scan's id. @returns ids (hex) of the scans that were new */
  #insertNew(insertSelect: string, rows: readonly (readonly (string | number)[])[]): string[] {
    if (rows.length === 0) return [];
    return this.#sql
      .exec<{ id: string }>(
        `${insertSelect} FROM json_each(?) WHERE true
         ON CONFLICT (id) DO NOTHING RETURNING lower(hex(id)) AS id`,
        JSON.stringify(rows),
      )
      .toArray()
      .map((row) => row.id);
  }

  /** Notes who came. @returns one scan (hex id) for each visitor who is new to the code */
  #meet(people: ReadonlyMap<string, Person>, arrived: readonly string[]): { code: number; id: string }[] {
    // The first scan of each pair stands for the visitor.
    const visits = new Map<string, { code: number; visitor: string; id: string }>();
    for (const id of arrived) {
      const person = people.get(id);
      if (person === undefined) continue;
      const key = `${person.code}/${person.visitor}`;
      if (!visits.has(key)) visits.set(key, { code: person.code, visitor: person.visitor, id });
    }
    if (visits.size === 0) return [];
    return this.#sql
      .exec<{ code: number; visitor: string }>(
        `INSERT INTO visitors (code, visitor)
         SELECT value->>0, unhex(value->>1) FROM json_each(?) WHERE true
         ON CONFLICT (code, visitor) DO NOTHING RETURNING code, lower(hex(visitor)) AS visitor`,
        JSON.stringify([...visits.values()].map(({ code, visitor }) => [code, visitor])),
      )
      .toArray()
      .flatMap(({ code, visitor }) => visits.get(`${code}/${visitor}`) ?? []);
  }

  #addUp(tallies: readonly Tally[]): void {
    if (tallies.length === 0) return;
    const rows = tallies.map((tally) => [
      tally.code,
      tally.day,
      tally.scans,
      tally.newVisitors,
      tally.machineScans,
    ]);
    this.#sql.exec(
      `INSERT INTO days (code, day, scans, new_visitors, machine_scans)
       SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each(?) WHERE true
       ON CONFLICT (code, day) DO UPDATE SET scans = scans + excluded.scans,
         new_visitors = new_visitors + excluded.new_visitors,
         machine_scans = machine_scans + excluded.machine_scans`,
      JSON.stringify(rows),
    );
    this.#sql.exec(
      `UPDATE codes SET scans = scans + more_scans, visitors = visitors + more_visitors
       FROM (SELECT value->>0 AS code, sum(value->>2) AS more_scans,
               sum(value->>3) AS more_visitors FROM json_each(?) GROUP BY 1) t
       WHERE codes.ref = t.code`,
      JSON.stringify(rows),
    );
  }

  /** Scans in all. Reads one row a code. */
  count(): number {
    return this.#sql.exec<{ scans: number }>("SELECT coalesce(sum(scans), 0) AS scans FROM codes").one()
      .scans;
  }

  /**
   * Statistics and the newest scans of one code. Costs the same at a hundred scans and at a million.
   * @param limit scans at most
   */
  of(qrId: string, limit: number): ScanListResponse {
    const code = this.#sql
      .exec<{ ref: number; scans: number; visitors: number }>(
        "SELECT ref, scans, visitors FROM codes WHERE qr_id = ?",
        qrId,
      )
      .toArray()[0];
    if (code === undefined) return { stats: { total: 0, uniqueVisitors: 0 }, events: [] };
    const events = this.#sql
      .exec<ScanRow>(
        `SELECT hex(s.id) AS id, p.country, p.city, a.device, a.os, a.user_agent
         FROM scans s INDEXED BY scans_by_code JOIN agents a ON a.ref = s.agent JOIN places p ON p.ref = s.place
         WHERE s.code = ? ORDER BY s.id DESC LIMIT ?`,
        code.ref,
        limit,
      )
      .toArray()
      .map((row) => presentScan(row, qrId));
    return { stats: { total: code.scans, uniqueVisitors: code.visitors }, events };
  }
}

type ScanRow = {
  id: string;
  country: string;
  city: string;
  device: string | null;
  os: string | null;
  user_agent: string;
};

function presentScan(row: ScanRow, qrId: string): ScanEvent {
  const id = idFromHex(row.id);
  return {
    id,
    qrId,
    scannedAt: new Date(timeOfId(id)).toISOString(),
    country: row.country || null,
    city: row.city || null,
    device: row.device,
    os: row.os,
    userAgent: row.user_agent || null,
  };
}
