import { bounds } from "../../../protocol/bounds.ts";

/** The tables of values that strangers and customers choose. Scans and rollups refer to their entries. */
export const entryTables = ["agents", "places", "referrers", "vias"] as const;
export type EntryTable = (typeof entryTables)[number];

/** Storage key: by table, how many references below the highest one no longer have an entry. */
const gapsKey = "entry_gaps";
type Gaps = Partial<Record<EntryTable, number>>;

/** How many more entries the dictionary accepts on a day. */
export class EntryAllowance {
  readonly #storage: DurableObjectStorage;
  /** Since the epoch, UTC. */
  readonly #day: number;
  readonly #counts = new Map<EntryTable, { all: number; today: number }>();

  constructor(storage: DurableObjectStorage, day: number) {
    this.#storage = storage;
    this.#day = day;
  }

  /** Counts a new entry. @returns false at the limit */
  take(table: EntryTable): boolean {
    const counts = this.#counts.get(table) ?? this.#count(table);
    this.#counts.set(table, counts);
    const { total, newPerDay } = bounds.entries[table];
    if (counts.all >= total || counts.today >= newPerDay) return false;
    counts.all += 1;
    counts.today += 1;
    return true;
  }

  /** Counts all entries, and those of the day, which have the highest references. */
  #count(table: EntryTable): { all: number; today: number } {
    const { highest, today } = this.#storage.sql
      .exec<{ highest: number; today: number }>(
        `SELECT coalesce((SELECT max(ref) FROM ${table}), 0) AS highest, count(*) AS today FROM ${table}
         WHERE ref > coalesce((SELECT ref FROM ${table} WHERE day < ? ORDER BY ref DESC LIMIT 1), 0)`,
        this.#day,
      )
      .one();
    return { all: highest - (gapsOf(this.#storage)[table] ?? 0), today };
  }
}

/** Deletes entries. Call it in a transaction, and drop cached references afterwards. */
export function removeEntries(
  storage: DurableObjectStorage,
  table: EntryTable,
  refs: readonly number[],
): void {
  const { sql, kv } = storage;
  sql.exec(`DELETE FROM ${table} WHERE ref IN (SELECT value FROM json_each(?))`, JSON.stringify(refs));
  const { gaps } = sql
    .exec<{ gaps: number }>(`SELECT coalesce(max(ref), 0) - count(*) AS gaps FROM ${table}`)
    .one();
  kv.put<Gaps>(gapsKey, { ...gapsOf(storage), [table]: gaps });
}

const gapsOf = ({ kv }: DurableObjectStorage): Gaps => kv.get<Gaps>(gapsKey) ?? {};
