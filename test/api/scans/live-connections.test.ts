import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import type { Deps } from "../../../src/domain/deps.ts";
import { revokeKey } from "../../../src/domain/identity/revocation.ts";
import { livePong } from "../../../src/protocol/live.ts";
import { expectError } from "../../support/endpoints.ts";
import { runAlarms } from "../../support/scans/archives.ts";
import { EventStream } from "../../support/scans/event-stream.ts";
import { type Client, FakeClock, Service } from "../../support/service.ts";
import { connections, ledgerOf, watchable } from "../../support/world/watchable.ts";

const service = new Service();

/** Much fewer than there would be. */
const { liveConnections } = limits;
beforeAll(() => void Object.assign(limits, { liveConnections: 4 }));
afterAll(() => void Object.assign(limits, { liveConnections }));

describe("the ledger's object", () => {
  it("hibernates while clients wait, and shows them the scans that wake it", async () => {
    const { client, a, scanOf, record } = await watchable(service);
    const stream = await EventStream.open(client, `/qr/${a.id}/scans/live`);
    for (let i = 1; i <= 2; i += 1) {
      await evictDurableObject(ledgerOf(client));
      const [scan] = await record(scanOf(a));
      expect(await stream.take(1)).toMatchObject([{ id: i, data: { id: scan?.id } }]);
    }
    await stream.cancel();
  });

  it("ends the streams when it loses their connections, and clients resume", async () => {
    const { client, a, b, scanOf, record } = await watchable(service);
    const stream = await EventStream.open(client, `/qr/${a.id}/scans/live`);
    await record(scanOf(a), scanOf(b));
    await stream.take(1);
    await evictDurableObject(ledgerOf(client), { webSockets: "close" });
    expect(await stream.rest()).toEqual([]);
    // Also past the scans of other codes, of which it had no events.
    expect(stream.lastEventId).toBe("2");
    const [missed] = await record(scanOf(a));
    const resumed = await EventStream.open(client, `/qr/${a.id}/scans/live`, stream.lastEventId);
    expect(await resumed.take(1)).toMatchObject([{ id: 3, data: { id: missed?.id } }]);
    await resumed.cancel();
  });
});

describe("connections", () => {
  it("are closed when the client leaves, and are not opened for HEAD", async () => {
    const { client } = await watchable(service);
    const streams = [
      await EventStream.open(client, "/scans/live"),
      await EventStream.open(client, "/scans/live"),
    ];
    expect(await connections(client)).toBe(2);
    for (const stream of streams) await stream.cancel();
    await expect.poll(() => connections(client)).toBe(0);
    const head = await client.send("HEAD", "/scans/live");
    expect([head.status, head.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    await expect.poll(() => connections(client)).toBe(0);
  });

  it("are bounded per workspace: the oldest gives way to the newest, and its client resumes later", async () => {
    const { client, a, record, scanOf } = await watchable(service);
    const other = await watchable(service);
    const others = await EventStream.open(other.client, "/scans/live");
    const streams: EventStream[] = [];
    // As many again as there may be: none of the clients reads that it has been replaced, as if all had left.
    for (let i = 0; i < 2 * limits.liveConnections; i += 1) {
      streams.push(await EventStream.open(client, i % 2 ? "/scans/live" : `/qr/${a.id}/scans/live`));
    }
    expect(await connections(client)).toBe(limits.liveConnections);
    const [first] = await record(scanOf(a));
    const replaced = streams.splice(0, limits.liveConnections);
    for (const stream of streams) expect(await stream.take(1)).toMatchObject([{ id: 1 }]);
    for (const stream of replaced) {
      expect(await stream.rest()).toEqual([]);
      expect(stream.retry).toBe(30_000);
    }
    const resumed = await EventStream.open(client, "/scans/live", replaced[0]?.lastEventId);
    expect(await resumed.take(1)).toMatchObject([{ id: 1, data: { id: first?.id } }]);
    expect(await connections(other.client)).toBe(1);
    for (const stream of [...streams, resumed, others]) await stream.cancel();
  });
});

describe("a request", () => {
  const watch = (client: Client, path: string, headers: Record<string, string> = {}) =>
    client.send("GET", path, undefined, headers);

  it("is refused for a deleted or foreign code, without the scope, and with a publishable key", async () => {
    const { client, a, b } = await watchable(service);
    await client.send("DELETE", `/qr/${a.id}`);
    await expectError(await watch(client, `/qr/${a.id}/scans/live`), 404, "not_found");
    const other = await service.workspace();
    await expectError(await watch(other, `/qr/${b.id}/scans/live`), 404, "not_found");
    const reader = await service.client(client.workspaceId, ["qr:read"]);
    expect(await expectError(await watch(reader, "/scans/live"), 403, "forbidden")).toContain("scans:read");
    const publishable = await service.client(client.workspaceId, ["qr:write"], "publishable", [
      "https://a.example",
    ]);
    await expectError(await watch(publishable, "/scans/live"), 403, "forbidden");
    expect(await connections(client)).toBe(0);
  });

  it("is refused with a number that isn't one of a scan, which it names", async () => {
    const client = await service.workspace();
    for (const value of ["x", "-1", "1.5", "1e3", "9".repeat(16)]) {
      const query = await watch(client, `/scans/live?after=${value}`);
      expect(await expectError(query, 400, "invalid_input")).toMatch(/^after /);
      const header = await watch(client, "/scans/live", { "last-event-id": value });
      expect(await expectError(header, 400, "invalid_input")).toMatch(/^Last-Event-ID /);
    }
    expect(await connections(client)).toBe(0);
  });

  it("may accept anything", async () => {
    const client = await service.workspace();
    const response = await watch(client, "/scans/live", { accept: "application/json" });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    await response.body?.cancel();
  });
});

/** The heartbeats of streams, which come when a test says so. */
class Heartbeats {
  #waiting: (() => void)[] = [];
  #pings = 0;
  #pongs = 0;

  readonly pause = (milliseconds: number): Promise<void> =>
    milliseconds === 15_000
      ? new Promise((resolve) => {
          this.#waiting.push(resolve);
        })
      : scheduler.wait(milliseconds);

  /** A ledger whose live connections are observed. */
  readonly ledger: Deps["ledger"] = (workspaceId) => {
    const stub = env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
    const fetch = async (request: Request) => {
      const response = await stub.fetch(request);
      const { webSocket } = response;
      if (webSocket !== null) {
        const send = webSocket.send.bind(webSocket);
        webSocket.send = (message) => {
          this.#pings += 1;
          send(message);
        };
        webSocket.addEventListener("message", ({ data }) => {
          if (data === livePong) this.#pongs += 1;
        });
      }
      return response;
    };
    return new Proxy(stub, {
      get: (target, name) => (name === "fetch" ? fetch : Reflect.get(target, name, target)),
    });
  };

  /** The next heartbeat of all streams, once each of them waits for it and all pings have been answered. */
  async beat(streams = 1): Promise<void> {
    await vi.waitUntil(() => this.#waiting.length === streams && this.#pings === this.#pongs, {
      timeout: 20_000,
      interval: 1,
    });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** A service whose heartbeats and clock are the test's. */
function slowService() {
  const heartbeats = new Heartbeats();
  const clock = new FakeClock();
  const { pause, ledger } = heartbeats;
  return { heartbeats, clock, slow: new Service({ pause, ledger, now: clock.now }) };
}

describe("a stream", () => {
  it("has a comment every 15 s, which says where to resume, and does not wake the object", async () => {
    const { heartbeats, slow } = slowService();
    const { client, a, b, scanOf, record } = await watchable(slow);
    const stream = await EventStream.open(client, `/qr/${a.id}/scans/live`);
    await record(scanOf(b), scanOf(b));
    await heartbeats.beat();
    expect(await stream.next()).toEqual({ id: 2, name: undefined, data: {} });
    // These scans are old, so their totals are copied at once.
    await runAlarms(ledgerOf(client), Date.now() + 3_600_000);
    await evictDurableObject(ledgerOf(client));
    for (let i = 0; i < 5; i += 1) {
      await heartbeats.beat();
      expect(await stream.next()).toMatchObject({ name: undefined });
    }
    // An object that is not running can't be evicted.
    await expect(evictDurableObject(ledgerOf(client))).rejects.toThrow();
    await stream.cancel();
    await heartbeats.beat();
  });

  it("ends within a minute once its key is revoked, or its session has ended", async () => {
    const { heartbeats, clock, slow } = slowService();
    const { client } = await watchable(slow);
    const session = await slow.sessionIn(client.workspaceId);
    const stays = await slow.client(client.workspaceId);
    const ending = [
      await EventStream.open(client, "/scans/live"),
      await EventStream.open(session, "/developer/scans/live"),
    ];
    const staying = await EventStream.open(stays, "/scans/live");
    const owner = serviceContext(client.workspaceId, "business");
    await revokeKey(slow.deps, owner, client.keyId);
    await slow.fetch("/dashboard/sign-out-everywhere", {
      method: "POST",
      headers: { cookie: session.cookie, origin: slow.deps.settings.appOrigin },
    });
    clock.advance(60_000);
    for (let i = 0; i < 4; i += 1) await heartbeats.beat(3);
    for (const stream of ending) expect(await stream.rest()).toEqual([]);
    await heartbeats.beat(1);
    await staying.cancel();
    await heartbeats.beat(1);
    expect((await client.send("GET", "/scans/live")).status).toBe(401);
  });

  it("ends after an hour", async () => {
    const { heartbeats, slow } = slowService();
    const { client } = await watchable(slow);
    const stream = await EventStream.open(client, "/scans/live");
    for (let i = 0; i < 240; i += 1) {
      await heartbeats.beat();
      expect(await stream.next()).toMatchObject({ name: undefined });
    }
    expect(await stream.rest()).toEqual([]);
    await expect.poll(() => connections(client)).toBe(0);
  });

  it("ends when the ledger's connection answers no ping", async () => {
    const { client } = await watchable(service);
    const [near, far] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    far.accept();
    const answer = async () => new Response(null, { status: 101, webSocket: near });
    const broken = new Service({
      pause: async () => {},
      ledger: () => ({ fetch: answer }) as unknown as ReturnType<Deps["ledger"]>,
    });
    const response = await (await broken.client(client.workspaceId)).send("GET", "/scans/live");
    // Without an id, since the ledger has said nothing.
    expect(await response.text()).toMatch(/^retry: 2000\n\n(:\n\n)+$/);
  });
});

describe("connections whose Worker is gone", () => {
  afterEach(() => vi.useRealTimers());

  it("are closed after a minute without a ping", async () => {
    const { client, scanOf, a, record } = await watchable(service);
    const silent: EventStream[] = [];
    for (let i = 0; i < limits.liveConnections; i += 1)
      silent.push(await EventStream.open(client, "/scans/live"));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    const stream = await EventStream.open(client, "/scans/live");
    for (const each of silent) expect(await each.rest()).toEqual([]);
    await record(scanOf(a));
    expect(await stream.take(1)).toMatchObject([{ id: 1 }]);
    await stream.cancel();
  });
});
