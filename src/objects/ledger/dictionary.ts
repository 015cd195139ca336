import { BoundedMap } from "../../lib/bounded-map.ts";
import { describeAgent } from "../../lib/text/user-agent.ts";
import type { ScanRecord } from "../../protocol/messages.ts";

/** References of each kind to hold in memory. */
const cachedReferences = 5000;

interface AgentRef {
  readonly ref: number;
  readonly device: string | null;
  readonly os: string | null;
  readonly bot: boolean;
}

/** Stores each code, user agent and place once, and gives it a small integer to refer to it. */
export class LedgerDictionary {
  readonly #sql: SqlStorage;
  readonly #codes = new BoundedMap<string, number>(cachedReferences);
  readonly #agents = new BoundedMap<string, AgentRef>(cachedReferences);
  readonly #places = new BoundedMap<string, number>(cachedReferences);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The reference of the scan's code. */
  code(scan: ScanRecord): number {
    const known = this.#codes.get(scan.qrId);
    if (known !== undefined) return known;
    // An update that changes nothing makes RETURNING yield the row that exists already.
    const { ref } = this.#sql
      .exec<{ ref: number }>(
        "INSERT INTO codes (qr_id, hash) VALUES (?, ?) ON CONFLICT (qr_id) DO UPDATE SET hash = hash RETURNING ref",
        scan.qrId,
        scan.hash,
      )
      .one();
    this.#codes.set(scan.qrId, ref);
    return ref;
  }

  /** The scan's user agent. It is parsed when it is first seen and stored with the result. */
  agent(scan: ScanRecord): AgentRef {
    const text = scan.userAgent ?? "";
    const known = this.#agents.get(text);
    if (known !== undefined) return known;
    const described = describeAgent(scan.userAgent);
    const row = this.#sql
      .exec<{ ref: number; device: string | null; os: string | null; bot: number }>(
        `INSERT INTO agents (user_agent, device, os, bot) VALUES (?, ?, ?, ?)
         ON CONFLICT (user_agent) DO UPDATE SET bot = bot RETURNING ref, device, os, bot`,
        text,
        described.device,
        described.os,
        described.bot ? 1 : 0,
      )
      .one();
    const entry = { ...row, bot: row.bot === 1 };
    this.#agents.set(text, entry);
    return entry;
  }

  /** The reference of the scan's place. */
  place(scan: ScanRecord): number {
    const country = scan.country ?? "";
    const city = scan.city ?? "";
    const text = `${country}\n${city}`;
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const { ref } = this.#sql
      .exec<{ ref: number }>(
        `INSERT INTO places (country, city) VALUES (?, ?)
         ON CONFLICT (country, city) DO UPDATE SET city = city RETURNING ref`,
        country,
        city,
      )
      .one();
    this.#places.set(text, ref);
    return ref;
  }
}
