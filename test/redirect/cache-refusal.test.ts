import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { RouteRepair } from "../../src/protocol/messages.ts";
import { regions } from "../../src/protocol/regions.ts";
import type { Route } from "../../src/protocol/routes.ts";
import { runs } from "../support/runner/runs.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { type Edge, World } from "../support/world/world.ts";

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM pending_publications"),
    env.DB.prepare("DELETE FROM route_cache_refusals"),
  ]);
});

afterEach(() => {
  vi.useRealTimers();
});

const to = (url: string) => ({ data: { type: "url" as const, url } });
const oldUrl = "https://example.com/old";
const newUrl = "https://example.com/new";
const pending = () => env.DB.prepare("SELECT COUNT(*) AS n FROM pending_publications").first<number>("n");
const cached = async (hash: string) => (await env.ROUTES.get<Route>(hash, "json"))?.destination;

const minute = 60_000;

/** Minutes for which KV refuses: a day in the long runs. */
const outage = runs(40, 24 * 60);

describe.each([
  ["takes", false],
  ["refuses", true],
])("while KV refuses every write for long, and the queue %s repairs,", (_, repairSend) => {
  it("every scan follows the new route, by a call of each feed in four minutes and a write to KV in one", async () => {
    const world = new World(2);
    const [writer, reader] = world.edges as [Edge, Edge];
    const client = await writer.service.workspace();
    const codes: Qr[] = [];
    for (let i = 0; i < runs(2, 40); i += 1) codes.push(await client.createQr(to(oldUrl)));
    world.faults = { ...world.faults, kvPut: true, repairSend };
    for (const { id } of codes) {
      expect((await client.send("PATCH", `/qr/${id}`, to(newUrl))).status).toBe(200);
    }
    await world.advance(10 * minute);
    const before = { ...world.calls };
    for (let time = 0; time < outage; time += 20) {
      await world.advance(20 * minute);
      // An isolate that knows only what KV and its feed tell.
      world.restart(reader);
      const { hash } = codes[time % codes.length] as Qr;
      const response = await reader.service.fetch(`/${hash}`, { method: "HEAD", cf: reader.cf });
      expect(response.headers.get("location")).toBe(newUrl);
    }
    const during = { publish: world.calls.publish - before.publish, put: world.calls.put - before.put };
    expect(during.publish).toBeLessThanOrEqual((outage / 4) * regions.length);
    expect(during.put).toBeLessThanOrEqual(outage);

    world.clearFaults();
    await world.advance(minute);
    expect(await pending()).toBe(0);
    for (const { hash } of codes) expect(await cached(hash)).toBe(newUrl);
  });
});

/** An installation whose KV refuses writes with an error while there is one. */
class Installation {
  readonly clock = new FakeClock();
  /** Keys that were written, refused ones included. */
  readonly puts: string[] = [];
  readonly repairs: RouteRepair[] = [];
  refusal: ((key: string) => string | undefined) | undefined;

  isolate(): Service {
    return new Service({
      now: this.clock.now,
      routeCache: {
        get: (key: string) => env.ROUTES.get(key, "json"),
        put: async (key: string, text: string) => {
          this.puts.push(key);
          const error = this.refusal?.(key);
          if (error !== undefined) throw new Error(error);
          await env.ROUTES.put(key, text);
        },
      } as unknown as KVNamespace,
      routeRepairQueue: {
        send: async (body: RouteRepair) => void this.repairs.push(body),
        sendBatch: async (messages: Iterable<MessageSendRequest<RouteRepair>>) => {
          for (const { body } of messages) this.repairs.push(body);
        },
      } as unknown as Queue<RouteRepair>,
    });
  }

  /** Runs the sweep a minute later. */
  async sweep(isolate: Service): Promise<void> {
    this.clock.advance(minute + 1);
    await isolate.worker.scheduled(undefined, env);
  }
}

describe("an error that names the quota", () => {
  const quota = "KV put() limit exceeded for the day.";
  let installation: Installation;
  let client: Client;
  let isolate: Service;
  beforeEach(async () => {
    installation = new Installation();
    isolate = installation.isolate();
    client = await isolate.workspace();
  });
  const change = async (qr: Qr) =>
    expect((await client.send("PATCH", `/qr/${qr.id}`, to(newUrl))).status).toBe(200);

  it("keeps all isolates from writing, but for one probe a minute, until that succeeds", async () => {
    const codes: Qr[] = [];
    for (let i = 0; i < 4; i += 1) codes.push(await client.createQr(to(oldUrl)));
    installation.refusal = () => quota;
    installation.puts.length = 0;
    for (const qr of codes) await change(qr);
    await client.createQr();
    expect(installation.puts).toEqual([codes[0]?.hash]);
    expect(installation.repairs).toEqual([]);
    expect(await env.DB.prepare("SELECT cause FROM route_cache_refusals").first("cause")).toBe("quota");

    // The consumer of a message that was queued before is another isolate.
    const consumer = installation.isolate();
    const bodies = codes.map(({ hash }) => ({ body: { key: hash } }));
    const { explicitAcks } = await consumer.consume("route-repairs", bodies);
    expect(explicitAcks).toHaveLength(4);
    installation.puts.length = 0;
    for (let i = 0; i < 5; i += 1) await installation.sweep(consumer);
    expect(installation.puts).toHaveLength(5);
    expect(installation.repairs).toEqual([]);

    installation.refusal = undefined;
    await installation.sweep(consumer);
    await consumer.consume(
      "route-repairs",
      installation.repairs.map((body) => ({ body })),
    );
    expect(await pending()).toBe(0);
    for (const { hash } of codes) expect(await cached(hash)).toBe(newUrl);
    // An isolate that has learnt of the refusal writes again.
    const [first] = codes as [Qr];
    await client.send("PATCH", `/qr/${first.id}`, to(oldUrl));
    expect(await cached(first.hash)).toBe(oldUrl);
  });
});

it("an error of one key's writes keeps nobody else's from KV", async () => {
  const installation = new Installation();
  const isolate = installation.isolate();
  const client = await isolate.workspace();
  const [busy, other] = [await client.createQr(to(oldUrl)), await client.createQr(to(oldUrl))];
  installation.refusal = (key) => (key === busy.hash ? "KV PUT failed: 429 Too Many Requests" : undefined);
  for (const { id } of [busy, other]) await client.send("PATCH", `/qr/${id}`, to(newUrl));
  expect(await cached(other.hash)).toBe(newUrl);
  expect(installation.repairs).toMatchObject([{ key: busy.hash }, { key: other.hash }]);
  const { retryMessages } = await isolate.consume("route-repairs", [{ body: { key: busy.hash } }]);
  expect(retryMessages).toHaveLength(1);
  expect(await env.DB.prepare("SELECT 1 FROM route_cache_refusals").first()).toBeNull();
});
