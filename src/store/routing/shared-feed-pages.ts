import type { Region } from "../../protocol/regions.ts";
import { isSharedFeedPage, type SharedFeedPage } from "../../protocol/route-feed.ts";

/** A cache shared by the isolates of a colo. */
export interface SharedPages {
  /** The origin of the cache's keys. No request reaches it. */
  readonly origin: string;
  open(): Promise<Pick<Cache, "match" | "put">>;
}

/** Seconds. Only an upper limit; readers check a page's age themselves. */
const maxAge = 5;

/**
 * Returns the page of a region's feed that an isolate of this colo shared last; undefined if there is none of this
 * format.
 */
export async function readSharedPage(
  pages: SharedPages,
  region: Region,
): Promise<SharedFeedPage | undefined> {
  const response = await (await pages.open()).match(cacheKey(pages, region));
  const page = await response?.json();
  return isSharedFeedPage(page) ? page : undefined;
}

/** Shares a page with the isolates of this colo. */
export async function writeSharedPage(
  pages: SharedPages,
  region: Region,
  page: SharedFeedPage,
): Promise<void> {
  const headers = { "cache-control": `max-age=${maxAge}` };
  await (await pages.open()).put(cacheKey(pages, region), Response.json(page, { headers }));
}

const cacheKey = ({ origin }: SharedPages, region: Region) => `${origin}/${region}`;
