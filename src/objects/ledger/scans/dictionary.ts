import { BoundedMap } from "../../../lib/bounded-map.ts";
import { agentRuleOf, type BotRule } from "../../../lib/text/bot-rules.ts";
import { idsFrom } from "../../../lib/text/ids.ts";
import { type AgentFacts, describeAgent, summariseAgent } from "../../../lib/text/user-agent.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { ScannedCode, ScanPlace } from "../../../protocol/messages.ts";
import { EntryAllowance } from "./dictionary-entries.ts";

/** How many references of each kind are cached. */
const cachedReferences = 5000;

/** A code with its reference. */
export interface CodeRef extends ScannedCode {
  readonly ref: number;
  /** Ids, 32 hex digits. Scans below the first were erased with their sums, scans below the second as raw scans. */
  readonly countedFrom: string;
  readonly storedFrom: string;
  /** Whether a person has scanned it. */
  isScanned: boolean;
}

/** A user agent with its reference and the client it describes. */
export interface AgentRef {
  readonly ref: number;
  /** The reference of device, system and browser. */
  readonly client: number;
  readonly device: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  /** The rule of today by which it is a bot's, whichever version stored it; null for a person's. */
  readonly botRule: BotRule | null;
}

/** A place with its reference. */
export interface PlaceRef extends ScanPlace {
  readonly ref: number;
}

/**
 * Stores each code, user agent, place, referrer and `via` once, and gives it a small integer reference. An instance
 * serves one day: a value that shares an entry because there were too many may get its own entry the next day.
 */
export class LedgerDictionary {
  readonly day: number;
  readonly #sql: SqlStorage;
  readonly #allowance: EntryAllowance;
  readonly #codes = new BoundedMap<string, CodeRef>(cachedReferences);
  readonly #agents = new BoundedMap<string, AgentRef>(cachedReferences);
  readonly #places = new BoundedMap<string, PlaceRef>(cachedReferences);
  readonly #referrers = new BoundedMap<string, number>(cachedReferences);
  readonly #vias = new BoundedMap<string, number>(cachedReferences);
  readonly #botRules = new Map<BotRule, number>();

  /** @param day since the epoch, UTC */
  constructor(storage: DurableObjectStorage, day: number) {
    this.#sql = storage.sql;
    this.#allowance = new EntryAllowance(storage, day);
    this.day = day;
  }

  /** Returns the code's reference. */
  code({ qrId, hash }: ScannedCode): CodeRef {
    const known = this.#codes.get(qrId);
    if (known !== undefined) return known;
    const [row] = this.#sql
      .exec<CodeRow>("SELECT ref, counted_from, stored_from, scans FROM codes WHERE qr_id = ?", qrId)
      .toArray();
    const { ref, counted_from, stored_from, scans } = row ?? this.#insertCode(qrId, hash);
    const code = {
      ref,
      qrId,
      hash,
      countedFrom: idsFrom(counted_from),
      storedFrom: idsFrom(stored_from),
      isScanned: scans > 0,
    };
    this.#codes.set(qrId, code);
    return code;
  }

  #insertCode(qrId: string, hash: string): CodeRow {
    return this.#sql
      .exec<CodeRow>(
        "INSERT INTO codes (qr_id, hash) VALUES (?, ?) RETURNING ref, counted_from, stored_from, scans",
        qrId,
        hash,
      )
      .one();
  }

  /**
   * Returns the user agent's reference. A user agent is parsed when first seen and stored with the result. Beyond the
   * limit, a new one shares a reference with all others of the same device, system and browser.
   * @param isStored false if the scan is only counted; a new user agent is then not stored either
   */
  agent(userAgent: string | null, isStored: boolean): AgentRef {
    const text = (userAgent ?? "").slice(0, bounds.userAgentLength);
    const known = this.#agents.get(text);
    if (known !== undefined) return known;
    const botRule = agentRuleOf(text);
    const row = this.#findAgent(text) ?? this.#insertAgent(text, botRule !== null, isStored);
    const agent = {
      ref: row.ref,
      client: row.client,
      device: row.device || null,
      os: row.os || null,
      browser: row.browser || null,
      botRule,
    };
    if (isStored) this.#agents.set(text, agent);
    return agent;
  }

  #findAgent(text: string): AgentRow | undefined {
    return this.#sql
      .exec<AgentRow>(
        `SELECT a.ref, a.client, c.device, c.os, c.browser FROM agents a JOIN clients c ON c.ref = a.client
         WHERE a.user_agent = ?`,
        text,
      )
      .toArray()[0];
  }

  #insertAgent(text: string, isBot: boolean, isStored: boolean): AgentRow {
    const facts = describeAgent(text);
    const stored = isStored && this.#allowance.take("agents") ? text : summariseAgent(facts, isBot);
    const client = this.#client(facts);
    const { ref } = this.#sql
      .exec<Ref>(
        `INSERT INTO agents (user_agent, client, bot, day) VALUES (?, ?, ?, ?)
         ON CONFLICT (user_agent) DO UPDATE SET bot = bot RETURNING ref`,
        stored,
        client,
        isBot ? 1 : 0,
        this.day,
      )
      .one();
    return { ref, client, device: facts.device ?? "", os: facts.os ?? "", browser: facts.browser ?? "" };
  }

  /** Returns the reference of a device, system and browser. There are few, because only known names occur. */
  #client({ device, os, browser }: AgentFacts): number {
    return this.#sql
      .exec<Ref>(
        `INSERT INTO clients (device, os, browser) VALUES (?, ?, ?)
         ON CONFLICT (device, os, browser) DO UPDATE SET os = os RETURNING ref`,
        device ?? "",
        os ?? "",
        browser ?? "",
      )
      .one().ref;
  }

  /** Returns the place's reference. Beyond the limit, new cities of a country share one. */
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
    const folded = city !== "" && !this.#allowance.take("places");
    return this.#sql
      .exec<PlaceRow>(
        `INSERT INTO places (country, city, day) VALUES (?, ?, ?)
         ON CONFLICT (country, city) DO UPDATE SET city = city RETURNING ref, city`,
        country,
        folded ? others : city,
        this.day,
      )
      .one();
  }

  /** Returns the reference of a referrer's host; 0 for none. Beyond the limit, new hosts share one. */
  referrer(host: string | null): number {
    if (host === null) return 0;
    const known = this.#referrers.get(host);
    if (known !== undefined) return known;
    const [row] = this.#sql.exec<Ref>("SELECT ref FROM referrers WHERE host = ?", host).toArray();
    const ref = row?.ref ?? this.#insertReferrer(host);
    this.#referrers.set(host, ref);
    return ref;
  }

  #insertReferrer(host: string): number {
    return this.#sql
      .exec<Ref>(
        "INSERT INTO referrers (host, day) VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET host = host RETURNING ref",
        this.#allowance.take("referrers") ? host : others,
        this.day,
      )
      .one().ref;
  }

  /** Returns the reference of a scan's `via`; 0 for the scan origin. Beyond the limit, new ones share one. */
  via(address: string | null): number {
    if (address === null) return 0;
    const known = this.#vias.get(address);
    if (known !== undefined) return known;
    const [row] = this.#sql.exec<Ref>("SELECT ref FROM vias WHERE address = ?", address).toArray();
    const ref = row?.ref ?? this.#insertVia(address);
    this.#vias.set(address, ref);
    return ref;
  }

  /** Returns the rule's reference. */
  botRule(name: BotRule): number {
    const known = this.#botRules.get(name);
    if (known !== undefined) return known;
    const { ref } = this.#sql
      .exec<Ref>(
        "INSERT INTO bot_rules (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = name RETURNING ref",
        name,
      )
      .one();
    this.#botRules.set(name, ref);
    return ref;
  }

  #insertVia(address: string): number {
    return this.#sql
      .exec<Ref>(
        `INSERT INTO vias (address, day) VALUES (?, ?)
         ON CONFLICT (address) DO UPDATE SET address = address RETURNING ref`,
        this.#allowance.take("vias") ? address : others,
        this.day,
      )
      .one().ref;
  }
}

type Ref = { ref: number };
type CodeRow = Ref & { counted_from: number; stored_from: number; scans: number };
type AgentRow = { ref: number; client: number; device: string; os: string; browser: string };
type PlaceRow = { ref: number; city: string };

/** Stands for all other cities of a country, all other referrers, and all other addresses. */
const others = "(other)";
