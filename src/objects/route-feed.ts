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
   * Records that keys have reached versions: all of them or none. A version older than the recorded one changes
   * nothing. Changes are dated by this object's clock, because a publisher's clock that is fast would drop others'
   * changes too early.
   */
  publish(changes: readonly FeedChange[]): void {
    const now = Date.now();
    // REPLACE gives the row a new seq, so that readers past the old one see the change. Of a key given twice, the newest
    // version comes last and stays.
    this.#sql.exec(
      `INSERT OR REPLACE INTO changed_routes (key, version, at)
       SELECT value->>0, value->>1, ?2 FROM json_each(?1) WHERE NOT EXISTS
         (SELECT 1 FROM changed_routes c WHERE c.key = value->>0 AND c.version > value->>1)
       ORDER BY value->>1`,
      JSON.stringify(changes.map(({ key, version }) => [key, version])),
      now,
    );
    this.#sql.exec("DELETE FROM changed_routes WHERE at < ?", now - feedRetentionMilliseconds);
  }

  /** Returns a page of the changes after `seq`, oldest first. 0 reads from the beginning. */
  changes(seq: number): FeedPage {
    const rows = this.#sql
      .exec<{ seq: number; key: string; version: number }>(
        "SELECT seq, key, version FROM changed_routes WHERE seq > ? ORDER BY seq LIMIT ?",
        seq,
        feedPageSize + 1,
      )
      .toArray();
    const page = rows.slice(0, feedPageSize);
    return {
      format: feedPageFormat,
      seq: page.at(-1)?.seq ?? seq,
      changes: page.map(({ key, version }): FeedChange => ({ key, version })),
      more: rows.length > page.length,
      at: Date.now(),
      instance: this.#instance,
    };
  }
}
