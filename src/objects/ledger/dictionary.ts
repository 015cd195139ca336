import type { ScanRecord } from "../../protocol/messages.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { describeAgent } from "../../lib/text/user-agent.ts";

/** Dictionary entries of one kind that are remembered between messages. */
const remembered = 5000;

interface AgentRef {
  readonly ref: number;
  readonly device: string | null;
  readonly os: string | null;
  readonly bot: boolean;
}

/** Gives codes, user agents and places their small references, writing each once. */
export class LedgerDictionary {
  readonly #sql: SqlStorage;
  readonly #codes = new BoundedMap<string, number>(remembered);
  readonly #agents = new BoundedMap<string, AgentRef>(remembered);
  readonly #places = new BoundedMap<string, number>(remembered);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  code(scan: ScanRecord): number {
    const known = this.#codes.get(scan.qrId);
    if (known !== undefined) return known;
    // The update that changes nothing makes RETURNING answer for a row that was there already.
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

  /** A user agent is parsed once in its workspace's life: here, when it is first seen. */
  agent(scan: ScanRecord): AgentRef {
    const text = scan.userAgent ?? "";
    const known = this.#agents.get(text);
    if (known !== undefined) return known;
    const facts = describeAgent(scan.userAgent);
    const row = this.#sql
      .exec<{ ref: number; device: string | null; os: string | null; bot: number }>(
        `INSERT INTO agents (user_agent, device, os, bot) VALUES (?, ?, ?, ?)
         ON CONFLICT (user_agent) DO UPDATE SET bot = bot RETURNING ref, device, os, bot`,
        text,
        facts.device,
        facts.os,
        facts.bot ? 1 : 0,
      )
      .one();
    const entry = { ...row, bot: row.bot === 1 };
    this.#agents.set(text, entry);
    return entry;
  }

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
