import { runInDurableObject } from "cloudflare:test";
import type { RouteFeed } from "../../../src/objects/route-feed.ts";
import {
  type FeedChange,
  type FeedPage,
  feedPageFormat,
  feedPageSize,
  feedRetentionMilliseconds,
} from "../../../src/protocol/route-feed.ts";

/** The releases whose code can run on a feed's table. */
export const feedReleases = ["present", "last"] as const;
export type FeedRelease = (typeof feedReleases)[number];

/** The methods of a feed. */
type Feed = Readonly<Pick<DurableObjectStub<RouteFeed>, "publish" | "changes">>;

/**
 * Returns a feed whose methods are those of a release, on the present one's table: what it is after somebody has gone
 * back.
 */
export function releasedFeed(stub: DurableObjectStub<RouteFeed>, release: FeedRelease): Feed {
  if (release === "present") return stub;
  return {
    publish: (changes) => runInDurableObject(stub, (_, { storage: { sql } }) => publish(sql, changes)),
    changes: (seq) => runInDurableObject(stub, (_, { storage: { sql } }) => changesAfter(sql, seq)),
  } as Feed;
}

/** The statements of 1.1.0, which never change. */
function publish(sql: SqlStorage, changes: readonly FeedChange[]): void {
  const now = Date.now();
  sql.exec(
    `INSERT OR REPLACE INTO changed_routes (key, version, at)
     SELECT value->>0, value->>1, ?2 FROM json_each(?1) WHERE NOT EXISTS
       (SELECT 1 FROM changed_routes c WHERE c.key = value->>0 AND c.version > value->>1)
     ORDER BY value->>1`,
    JSON.stringify(changes.map(({ key, version }) => [key, version])),
    now,
  );
  sql.exec("DELETE FROM changed_routes WHERE at < ?", now - feedRetentionMilliseconds);
}

function changesAfter(sql: SqlStorage, seq: number): FeedPage {
  const rows = sql
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
    instance: "1.1.0",
  };
}
