import { idsFrom, idToHex } from "../../../lib/text/ids.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import type { ScanBatch, ScannedCode, ScanPlace } from "../../../protocol/messages.ts";
import { LedgerPart } from "../part.ts";
import { type AgentRef, type CodeRef, LedgerDictionary, type PlaceRef } from "./dictionary.ts";

/** A scan by a bot, or a prefetch. */
export interface BotScan {
  /** 32 hex digits. */
  readonly id: string;
  readonly code: CodeRef;
  readonly agent: AgentRef;
  /** The reference of the rule by which it is one; 0 if the scan is only counted. */
  readonly rule: number;
}

/** Whether raw rows and each code's visitors are stored besides counts. */
export interface Kept {
  readonly rows: boolean;
  readonly visitors: boolean;
}

const minute = 60_000;
/**
 * How long, in milliseconds, repeated scans are recognised by a full ledger, and by one that only has its reserve left.
 */
const idRetention = 24 * 60 * minute;
const shortIdRetention = 10 * minute;
/** How many ids are removed with each message: more than a message has, so that old ids can't accumulate. */
const idsRemovedAtOnce = 20_000;

/** A scan by a human. */
export interface HumanScan extends Omit<BotScan, "rule"> {
  readonly place: PlaceRef;
  /** 16 hex digits. */
  readonly visitor: string;
  /** The reference of the referrer's host; 0 for none. */
  readonly referrer: number;
  /** The reference of the address by which it came; 0 for the scan origin, and if the scan is only counted. */
  readonly via: number;
}

/** The new scans of a call. */
export interface RecordedScans {
  readonly humans: readonly HumanScan[];
  /** Those that are a visitor's first scan of the code. */
  readonly firsts: ReadonlySet<HumanScan>;
  /** The references of codes that no person had scanned before. */
  readonly newCodes: readonly number[];
  readonly bots: readonly BotScan[];
  /** Ids of those that were counted but not stored. */
  readonly unstored: ReadonlySet<string>;
}

/** A workspace's scans, the visitors of each code, and each code's totals. */
export class LedgerScans extends LedgerPart<{
  sql: SqlStorage;
  storage: DurableObjectStorage;
}> {
  #dictionary: LedgerDictionary | undefined;

  /** Drops cached references. Call it after a rollback or after deleting the rows they refer to. */
  clearMemory(): void {
    this.#dictionary = undefined;
  }

  #dictionaryAt(now: number): LedgerDictionary {
    const day = Math.floor(now / dayLength);
    if (this.#dictionary === undefined || this.#dictionary.day < day) {
      this.#dictionary = new LedgerDictionary(this.parts.storage, day);
    }
    return this.#dictionary;
  }

  /** Returns a code's reference. */
  codeRef(code: ScannedCode, now: number): CodeRef {
    return this.#dictionaryAt(now).code(code);
  }

  /**
   * Stores and counts scans. Ignores scans that were counted before (same id). A scan made before its code's scans were
   * erased is not stored, and not counted either if the sums were erased.
   * @param kept which data is stored besides counts
   * @param now epoch milliseconds
   * @returns the new scans
   */
  record(batches: readonly ScanBatch[], kept: Kept, now: number): RecordedScans {
    const humanScans = new Map<string, HumanScan>();
    const botScans = new Map<string, BotScan>();
    const dictionary = this.#dictionaryAt(now);
    for (const batch of batches) sortScans(batch, dictionary, kept.rows, humanScans, botScans);

    // Visitors of scans that were counted before are known already, so a repeated scan is never a first one.
    const firsts = new Set(kept.visitors ? this.#insertVisitors([...humanScans.values()]) : []);
    const sortedHumans = bySaving(humanScans, kept.rows);
    const sortedBots = bySaving(botScans, kept.rows);
    const countedHumans = this.#insertIds(sortedHumans.unstored);
    const countedBots = this.#insertIds(sortedBots.unstored);
    const humans = [...this.#insertHumanScans(sortedHumans.stored, firsts), ...countedHumans];
    const bots = [...this.#insertBotScans(sortedBots.stored), ...countedBots];
    const newCodes = this.#addTotals(humans, firsts);
    if (!kept.rows) this.#removeIds(now - (kept.visitors ? idRetention : shortIdRetention));
    const unstored = new Set([...countedHumans, ...countedBots].map(({ id }) => id));
    return { humans, firsts, newCodes, bots, unstored };
  }

  #insertHumanScans(scans: ReadonlyMap<string, HumanScan>, firsts: ReadonlySet<HumanScan>): HumanScan[] {
    return this.#insertNew(
      scans,
      `INSERT INTO scans (id, code, agent, place, visitor, referrer, first, via)
       SELECT unhex(value->>0), value->>1, value->>2, value->>3, unhex(value->>4), value->>5, value->>6, value->>7
       FROM json_each(?) WHERE ${notIn("counted_scans")} AND ${notIn("bot_scans")}`,
      (scan) => [
        scan.id,
        scan.code.ref,
        scan.agent.ref,
        scan.place.ref,
        scan.visitor,
        scan.referrer,
        firsts.has(scan) ? 1 : 0,
        scan.via,
      ],
    );
  }

  #insertBotScans(scans: ReadonlyMap<string, BotScan>): BotScan[] {
    return this.#insertNew(
      scans,
      `INSERT INTO bot_scans (id, code, agent, rule) SELECT unhex(value->>0), value->>1, value->>2, value->>3
       FROM json_each(?) WHERE ${notIn("counted_scans")} AND ${notIn("scans")}`,
      ({ id, code, agent, rule }) => [id, code.ref, agent.ref, rule],
    );
  }

  /** Records the ids of scans that are counted without being stored. */
  #insertIds<Scan extends Identified>(scans: ReadonlyMap<string, Scan>): Scan[] {
    return this.#insertNew(
      scans,
      `INSERT INTO counted_scans (id) SELECT unhex(value->>0)
       FROM json_each(?) WHERE ${notIn("scans")} AND ${notIn("bot_scans")}`,
      ({ id }) => [id],
    );
  }

  /** Removes the ids of scans older than a time, oldest first. @param before epoch milliseconds */
  #removeIds(before: number): void {
    this.parts.sql.exec(
      "DELETE FROM counted_scans WHERE id IN (SELECT id FROM counted_scans WHERE id < unhex(?) ORDER BY id LIMIT ?)",
      idsFrom(before),
      idsRemovedAtOnce,
    );
  }

  /**
   * Inserts scans, except those that were counted before.
   * @param scans by id
   * @param valuesOf returns the values that `insertSelect` reads from each scan
   * @returns the new ones
   */
  #insertNew<Scan extends Identified>(
    scans: ReadonlyMap<string, Scan>,
    insertSelect: string,
    valuesOf: (scan: Scan) => readonly (string | number)[],
  ): Scan[] {
    if (scans.size === 0) return [];
    return this.parts.sql
      .exec<{ id: string }>(
        `${insertSelect} ON CONFLICT (id) DO NOTHING RETURNING lower(hex(id)) AS id`,
        JSON.stringify([...scans.values()].map(valuesOf)),
      )
      .toArray()
      .map(({ id }) => {
        const scan = scans.get(id);
        if (scan === undefined) throw new Error(`scan ${id} is not in this message`);
        return scan;
      });
  }

  /** Stores the visitors of scans. @returns one scan for each visitor who is new to the code */
  #insertVisitors(scans: readonly HumanScan[]): HumanScan[] {
    const firstScans = new Map<string, HumanScan>();
    for (const scan of scans) {
      const key = `${scan.code.ref}/${scan.visitor}`;
      if (!firstScans.has(key)) firstScans.set(key, scan);
    }
    if (firstScans.size === 0) return [];
    return this.parts.sql
      .exec<{ code: number; visitor: string }>(
        `INSERT INTO visitors (code, visitor)
         SELECT value->>0, unhex(value->>1) FROM json_each(?) WHERE true
         ON CONFLICT (code, visitor) DO NOTHING RETURNING code, lower(hex(visitor)) AS visitor`,
        JSON.stringify([...firstScans.values()].map(({ code, visitor }) => [code.ref, visitor])),
      )
      .toArray()
      .flatMap(({ code, visitor }) => firstScans.get(`${code}/${visitor}`) ?? []);
  }

  /** @returns the references of codes that had no scans */
  #addTotals(humans: readonly HumanScan[], firsts: ReadonlySet<HumanScan>): number[] {
    if (humans.length === 0) return [];
    const rows = Array.from(
      Map.groupBy(humans, ({ code }) => code.ref),
      ([code, scans]) => [code, scans.length, scans.filter((scan) => firsts.has(scan)).length],
    );
    this.parts.sql.exec(
      `UPDATE codes SET scans = scans + (more.value->>1), visitors = visitors + (more.value->>2)
       FROM json_each(?) more WHERE codes.ref = more.value->>0`,
      JSON.stringify(rows),
    );
    const newCodes = new Map(humans.flatMap(({ code }) => (code.isScanned ? [] : [[code.ref, code]])));
    for (const code of newCodes.values()) code.isScanned = true;
    return [...newCodes.keys()];
  }

  /** Counts the human scans of all codes. Reads one row per code. */
  count(): number {
    return this.parts.sql.exec<{ scans: number }>("SELECT coalesce(sum(scans), 0) AS scans FROM codes").one()
      .scans;
  }
}

/**
 * Adds a batch's scans to those by humans or those by bots, by id. Values that occur only in erased or bot scans get no
 * entry. @throws if an index is out of range
 */
function sortScans(
  batch: ScanBatch,
  dictionary: LedgerDictionary,
  keepsRows: boolean,
  humanScans: Map<string, HumanScan>,
  botScans: Map<string, BotScan>,
): void {
  const codes = batch.codes.map((code) => dictionary.code(code));
  for (const [
    uuid,
    visitor,
    codeIndex,
    agentIndex,
    placeIndex,
    prefetch,
    referrerIndex,
    viaIndex,
  ] of batch.scans) {
    const id = idToHex(uuid);
    const code = codes[codeIndex];
    const userAgent = batch.userAgents[agentIndex];
    const place = batch.places[placeIndex];
    const host = batch.referrers[referrerIndex];
    const address = viaIndex === undefined ? null : batch.vias?.[viaIndex];
    if (
      code === undefined ||
      userAgent === undefined ||
      place === undefined ||
      host === undefined ||
      address === undefined
    ) {
      throw new Error(`scan ${uuid} refers to nothing in its batch`);
    }
    if (id < code.countedFrom) continue;
    const isKept = isStored({ id, code }, keepsRows);
    const agent = dictionary.agent(userAgent, isKept);
    const botRule =
      agent.botRule ?? (prefetch ? "prefetch" : isMailScanner(agent, place, host) ? "mail-scanner" : null);
    if (botRule !== null) {
      botScans.set(id, { id, code, agent, rule: isKept ? dictionary.botRule(botRule) : 0 });
    } else {
      const [placeRef, referrer] = [dictionary.place(place), dictionary.referrer(host)];
      // Only rows refer to it.
      const via = isKept ? dictionary.via(address) : 0;
      humanScans.set(id, { id, code, agent, place: placeRef, visitor, referrer, via });
    }
  }
}

/** Returns whether a scan is by a program that checks the links in mail: it looks like a browser on a computer. */
const isMailScanner = (
  { device, browser }: AgentRef,
  { isMailNetwork }: ScanPlace,
  referrer: string | null,
): boolean => isMailNetwork === true && device === "desktop" && browser !== null && referrer === null;

type Identified = Pick<BotScan, "id" | "code">;

/**
 * Returns whether a scan gets a row. Scans from before an erasure don't. @param keepsRows whether rows are stored at
 * all
 */
const isStored = ({ id, code }: Identified, keepsRows: boolean): boolean =>
  keepsRows && id >= code.storedFrom;

/** Splits scans by whether they get rows. @param keepsRows whether rows are stored at all */
function bySaving<Scan extends Identified>(scans: ReadonlyMap<string, Scan>, keepsRows: boolean) {
  const stored = new Map<string, Scan>();
  const unstored = new Map<string, Scan>();
  for (const scan of scans.values()) {
    (isStored(scan, keepsRows) ? stored : unstored).set(scan.id, scan);
  }
  return { stored, unstored };
}

/** Returns the condition that a message's scan is not in a table. */
const notIn = (table: string) => `NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = unhex(value->>0))`;
