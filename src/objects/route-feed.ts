import { DurableObject } from "cloudflare:workers";
import type { FeedPage } from "../protocol/routes.ts";
import { routing } from "../protocol/routing.ts";

/**
 * One region's list of keys whose route changed in the last minutes. Every change is published here before
 * it is answered, so an edge that has asked within the last second knows of it, whatever its caches say.
 */
export class RouteFeed extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS changed_routes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        at INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS changed_routes_by_age ON changed_routes (at);
    `);
  }

  /**
   * Notes that a key has reached a version. An older version than the one that is known changes nothing.
   * @param now the publisher's clock, epoch milliseconds
   */
  publish(key: string, version: number, now: number): void {
    const known = this.#sql
      .exec<{ version: number }>("SELECT version FROM changed_routes WHERE key = ?", key)
      .toArray()[0];
    if (known !== undefined && known.version > version) return;
    // A new row, hence a new seq: readers that have seen the old one must see this one too.
    this.#sql.exec(
      "INSERT OR REPLACE INTO changed_routes (key, version, at) VALUES (?, ?, ?)",
      key,
      version,
      now,
    );
    this.#sql.exec("DELETE FROM changed_routes WHERE at < ?", now - routing.feedMilliseconds);
  }

  /** What changed after `seq`, oldest first, one page of it. 0 asks for all there is. */
  changes(seq: number): FeedPage {
    const rows = this.#sql
      .exec<{ seq: number; key: string; version: number }>(
        "SELECT seq, key, version FROM changed_routes WHERE seq > ? ORDER BY seq LIMIT ?",
        seq,
        routing.feedPage + 1,
      )
      .toArray();
    const page = rows.slice(0, routing.feedPage);
    return {
      seq: page.at(-1)?.seq ?? seq,
      changes: page.map((row) => [row.key, row.version] as const),
      more: rows.length > page.length,
    };
  }
}
