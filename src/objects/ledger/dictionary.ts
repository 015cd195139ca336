import { BoundedMap } from "../../lib/bounded-map.ts";
import { type AgentFacts, describeAgent, summariseAgent } from "../../lib/text/user-agent.ts";
import { bounds } from "../../protocol/bounds.ts";
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

  /**
   * The user agent's reference. It is parsed when it is first seen and stored with the result. Once there are too many
   * different ones, a new one shares a reference with all of the same device, system and browser.
   */
  agent(userAgent: string | null): AgentRef {
    const text = (userAgent ?? "").slice(0, bounds.userAgentLength);
    const known = this.#agents.get(text);
    if (known !== undefined) return known;
    const described = describeAgent(text);
    const [row] = this.#sql
      .exec<AgentRow>("SELECT ref, device, os, bot FROM agents WHERE user_agent = ?", text)
      .toArray();
    const stored = row ?? this.#insertAgent(text, described);
    const agent = { ...stored, bot: stored.bot === 1 };
    this.#agents.set(text, agent);
    return agent;
  }

  #insertAgent(text: string, described: AgentFacts): AgentRow {
    return this.#sql
      .exec<AgentRow>(
        `INSERT INTO agents (user_agent, device, os, bot) VALUES (?, ?, ?, ?)
         ON CONFLICT (user_agent) DO UPDATE SET bot = bot RETURNING ref, device, os, bot`,
        this.#rows("agents") < bounds.userAgents ? text : summariseAgent(text, described),
        described.device,
        described.os,
        described.bot ? 1 : 0,
      )
      .one();
  }

  /** The place's reference. Once there are too many, new cities share a reference with all others of their country. */
  place({ country, city }: ScanPlace): PlaceRef {
    const key = `${country ?? ""}\n${city ?? ""}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const [row] = this.#sql
      .exec<PlaceRow>(
        "SELECT ref, city FROM places WHERE country = ? AND city = ?",
        country ?? "",
        city ?? "",
      )
      .toArray();
    const stored = row ?? this.#insertPlace(country ?? "", city ?? "");
    const place = { ref: stored.ref, country, city: stored.city || null };
    this.#places.set(key, place);
    return place;
  }

  #insertPlace(country: string, city: string): PlaceRow {
    const folded = city !== "" && this.#rows("places") >= bounds.places;
    return this.#sql
      .exec<PlaceRow>(
        `INSERT INTO places (country, city) VALUES (?, ?)
         ON CONFLICT (country, city) DO UPDATE SET city = city RETURNING ref, city`,
        country,
        folded ? otherCities : city,
      )
      .one();
  }

  /** The rows of a table. None is ever deleted, so that the last reference is their number. */
  #rows(table: "agents" | "places"): number {
    return this.#sql.exec<{ n: number }>(`SELECT coalesce(max(ref), 0) AS n FROM ${table}`).one().n;
  }
}

type AgentRow = { ref: number; device: string | null; os: string | null; bot: number };
type PlaceRow = { ref: number; city: string };

/** The city that stands for all others of a country. */
const otherCities = "(other)";
