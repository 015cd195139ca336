import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import { routing } from "../../src/edge/routing/timing.ts";
import { runtimeTimers } from "../../src/lib/with-timeout.ts";
import type { Region } from "../../src/protocol/regions.ts";
import { feedPageSize } from "../../src/protocol/route-feed.ts";
import { FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const to = (url: string) => ({ data: { type: "url" as const, url } });

/** KV as an edge sees it that has cached a value: always the old one. */
async function frozenCache(): Promise<KVNamespace> {
  const keys = (await env.ROUTES.list()).keys.map(({ name }) => name);
  const values = new Map(
    await Promise.all(keys.map(async (key) => [key, await env.ROUTES.get(key, "json")] as const)),
  );
  return {
    get: async (key: string) => values.get(key) ?? null,
    put: async () => {},
  } as unknown as KVNamespace;
}

it("an isolate that has not read the whole feed follows the catalogue, not the route cache", async () => {
  const client = await service.workspace();
  const qr = await client.createQr(to("https://example.com/old"));
  const suspended = await service.workspace();
  const theirs = await suspended.createQr();
  const path = `/operator/workspaces/${suspended.workspaceId}/suspension`;
  await service.operator.send("PUT", path, { reason: "A test" });
  await service.operator.send("DELETE", path);
  const routeCache = await frozenCache();
  // As many changes as a large bulk update makes, so that what follows is on the feed's second page.
  const changes = Array.from({ length: feedPageSize }, (_, i) => ({ key: `bulk${i}`, version: 2 }));
  await service.deps.feed("weur").publish(changes);
  await client.send("PATCH", `/qr/${qr.id}`, to("https://example.com/new"));
  await service.operator.send("PUT", path, { reason: "A test" });

  let isSilent = true;
  /** Ends the time that a read of the feed may take. */
  let giveUp = () => {};
  const startTimer: Deps["startTimer"] = (milliseconds, onEnd) => {
    if (milliseconds === routing.feedTimeoutMilliseconds) giveUp = onEnd;
    return runtimeTimers.startTimer(milliseconds, onEnd);
  };
  const feed = (region: Region) => ({
    publish: service.deps.feed(region).publish,
    changes: (seq: number) => {
      if (seq === 0 || !isSilent) return service.deps.feed("weur").changes(seq);
      queueMicrotask(giveUp);
      return new Promise<never>(() => {});
    },
  });
  const isolate = new Service({ now: clock.now, routeCache, feed, startTimer });
  const scan = async (hash: string) => {
    const response = await isolate.scan(hash);
    return response.headers.get("location") ?? response.status;
  };
  expect(await scan(qr.hash)).toBe("https://example.com/new");
  expect(await scan(theirs.hash)).toBe(403);
  expect(await scan("00000000")).toBe(404);
  // Once the rest of the feed has been read, it is known which records of the cache are old.
  isSilent = false;
  expect(await scan(qr.hash)).toBe("https://example.com/new");
  expect(await scan(theirs.hash)).toBe(403);
});
