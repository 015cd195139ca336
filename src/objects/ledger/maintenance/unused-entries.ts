import { visitPacked } from "../../../lib/packed/counts.ts";
import type { LedgerGenerations } from "../analytics/generations.ts";
import { workspaceCode } from "../analytics/rollups.ts";
import { LedgerPart } from "../part.ts";
import type { LedgerExport } from "../reading/export.ts";
import { type EntryTable, entryTables, removeEntries } from "../scans/dictionary-entries.ts";
import { highestId, lowestId } from "../scans/raw-scans.ts";
import type { LedgerScans, RecordedScans } from "../scans/scans.ts";

/** How many raw scans (of humans and of bots each) and rollups one run reads, and how many entries it deletes. */
export const searchChunk = { scans: 10_000, rollups: 100, entries: 2000 } as const;

/** The minimum time between the starts of two searches, milliseconds. Each search reads all raw scans. */
const interval = 60 * 60 * 1000;

/** Storage keys: the status of searches, and the search in progress. */
const searchesKey = "unused_entries";
const searchKey = "unused_entries_search";

interface SearchesStatus {
  /** Whether rows were removed since the last search began. */
  readonly isDue: boolean;
  /** When the last search began, epoch milliseconds. */
  readonly beganAt: number;
}

/** A search for entries that nothing refers to. */
interface Search {
  /** The entries that existed at its start and have not been found in use. */
  readonly unused: Record<EntryTable, Set<number>>;
  /** The id up to which raw scans have been read: 32 hex digits; the highest once all have been. */
  cursor: string;
  /** The same for `via`. Behind `cursor` if a version without it has continued the search. */
  viasCursor?: string;
  /** The generation and day up to which the workspace's rollups have been read. They are read after the raw scans. */
  generation: number;
  day: number;
}

/**
 * Finds dictionary entries that no raw scan or rollup refers to any more, a chunk at a time, and deletes them. Raw
 * scans are read before rollups: a scan may be folded after it was read, and a scan removed before it was read had been
 * folded by then. A scan recorded behind the cursor is accounted for when it is recorded.
 */
export class UnusedEntries extends LedgerPart<{
  kv: SyncKvStorage;
  sql: SqlStorage;
  storage: DurableObjectStorage;
  generations: LedgerGenerations;
  scans: LedgerScans;
  export: LedgerExport;
}> {
  #known: { status: SearchesStatus; search: Search | null } | undefined;

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  /** Cached, because every recording of scans asks for it. */
  get #now(): { status: SearchesStatus; search: Search | null } {
    const { kv } = this.parts;
    this.#known ??= {
      status: kv.get<SearchesStatus>(searchesKey) ?? { isDue: false, beganAt: 0 },
      search: withKnownVias(kv.get<Search>(searchKey) ?? null),
    };
    return this.#known;
  }

  /** Records that rows were removed, so that entries may be unused. Call it in a transaction. */
  released(): void {
    const { isDue, beganAt } = this.#now.status;
    if (!isDue) this.#setStatus({ isDue: true, beganAt });
  }

  #setStatus(status: SearchesStatus): void {
    this.parts.kv.put(searchesKey, status);
    this.#now.status = status;
  }

  /** When work is due, epoch milliseconds; 0 for now, null for never. */
  nextAt(): number | null {
    const { status, search } = this.#now;
    if (search !== null) return 0;
    return status.isDue ? status.beganAt + interval : null;
  }

  /** Accounts for new scans that the search would miss. */
  recorded({ humans, bots, unstored }: RecordedScans): void {
    const { search } = this.#now;
    if (search === null) return;
    const isMissed = ({ id }: { readonly id: string }) => id <= search.cursor || unstored.has(id);
    const found = [
      ...humans
        .filter(isMissed)
        .flatMap(({ agent, place, referrer, via }) => [
          search.unused.agents.delete(agent.ref),
          search.unused.places.delete(place.ref),
          search.unused.referrers.delete(referrer),
          search.unused.vias.delete(via),
        ]),
      ...bots.filter(isMissed).map(({ agent }) => search.unused.agents.delete(agent.ref)),
    ];
    if (found.includes(true)) this.#save(search);
  }

  #save(search: Search | null): void {
    if (search === null) this.parts.kv.delete(searchKey);
    else this.parts.kv.put(searchKey, search);
    this.#now.search = search;
  }

  /** Continues the search, or starts one if due. Call it in a transaction. */
  run(now: number): void {
    const at = this.nextAt();
    if (at === null || at > now) return;
    const search = this.#now.search ?? this.#begin(now);
    const isDone = this.#readScans(search) && this.#readRollups(search) && this.#remove(search);
    this.#save(isDone ? null : search);
  }

  #begin(now: number): Search {
    this.#setStatus({ isDue: false, beganAt: now });
    const all = (table: EntryTable) =>
      new Set(
        this.parts.sql
          .exec<{ ref: number }>(`SELECT ref FROM ${table}`)
          .toArray()
          .map(({ ref }) => ref),
      );
    const unused = {
      agents: all("agents"),
      places: all("places"),
      referrers: all("referrers"),
      vias: all("vias"),
    };
    return { unused, cursor: lowestId, viasCursor: lowestId, generation: 0, day: 0 };
  }

  /** Reads the next raw scans. @returns whether all have been read */
  #readScans(search: Search): boolean {
    const { unused, cursor } = search;
    if (cursor === highestId) return true;
    const last = this.#endOfChunk(cursor);
    const range = "WHERE id > unhex(?) AND id <= unhex(?)";
    const humans = this.parts.sql.exec<{ agent: number; place: number; referrer: number; via: number }>(
      `SELECT DISTINCT agent, place, referrer, via FROM scans ${range}`,
      cursor,
      last,
    );
    for (const { agent, place, referrer, via } of humans) {
      unused.agents.delete(agent);
      unused.places.delete(place);
      unused.referrers.delete(referrer);
      unused.vias.delete(via);
    }
    const bots = this.parts.sql.exec<{ agent: number }>(
      `SELECT DISTINCT agent FROM bot_scans ${range}`,
      cursor,
      last,
    );
    for (const { agent } of bots) unused.agents.delete(agent);
    search.cursor = last;
    search.viasCursor = last;
    return last === highestId;
  }

  /** Returns the last id of the next chunk: neither kind of scans may exceed the chunk's size. */
  #endOfChunk(after: string): string {
    const { digits } = this.parts.sql
      .exec<{ digits: string }>(
        `SELECT lower(hex(min(id))) AS digits FROM
           (SELECT (SELECT id FROM scans WHERE id > unhex(?1) ORDER BY id LIMIT 1 OFFSET ?2) AS id
            UNION ALL SELECT (SELECT id FROM bot_scans WHERE id > unhex(?1) ORDER BY id LIMIT 1 OFFSET ?2))`,
        after,
        searchChunk.scans - 1,
      )
      .one();
    return digits || highestId;
  }

  /**
   * Reads the next rollups of the workspace, which include the values of all its codes. @returns whether all have been
   * read
   */
  #readRollups(search: Search): boolean {
    const { active } = this.parts.generations;
    // A new generation has the same scans on other days, so reading starts over.
    if (search.generation !== active.ref) Object.assign(search, { generation: active.ref, day: -1 });
    const rows = this.parts.sql
      .exec<{ day: number; places: ArrayBuffer; referrers: ArrayBuffer }>(
        `SELECT day, places, referrers FROM rollups
         WHERE generation = ? AND code = ? AND day > ? ORDER BY day LIMIT ?`,
        active.ref,
        workspaceCode,
        search.day,
        searchChunk.rollups,
      )
      .toArray();
    for (const { day, ...packed } of rows) {
      for (const table of ["places", "referrers"] as const) {
        visitPacked(new Uint8Array(packed[table]), 1, (ref) => search.unused[table].delete(ref));
      }
      search.day = day;
    }
    return rows.length < searchChunk.rollups;
  }

  /** Deletes a chunk of the unused entries. @returns whether none are left */
  #remove({ unused }: Search): boolean {
    const table = entryTables.find((name) => unused[name].size > 0);
    if (table === undefined) return true;
    const refs = [...unused[table]].slice(0, searchChunk.entries);
    removeEntries(this.parts.storage, table, refs);
    for (const ref of refs) unused[table].delete(ref);
    this.parts.scans.clearMemory();
    this.parts.export.clearMemory();
    return entryTables.every((name) => unused[name].size === 0);
  }
}

/** Leaves `vias` to the next search if a version without it began or continued this one. */
const withKnownVias = (search: Search | null): Search | null =>
  search === null || search.viasCursor === search.cursor
    ? search
    : { ...search, viasCursor: search.cursor, unused: { ...search.unused, vias: new Set() } };
