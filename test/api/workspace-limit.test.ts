import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/lib/seeded-random.ts";
import { capsPerWorkspace, workspaceMeterName } from "../../src/protocol/key-meter.ts";
import { type ApiClient, type Client, FakeClock, Service } from "../support/service.ts";

const minute = 60_000;
const cap = 5;
const limit = capsPerWorkspace * cap;

const objectOf = (name: string) => env.METERS.get(env.METERS.idFromName(name));

/** A workspace with keys, whose clock begins with a minute. */
async function workspaceWith(keys: number, perKey = cap) {
  const clock = new FakeClock(Math.floor(Date.now() / minute) * minute);
  const service = new Service({ now: clock.now });
  const first = await service.workspace("business", perKey);
  const clients: Client[] = [first];
  while (clients.length < keys) clients.push(await service.client(first.workspaceId));
  return { clock, service, clients, workspaceId: first.workspaceId };
}

const ask = async (client: ApiClient) => {
  const path = "keyId" in client ? "/folders" : "/developer/sessions";
  const { status, headers } = await client.send("GET", path);
  return { status, remaining: Number(headers.get("x-ratelimit-remaining")) };
};

const admitted = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

/** Removes a meter from memory, unless it isn't there. */
const evict = (name: string) => evictDurableObject(objectOf(name)).catch(() => {});

/** Makes every call from a meter to another one fail, until it is evicted. */
const cutOff = (name: string) =>
  runInDurableObject(objectOf(name), (instance) => {
    const get = () => {
      throw new Error("no other meter can be reached");
    };
    const METERS = new Proxy(env.METERS, {
      get: (target, property) => (property === "get" ? get : Reflect.get(target, property).bind(target)),
    });
    Object.defineProperty(instance, "env", { value: { ...env, METERS } });
  });

describe("all keys and people of a workspace", () => {
  it("together get four times what each gets in a minute, exactly, however they arrive", async () => {
    const { clock, service, clients, workspaceId } = await workspaceWith(5);
    const senders: ApiClient[] = [...clients, await service.sessionIn(workspaceId)];
    for (let i = 0; i < 2; i += 1) {
      const all = senders.flatMap((sender) => Array.from({ length: cap }, () => ask(sender)));
      expect(admitted(await Promise.all(all))).toBe(limit);
      clock.advance(minute);
    }
  });

  it("use all of it, also if each sends few requests", async () => {
    const { clients } = await workspaceWith(12, 4);
    expect(admitted(await Promise.all(clients.map(ask)))).toBe(12);
    expect(admitted(await Promise.all(clients.map(ask)))).toBe(4 * 4 - 12);
  });

  it("get the smaller remainder, and are refused with the contract's words", async () => {
    const { clients } = await workspaceWith(6);
    const [last, idle, ...others] = clients as [Client, Client, ...Client[]];
    await Promise.all(others.flatMap((client) => Array.from({ length: cap - 1 }, () => ask(client))));
    await Promise.all([ask(last), ask(last)]);
    expect(await ask(last)).toEqual({ status: 200, remaining: 1 });
    expect(await ask(idle)).toEqual({ status: 200, remaining: 0 });
    const over = await idle.send("GET", "/folders");
    expect([over.status, await over.json()]).toEqual([
      429,
      { error: "Rate limit exceeded", code: "rate_limited" },
    ]);
    expect([over.headers.get("x-ratelimit-limit"), over.headers.get("x-ratelimit-remaining")]).toEqual([
      `${cap}`,
      "0",
    ]);
  });

  it("are counted as a model counts them, over minutes, evictions and idle keys", async () => {
    const { clock, clients, workspaceId } = await workspaceWith(8);
    const random = seededRandom(7);
    const counts = new Map<Client, number>();
    let total = 0;
    for (let i = 0; i < 60; i += 1) {
      if (i % 30 === 29) {
        clock.advance(minute);
        counts.clear();
        total = 0;
      }
      if (i % 10 === 5) await evict(workspaceMeterName(workspaceId));
      // In some minutes few keys are in use.
      const inUse = Math.floor(i / 30) % 2 === 0 ? 3 : clients.length;
      const client = clients[Math.floor(random() * inUse)] as Client;
      if (i % 12 === 3) await evict(client.keyId);
      const own = counts.get(client) ?? 0;
      const isAllowed = own < cap && total < limit;
      const { status, remaining } = await ask(client);
      const left = Math.min(cap - own, limit - total) - 1;
      expect([i, status, remaining]).toEqual([i, isAllowed ? 200 : 429, isAllowed ? left : 0]);
      if (!isAllowed) continue;
      counts.set(client, own + 1);
      total += 1;
    }
  });
});

describe("the workspace's meter", () => {
  it("isn't asked where at most four keys are in use, after the first request of each", async () => {
    const { clock, clients } = await workspaceWith(capsPerWorkspace);
    await Promise.all(clients.map(ask));
    await Promise.all(clients.map(({ keyId }) => cutOff(keyId)));
    for (let i = 0; i < 3; i += 1) {
      clock.advance(minute);
      const all = clients.flatMap((client) => Array.from({ length: cap + 1 }, () => ask(client)));
      expect(admitted(await Promise.all(all))).toBe(limit);
    }
  });

  it("that is away leaves each key its own limit, and is asked again later", async () => {
    const { clock, clients } = await workspaceWith(6);
    await Promise.all(clients.map(({ keyId }) => cutOff(keyId)));
    const all = clients.flatMap((client) => Array.from({ length: cap + 1 }, () => ask(client)));
    expect(admitted(await Promise.all(all))).toBe(6 * cap);
    await Promise.all(clients.map(({ keyId }) => evict(keyId)));
    clock.advance(minute);
    const again = clients.flatMap((client) => Array.from({ length: cap }, () => ask(client)));
    expect(admitted(await Promise.all(again))).toBe(limit);
  });

  it("that was away counts what was admitted meanwhile", async () => {
    const { clock, clients } = await workspaceWith(6);
    await Promise.all(clients.map(({ keyId }) => cutOff(keyId)));
    const meanwhile = clients.flatMap((client) => [ask(client), ask(client)]);
    expect(admitted(await Promise.all(meanwhile))).toBe(12);
    await Promise.all(clients.map(({ keyId }) => evict(keyId)));
    clock.advance(minute / 2);
    const all = clients.flatMap((client) => Array.from({ length: cap }, () => ask(client)));
    expect(admitted(await Promise.all(all))).toBe(limit - 12);
  });

  it("keeps for meters that it can't reach what they may use, so that the limit still holds", async () => {
    const { clients, workspaceId } = await workspaceWith(8);
    const [one, ...others] = clients as [Client, ...Client[]];
    await ask(one);
    await cutOff(workspaceMeterName(workspaceId));
    const answers = await Promise.all(
      others.flatMap((client) => Array.from({ length: cap }, () => ask(client))),
    );
    const ofOne = await Promise.all(Array.from({ length: cap }, () => ask(one)));
    expect(admitted(answers) + 1 + admitted(ofOne)).toBeLessThanOrEqual(limit);
    expect(admitted(ofOne)).toBe(cap - 1);
  });

  it("doesn't count what an older Worker asks without naming the workspace, nor the dashboard's requests", async () => {
    const { clock, clients, service, workspaceId } = await workspaceWith(5);
    const allowance = { plan: "business", requestsPerMinute: cap, version: 0 } as const;
    const meters = clients.map(({ keyId }) => service.deps.meter(keyId));
    const answers = await Promise.all(meters.map((meter) => meter.hit(clock.now(), allowance)));
    expect(answers.every(({ outcome }) => outcome === "allowed")).toBe(true);
    const all = clients.flatMap((client) => Array.from({ length: cap }, () => ask(client)));
    // Each key has used one of its five.
    expect(admitted(await Promise.all(all))).toBe(limit);
    expect(workspaceId).toBe(clients[0]?.workspaceId);
  });

  it("follows a raised limit at once", async () => {
    const { clients, service, workspaceId } = await workspaceWith(6);
    const all = () =>
      Promise.all(clients.flatMap((client) => Array.from({ length: cap }, () => ask(client))));
    expect(admitted(await all())).toBe(limit);
    const plan = { plan: "business", requestsPerMinute: 2 * cap };
    const path = `/operator/workspaces/${workspaceId}/plan`;
    expect((await service.operator.send("PUT", path, plan)).status).toBe(200);
    expect(admitted(await all())).toBe(limit);
  });
});
