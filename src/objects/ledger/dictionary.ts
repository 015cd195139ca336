import { BoundedMap } from "../../lib/bounded-map.ts";
import { describeAgent } from "../../lib/text/user-agent.ts";
import type { ScannedCode, ScanPlace } from "../../protocol/messages.ts";

/** References of each kind to hold in memory. */
const cachedReferences = 5000;

/** A code with its reference. */
export interface CodeRef extends ScannedCode {
  readonly ref: number;
}

/** A user agent with its reference and what it says of the client. */
export interface AgentRef {
  readonly ref: number;
  readonly device: string | null;
  readonly os: string | null;
  readonly bot: boolean;
}

/** A place with its reference. */
export interface PlaceRef extends ScanPlace {
  readonly ref: number;
}

/** Stores each code, user agent and place once, and gives it a small integer to refer to it. */
export class LedgerDictionary {
  readonly #sql: SqlStorage;
  readonly #codes = new BoundedMap<string, CodeRef>(cachedReferences);
  readonly #agents = new BoundedMap<string, AgentRef>(cachedReferences);
  readonly #places = new BoundedMap<string, PlaceRef>(cachedReferences);

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The code's reference. */
  code({ qrId, hash }: ScannedCode): CodeRef {
    const known = this.#codes.get(qrId);
    if (known !== undefined) return known;
    // An update that changes nothing makes RETURNING yield the row that exists already.
    const { ref } = this.#sql
      .exec<{ ref: number }>(
        "INSERT INTO codes (qr_id, hash) VALUES (?, ?) ON CONFLICT (qr_id) DO UPDATE SET hash = hash RETURNING ref",
        qrId,
        hash,
      )
      .one();
    const code = { ref, qrId, hash };
    this.#codes.set(qrId, code);
    return code;
  }

  /** The user agent's reference. It is parsed when it is first seen and stored with the result. */
  agent(userAgent: string | null): AgentRef {
    const text = userAgent ?? "";
    const known = this.#agents.get(text);
    if (known !== undefined) return known;
    const described = describeAgent(userAgent);
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
    const agent = { ...row, bot: row.bot === 1 };
    this.#agents.set(text, agent);
    return agent;
  }

  /** The place's reference. */
  place({ country, city }: ScanPlace): PlaceRef {
    const key = `${country ?? ""}\n${city ?? ""}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const { ref } = this.#sql
      .exec<{ ref: number }>(
        `INSERT INTO places (country, city) VALUES (?, ?)
         ON CONFLICT (country, city) DO UPDATE SET city = city RETURNING ref`,
        country ?? "",
        city ?? "",
      )
      .one();
    const place = { ref, country, city };
    this.#places.set(key, place);
    return place;
  }
}
