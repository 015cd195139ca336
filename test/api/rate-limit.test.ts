import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { plans } from "../../src/contract/plans.ts";
import { FakeProvider } from "../support/provider.ts";
import { FakeClock, Service } from "../support/service.ts";

const minute = 60_000;
/** A clock at the beginning of a minute, so that a test's requests share one window. */
const startOfMinute = () => new FakeClock(Math.floor(Date.now() / minute) * minute);

it("admits exactly the cap of simultaneous requests from three isolates", async () => {
  const clock = startOfMinute();
  const edges = [0, 1, 2].map(() => new Service({ now: clock.now }));
  const owner = await (edges[0] as Service).workspace("pro", null);
  const tooMany = plans.pro.requestsPerMinute + 9;
  const answers = await Promise.all(
    Array.from({ length: tooMany }, (_, i) =>
      (edges[i % 3] as Service).fetch("/api/v1/folders", {
        headers: { authorization: `Bearer ${owner.key}` },
      }),
    ),
  );
  const statuses = answers.map((answer) => answer.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(plans.pro.requestsPerMinute);
  expect(statuses.filter((status) => status === 429)).toHaveLength(9);
  const remaining = answers.filter((answer) => answer.status === 200).map(remainingOf);
  expect(new Set(remaining).size).toBe(plans.pro.requestsPerMinute);
});

it("keeps the count when the meter is evicted within the minute, and resets it with the next", async () => {
  const clock = startOfMinute();
  const service = new Service({ now: clock.now });
  const client = await service.workspace("pro", 10);
  for (let i = 0; i < 7; i += 1) await client.send("GET", "/folders");
  await evictDurableObject(env.METERS.get(env.METERS.idFromName(client.keyId)));
  expect(remainingOf(await client.send("GET", "/folders"))).toBe(2);

  clock.advance(minute - 1);
  expect(remainingOf(await client.send("GET", "/folders"))).toBe(1);
  clock.advance(1);
  expect(remainingOf(await client.send("GET", "/folders"))).toBe(9);
});

it("never reopens a window for an edge whose clock lags", async () => {
  const clock = startOfMinute();
  const ahead = new Service({ now: clock.now });
  const behind = new Service({ now: () => clock.now() - 2000 });
  const client = await ahead.workspace("pro", 3);
  const send = async (service: Service) =>
    (await service.fetch("/api/v1/folders", { headers: { authorization: `Bearer ${client.key}` } })).status;
  expect([await send(ahead), await send(behind), await send(ahead)]).toEqual([200, 200, 200]);
  expect([await send(behind), await send(ahead)]).toEqual([429, 429]);
});

it("counts each key separately, and answers when to retry", async () => {
  const clock = startOfMinute();
  clock.advance(45_000);
  const service = new Service({ now: clock.now });
  const first = await service.workspace("pro", 1);
  const second = await service.client(first.workspaceId);
  const counted = await first.send("GET", "/folders");
  expect([counted.status, counted.headers.get("x-ratelimit-reset")]).toEqual([200, "15"]);
  const over = await first.send("GET", "/folders");
  expect(over.status).toBe(429);
  expect(over.headers.get("retry-after")).toBe("15");
  expect((await second.send("GET", "/folders")).status).toBe(200);
});

it("drops a request over the cap before any data is touched", async () => {
  const service = new Service({ now: startOfMinute().now });
  const client = await service.workspace("pro", 1);
  await client.send("GET", "/folders");
  expect((await client.send("POST", "/folders", { name: "Never" })).status).toBe(429);
  const row = await env.DB.prepare("SELECT count(*) AS n FROM folders WHERE workspace_id = ?")
    .bind(client.workspaceId)
    .first();
  expect(row).toEqual({ n: 0 });
});

it("throttles only the address that tries unknown keys", async () => {
  const counted: string[] = [];
  const service = new Service({
    unknownKeyLimit: {
      limit: (options) => {
        counted.push(options.key);
        return env.UNKNOWN_KEYS.limit(options);
      },
    },
  });
  const client = await service.workspace();
  const tryKey = (i: number, address: string) =>
    service.fetch("/api/v1/folders", {
      headers: {
        authorization: `Bearer sk_live_${String(i).padStart(32, "0")}`,
        "cf-connecting-ip": address,
      },
    });
  expect((await tryKey(0, "192.0.2.1")).status).toBe(401);
  const [key = ""] = counted;
  // Counted as the next 290 misses would be. Between them and the limit of 300, the service itself counts.
  for (let i = 0; i < 290; i += 1) await env.UNKNOWN_KEYS.limit({ key });
  let misses = 291;
  while (misses <= 602 && (await tryKey(misses, "192.0.2.1")).status === 401) misses += 1;
  // The limit is per clock minute, so up to 600 misses are counted if a minute ends during the test.
  expect(misses).toBeGreaterThanOrEqual(301);
  expect(misses).toBeLessThanOrEqual(601);
  for (let i = 2000; i < 2008; i += 1) expect((await tryKey(i, "192.0.2.1")).status).toBe(429);
  expect((await tryKey(1000, "192.0.2.2")).status).toBe(401);
  // A key that the isolate remembers is accepted even from the throttled address.
  expect((await client.send("GET", "/folders")).status).toBe(200);
  expect((await client.send("GET", "/folders", undefined, { "cf-connecting-ip": "192.0.2.1" })).status).toBe(
    200,
  );
});

describe("a person is counted before it is known whether the workspace is theirs", () => {
  const cap = 30;

  /** Sends more requests than a minute allows, each naming another workspace. @returns the counts of each status */
  async function statusesOf(send: (workspace: string) => Promise<Response>) {
    const answers: Response[] = [];
    for (let i = 0; i < cap + 10; i += 1) answers.push(await send(crypto.randomUUID()));
    for (const [i, { headers }] of answers.entries()) {
      expect([headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")]).toEqual([
        `${cap}`,
        `${Math.max(0, cap - i - 1)}`,
      ]);
    }
    const byStatus = [...Map.groupBy(answers, ({ status }) => status)];
    return Object.fromEntries(byStatus.map(([status, { length }]) => [status, length]));
  }

  it("with a session, with and without a workspace of their own", async () => {
    const service = new Service({ now: startOfMinute().now });
    const person = await service.session("free", null);
    const send = (workspace: string) =>
      person.send("GET", "/developer/workspaces", undefined, { "x-workspace": workspace });
    expect(await statusesOf(send)).toEqual({ 403: cap, 429: 10 });
    // The same meter counts what the person does in the workspace that they chose last.
    expect((await person.send("GET", "/developer/workspaces")).status).toBe(429);

    const removed = await service.session("business", null);
    await env.DB.prepare("DELETE FROM members WHERE user_id = ?").bind(removed.userId).run();
    expect(
      await statusesOf((workspace) =>
        removed.send("GET", "/developer/workspaces", undefined, { "x-workspace": workspace }),
      ),
    ).toEqual({ 403: cap, 429: 10 });
    expect((await removed.send("GET", "/developer/workspaces")).status).toBe(429);
  });

  it("with a token", async () => {
    const clock = startOfMinute();
    const provider = await FakeProvider.start(clock.now);
    const service = new Service({ now: clock.now, fetch: provider.fetch });
    const authorization = `Bearer ${await provider.token({ sub: "someone with a token" })}`;
    const send = (workspace: string) =>
      service.fetch("/api/v1/developer/workspaces", { headers: { authorization, "x-workspace": workspace } });
    expect(await statusesOf(send)).toEqual({ 403: cap, 429: 10 });
  });
});

const remainingOf = (answer: Response) => Number(answer.headers.get("x-ratelimit-remaining"));
