import { DurableObject } from "cloudflare:workers";
import type { FeedPage } from "../contract/routes.ts";
import { routing } from "../contract/routing.ts";

/**
 * One region's list of hashes whose route changed in the last minutes. Every change is published here before
 * it is answered, so an edge that has asked within the last second knows of it, whatever its caches say.
 */
export class RouteFeed extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        hash TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        at INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS changes_by_age ON changes (at);
    `);
  }

  /**
   * Notes that a hash has reached a version. An older version than the one that is known changes nothing.
   * @param now the publisher's clock, epoch milliseconds
   */
  publish(hash: string, version: number, now: number): void {
    const known = this.#sql
      .exec<{ version: number }>("SELECT version FROM changes WHERE hash = ?", hash)
      .toArray()[0];
    if (known !== undefined && known.version > version) return;
    // A new row, hence a new seq: readers that have seen the old one must see this one too.
    this.#sql.exec("INSERT OR REPLACE INTO changes (hash, version, at) VALUES (?, ?, ?)", hash, version, now);
    this.#sql.exec("DELETE FROM changes WHERE at < ?", now - routing.feedMilliseconds);
  }

  /** What changed after `seq`, oldest first, one page of it. 0 asks for all there is. */
  changes(seq: number): FeedPage {
    const rows = this.#sql
      .exec<{ seq: number; hash: string; version: number }>(
        "SELECT seq, hash, version FROM changes WHERE seq > ? ORDER BY seq LIMIT ?",
        seq,
        routing.feedPage + 1,
      )
      .toArray();
    const page = rows.slice(0, routing.feedPage);
    return {
      seq: page.at(-1)?.seq ?? seq,
      changes: page.map((row) => [row.hash, row.version] as const),
      more: rows.length > page.length,
    };
  }
}
