import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Deps } from "../../../src/domain/deps.ts";
import type { Region } from "../../../src/protocol/regions.ts";
import type { FeedChange } from "../../../src/protocol/route-feed.ts";

/** The regions whose feed this file's tests have read. */
const read = new Set<Region>();
/** The changes that were published to the feeds of the other regions, oldest first. */
const missed = new Map<Region, FeedChange[]>();

/** Forgets the feeds of the last test file. */
export function forgetFeeds(): void {
  read.clear();
  missed.clear();
}

const feedObject = (region: Region) => env.FEEDS.get(env.FEEDS.idFromName(region));

/** Makes all feeds drop their changes, as they do after ten minutes. */
export async function dropFromFeeds(): Promise<void> {
  missed.clear();
  for (const region of read) {
    await runInDurableObject(feedObject(region), (_, { storage }) => {
      storage.sql.exec("DELETE FROM changed_routes");
    });
  }
}

/**
 * Returns a region's feed, which gets what is published only when it is first read, and at once from then on. Every
 * change is published in nine regions, and the tests of a file read one or two.
 */
export const lateFeed: Deps["feed"] = (region) => {
  const feed = feedObject(region);
  return {
    async publish(changes) {
      if (read.has(region)) await feed.publish(changes);
      else missed.set(region, [...(missed.get(region) ?? []), ...changes]);
    },
    async changes(seq) {
      read.add(region);
      const late = missed.get(region);
      // Other requests may read the feed meanwhile. Publishing a change twice is harmless.
      if (late !== undefined) await feed.publish(late);
      missed.delete(region);
      return feed.changes(seq);
    },
  };
};
