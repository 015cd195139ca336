import { DurableObject } from "cloudflare:workers";
import {
  type FeedChange,
  type FeedPage,
  feedPageFormat,
  feedPageSize,
  feedRetentionMilliseconds,
  type RouteFeedMethods,
} from "../protocol/route-feed.ts";
import { migrateObject, type ObjectMigration } from "./migrations.ts";

/** The migrations of a RouteFeed, in order. */
export const feedMigrations: readonly ObjectMigration[] = [
  {
    sql: `CREATE TABLE IF NOT EXISTS changed_routes (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL
          );
          CREATE INDEX IF NOT EXISTS changed_routes_by_age ON changed_routes (at);`,
    additive: false,
  },
  {
    // Without two indexes and AUTOINCREMENT, a change writes one row instead of four. Isolates that have read up to a
    // number see nothing of changes with lower ones, so the newest row must stay: without one, numbers begin anew. The
    // trigger keeps it from the statements of 1.1.0, which otherwise work with this table, too.
    sql: `CREATE TABLE appended_routes (
            seq INTEGER PRIMARY KEY,
            key TEXT NOT NULL,
            version INTEGER NOT NULL,
            at INTEGER NOT NULL
          );
          INSERT INTO appended_routes SELECT seq, key, version, at FROM changed_routes;
          INSERT OR IGNORE INTO appended_routes
            SELECT seq, '', 0, 0 FROM sqlite_sequence WHERE name = 'changed_routes';
          DROP TABLE changed_routes;
          ALTER TABLE appended_routes RENAME TO changed_routes;
          CREATE TRIGGER newest_route_kept BEFORE DELETE ON changed_routes
          WHEN OLD.seq = (SELECT max(seq) FROM changed_routes) BEGIN
            SELECT RAISE(IGNORE);
          END;`,
    additive: true,
  },
];

/**
 * Lists, for one region, the keys whose route changed in the last minutes. Every change is published here before its
 * request is answered, so an edge that has read the feed within the last second knows of it, whatever its caches hold.
 */
export class RouteFeed extends DurableObject<Env> implements RouteFeedMethods {
  readonly #sql: SqlStorage;
  readonly #instance = crypto.randomUUID();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    migrateObject(ctx.storage, feedMigrations);
  }

  /**
   * Records that keys have reached versions: all of them or none. Changes are dated by this object's clock, because a
   * publisher's clock that is fast would drop others' changes too early.
   */
  publish(changes: readonly FeedChange[]): void {
    const now = Date.now();
    this.#sql.exec(
      "INSERT INTO changed_routes (key, version, at) SELECT value->>0, value->>1, ?2 FROM json_each(?1)",
      JSON.stringify(changes.map(({ key, version }) => [key, version])),
      now,
    );
    // Rows are in the order of their time, so that only the dropped ones are read.
    this.#sql.exec(
      "DELETE FROM changed_routes WHERE seq < (SELECT seq FROM changed_routes WHERE at >= ? ORDER BY seq LIMIT 1)",
      now - feedRetentionMilliseconds,
    );
  }

  /** Returns a page of the changes after `seq`, each key once with its highest version. 0 reads from the beginning. */
  changes(seq: number): FeedPage {
    const rows = this.#sql
      .exec<{ seq: number; key: string; version: number }>(
        "SELECT seq, key, version FROM changed_routes WHERE seq > ? ORDER BY seq LIMIT ?",
        seq,
        feedPageSize + 1,
      )
      .toArray();
    const page = rows.slice(0, feedPageSize);
    const versions = new Map<string, number>();
    for (const { key, version } of page) versions.set(key, Math.max(version, versions.get(key) ?? version));
    return {
      format: feedPageFormat,
      seq: page.at(-1)?.seq ?? seq,
      changes: Array.from(versions, ([key, version]): FeedChange => ({ key, version })),
      more: rows.length > page.length,
      at: Date.now(),
      instance: this.#instance,
    };
  }
}
