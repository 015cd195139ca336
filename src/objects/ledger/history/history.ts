import type { HistoryKind } from "../../../contract/resources/history/history.ts";
import { log } from "../../../lib/log.ts";
import { idAt, newId, timeOfId } from "../../../lib/text/ids.ts";
import { utf8Length } from "../../../lib/text/utf8.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import { bounds } from "../../../protocol/bounds.ts";
import {
  guardedKinds,
  type HistoryEntry,
  type HistoryFilter,
  type HistoryPage,
  isGuarded,
  type NewEntry,
  type ObjectRef,
} from "../../../protocol/history.ts";
import { LedgerPart } from "../part.ts";

/** The columns that a row is found by. */
type FoundRow = {
  id: string;
  object_kind: HistoryKind;
  actor_id: string | null;
  actor_kind: string;
  job_id: string | null;
};

type Size = { rows: number; bytes: number };

/** Facts about the history besides its size. Times are epoch milliseconds. */
interface Facts {
  /** The size of the entries that have room of their own. They are part of the whole size, too. */
  readonly guarded: Size;
  /** The entries added within an hour. */
  readonly hour: Size & { readonly since: number };
  /** When more than usual was last added within an hour; null for never. */
  readonly unusualAt: number | null;
}

/** The storage key of the facts. */
const factsKey = "history";

/** How many rows one statement deletes. */
const deletedAtOnce = 1000;

/** The surplus that is deleted beyond the bound of entries with room of their own, because finding these takes reading others. */
const guardedSlack: Size = { rows: 500, bytes: 500_000 };

const hour = 60 * 60 * 1000;

/** SQL: whether a row has room of its own. */
const isGuardedSql = `object_kind IN (${guardedKinds.map((kind) => `'${kind}'`).join(", ")})`;

const plus = (one: Size, other: Size): Size => ({
  rows: one.rows + other.rows,
  bytes: one.bytes + other.bytes,
});

/** Returns whether a size is larger than a bound. */
const exceeds = (size: Size, bound: Size): boolean => size.rows > bound.rows || size.bytes > bound.bytes;

/** How many expired rows one alarm deletes. */
const expiredAtOnce = 5000;

/** How many days entries are kept, in milliseconds. */
const kept = bounds.history.days * dayLength;

/**
 * Who changed what in the workspace: the newest entries, up to a number of rows and bytes and an age. An entry that is
 * added twice counts once.
 */
export class LedgerHistory extends LedgerPart<{ sql: SqlStorage; kv: SyncKvStorage; workspaceId: string }> {
  /** All entries before this id belong to the reserved quota; trimming starts after it. */
  #trimFrom = "";

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#trimFrom = "";
  }

  /** @param now epoch milliseconds */
  add(entries: readonly HistoryEntry[], now: number): void {
    // Before the entries, which they don't count yet.
    const facts = this.#facts;
    let size: Size = { rows: 0, bytes: 0 };
    let guarded = size;
    for (const { id, ...entry } of entries) {
      const { object, actor, jobId } = entry;
      const json = JSON.stringify(entry satisfies NewEntry);
      const bytes = utf8Length(json);
      const { rowsWritten } = this.parts.sql.exec(
        `INSERT INTO history (id, object_id, object_kind, actor_id, actor_kind, job_id, bytes, entry)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        ...[id, object.id, object.kind, actor.id, actor.kind, jobId ?? null, bytes, json],
      );
      if (rowsWritten === 0) continue;
      size = plus(size, { rows: 1, bytes });
      if (isGuarded(object.kind)) guarded = plus(guarded, { rows: 1, bytes });
      else if (id < this.#trimFrom) this.#trimFrom = "";
    }
    if (size.rows === 0) return;
    this.#grow(size);
    this.#save(facts, size, guarded, now);
    this.#trim();
  }

  /** Adds an entry about a change that the ledger itself makes, in the transaction of the change. */
  record(entry: Omit<NewEntry, "v">, now: number): void {
    this.add([{ v: 1, id: newId(now), ...entry }], now);
  }

  /** When more than usual was last added within an hour, epoch milliseconds; null for never. */
  get unusualAt(): number | null {
    return this.parts.kv.get<Facts>(factsKey)?.unusualAt ?? null;
  }

  #grow({ rows, bytes }: Size): void {
    this.parts.sql.exec("UPDATE history_size SET rows = rows + ?, bytes = bytes + ?", rows, bytes);
  }

  get size(): Size {
    return this.parts.sql.exec<Size>("SELECT rows, bytes FROM history_size").one();
  }

  /** Histories from before they were stored are counted once. */
  get #facts(): Facts {
    const stored = this.parts.kv.get<Facts>(factsKey);
    if (stored !== undefined) return stored;
    const guarded = this.parts.sql
      .exec<Size>(
        `SELECT count(*) AS rows, coalesce(sum(bytes), 0) AS bytes FROM history WHERE ${isGuardedSql}`,
      )
      .one();
    return { guarded, hour: { since: 0, rows: 0, bytes: 0 }, unusualAt: null };
  }

  /** Counts what was added, and notices if that is more than usual. */
  #save(facts: Facts, added: Size, guarded: Size, now: number): void {
    const isSameHour = now < facts.hour.since + hour;
    const ofHour = isSameHour ? { ...facts.hour, ...plus(facts.hour, added) } : { ...added, since: now };
    const isUnusual = exceeds(ofHour, bounds.history.unusual);
    if (isUnusual && !(isSameHour && exceeds(facts.hour, bounds.history.unusual))) {
      const { workspaceId } = this.parts;
      log("warn", "history grows unusually fast", { workspaceId, ...ofHour });
    }
    this.parts.kv.put(factsKey, {
      guarded: plus(facts.guarded, guarded),
      hour: ofHour,
      unusualAt: isUnusual ? now : facts.unusualAt,
    } satisfies Facts);
  }

  /** Deletes the oldest entries while there are too many of them: of those with room of their own, and of the others. */
  #trim(): void {
    const own = bounds.history.guarded;
    let { guarded } = this.#facts;
    for (let last: string | null = ""; last !== null && exceeds(guarded, own); { guarded } = this.#facts) {
      const rows = guarded.rows - own.rows + guardedSlack.rows;
      const bytes = guarded.bytes - own.bytes + guardedSlack.bytes;
      last = this.#deleteOldest(isGuardedSql, "", rows, bytes);
    }
    for (;;) {
      const size = this.size;
      const rows = size.rows - guarded.rows - bounds.history.rows;
      const bytes = size.bytes - guarded.bytes - bounds.history.bytes;
      if (rows <= 0 && bytes <= 0) return;
      const last = this.#deleteOldest(`NOT ${isGuardedSql}`, this.#trimFrom, rows, bytes);
      if (last === null) return;
      this.#trimFrom = last;
    }
  }

  /**
   * Deletes the oldest rows that meet a condition: at least this many, and this many bytes, as far as one statement can.
   * @param from an id that none of them is below
   * @returns the last id that was deleted; null for none
   */
  #deleteOldest(condition: string, from: string, rows: number, bytes: number): string | null {
    return this.#delete(
      `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n, sum(bytes) OVER (ORDER BY id) - bytes AS earlier
         FROM (SELECT id, bytes FROM history WHERE id >= ? AND ${condition} ORDER BY id LIMIT ${deletedAtOnce}))
       WHERE n <= ? OR earlier < ?`,
      from,
      rows,
      bytes,
    );
  }

  /** @param ids SQL for the ids of the rows to delete @returns the last id; null for none */
  #delete(ids: string, ...values: (string | number)[]): string | null {
    const facts = this.#facts;
    const deleted = this.parts.sql
      .exec<{ id: string; object_kind: HistoryKind; bytes: number }>(
        `DELETE FROM history WHERE id IN (${ids}) RETURNING id, object_kind, bytes`,
        ...values,
      )
      .toArray();
    const sizeOf = (rows: typeof deleted): Size => ({
      rows: -rows.length,
      bytes: -rows.reduce((sum, { bytes }) => sum + bytes, 0),
    });
    this.#grow(sizeOf(deleted));
    const guarded = deleted.filter(({ object_kind }) => isGuarded(object_kind));
    if (guarded.length > 0) {
      this.parts.kv.put(factsKey, {
        ...facts,
        guarded: plus(facts.guarded, sizeOf(guarded)),
      } satisfies Facts);
    }
    return deleted.reduce<string | null>((last, { id }) => (last === null || id > last ? id : last), null);
  }

  /** When entries are due for deletion, at a midnight UTC; null for never. */
  nextAt(): number | null {
    const [oldest] = this.parts.sql
      .exec<{ id: string }>("SELECT id FROM history ORDER BY id LIMIT 1")
      .toArray();
    return oldest === undefined
      ? null
      : (Math.floor((timeOfId(oldest.id) + kept) / dayLength) + 1) * dayLength;
  }

  /** Deletes a chunk of expired entries, if any are due. */
  run(now: number): void {
    const due = this.nextAt();
    if (due === null || due > now) return;
    this.#delete(`SELECT id FROM history WHERE id < ? ORDER BY id LIMIT ${expiredAtOnce}`, idAt(now - kept));
  }

  /** Erases the values of an object, and its name: only who did what to it, and when, remains. */
  erase({ kind, id }: ObjectRef): void {
    const erased = "json_set(entry, '$.object.name', NULL, '$.changes', json('{}'))";
    const sizes = this.parts.sql
      .exec<{ before: number; after: number }>(
        `SELECT total(bytes) AS before, total(length(CAST(${erased} AS BLOB))) AS after
         FROM history WHERE object_id = ? AND object_kind = ?`,
        id,
        kind,
      )
      .one();
    this.parts.sql.exec(
      `UPDATE history SET entry = ${erased}, bytes = length(CAST(${erased} AS BLOB))
       WHERE object_id = ? AND object_kind = ?`,
      id,
      kind,
    );
    this.#grow({ rows: 0, bytes: sizes.after - sizes.before });
  }

  find(id: string): HistoryEntry | undefined {
    return this.#read([id])[0];
  }

  /** Returns the entries of a bulk job about some objects, in no particular order. */
  ofJob(jobId: string, objectIds: readonly string[]): HistoryEntry[] {
    const found = this.parts.sql
      .exec<{ id: string }>(
        `SELECT h.id FROM json_each(?) i CROSS JOIN history h INDEXED BY history_of_object ON h.object_id = i.value
         WHERE h.job_id = ?`,
        JSON.stringify(objectIds),
        jobId,
      )
      .toArray();
    return this.#read(found.map(({ id }) => id));
  }

  /** Returns the last deletion of each of some objects, in no particular order. */
  deletions(objectIds: readonly string[]): HistoryEntry[] {
    const found = this.parts.sql
      .exec<{ id: string | null }>(
        `SELECT (SELECT h.id FROM history h INDEXED BY history_of_object
           WHERE h.object_id = i.value AND h.entry->>'action' LIKE '%.deleted' ORDER BY h.id DESC LIMIT 1) AS id
         FROM json_each(?) i`,
        JSON.stringify(objectIds),
      )
      .toArray();
    return this.#read(found.flatMap(({ id }) => id ?? []));
  }

  /**
   * Returns entries, newest first, after the id `after`. Filters without an index examine some at a time, so a page may
   * be short or empty and still have a next one.
   */
  list(filter: HistoryFilter, after: string | null, limit: number): HistoryPage {
    const ids: string[] = [];
    let examined = 0;
    let last: string | null = null;
    let more = false;
    for (const row of this.#candidates(filter, after)) {
      if (ids.length === limit || examined === bounds.history.examined) {
        more = true;
        break;
      }
      examined += 1;
      last = row.id;
      if (matches(row, filter)) ids.push(row.id);
    }
    return { items: this.#read(ids), next: more ? last : null };
  }

  #candidates({ objectId, jobId, kinds = [], from, until }: HistoryFilter, after: string | null) {
    const conditions: [sql: string, ...values: (string | number)[]][] = [["true"]];
    const [kind, ...others] = kinds;
    if (objectId !== undefined) conditions.push(["object_id = ?", objectId]);
    else if (jobId !== undefined) conditions.push(["job_id = ?", jobId]);
    else if (kind !== undefined && kind !== "code" && others.length === 0) {
      // The first condition is that of the index.
      conditions.push(["object_kind <> 'code' AND object_kind = ?", kind]);
    }
    if (after !== null) conditions.push(["id < ?", after]);
    if (from !== undefined) conditions.push(["id >= ?", idAt(from)]);
    if (until !== undefined) conditions.push(["id < ?", idAt(until)]);
    return this.parts.sql.exec<FoundRow>(
      `SELECT id, object_kind, actor_id, actor_kind, job_id FROM history
       WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY id DESC`,
      ...conditions.flatMap(([, ...values]) => values),
    );
  }

  #read(ids: readonly string[]): HistoryEntry[] {
    return this.parts.sql
      .exec<{ id: string; entry: string }>(
        "SELECT h.id, h.entry FROM json_each(?) i CROSS JOIN history h ON h.id = i.value ORDER BY i.key",
        JSON.stringify(ids),
      )
      .toArray()
      .map(({ id, entry }) => ({ id, ...(JSON.parse(entry) as NewEntry) }));
  }
}

const matches = (row: FoundRow, { kinds, actor, jobId }: HistoryFilter): boolean =>
  (kinds === undefined || kinds.includes(row.object_kind)) &&
  (actor === undefined || row.actor_id === actor || row.actor_kind === actor) &&
  (jobId === undefined || row.job_id === jobId);
