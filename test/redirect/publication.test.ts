import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import { regions } from "../../src/protocol/regions.ts";
import { runs } from "../support/runner/runs.ts";
import { type Client, FakeClock, origin, Service, type SessionClient } from "../support/service.ts";
import { MortalIsolate } from "../support/world/mortal-isolate.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
});

/** Of the awaits at which a request dies, each one that is tried. */
const step = runs(9, 1);

/** A code or a page: its address in the API, and what an edge answers to a scan (null for a 404). */
interface Resource {
  readonly path: string;
  scan(edge: Service): Promise<string | null>;
}

async function code(): Promise<Resource> {
  const { id, hash } = await client.createQr();
  const scan = async (edge: Service) =>
    (await edge.fetch(`/${hash}`, { method: "HEAD" })).headers.get("location");
  return { path: `/api/v1/qr/${id}`, scan };
}

async function page(): Promise<Resource> {
  const { id } = await session.expect(201, Page, "POST", "/developer/pages", { title: "Before" });
  const scan = async (edge: Service) => {
    const response = await edge.fetch(`/pages/${id}`);
    return response.ok ? (/<h1>(.*?)<\/h1>/.exec(await response.text())?.[1] ?? "") : null;
  };
  return { path: `/api/v1/developer/pages/${id}`, scan };
}

function request(
  resource: Pick<Resource, "path">,
  method: string,
  body?: object,
): RequestInit<IncomingRequestCfProperties> {
  const credentials: Record<string, string> = resource.path.startsWith("/api/v1/qr")
    ? { authorization: `Bearer ${client.key}` }
    : { cookie: session.cookie, origin };
  return {
    method,
    headers: { ...credentials, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

const newData = { data: { type: "url", url: "https://example.org/new" } };
const changes = [
  { change: "a new destination", make: code, method: "PATCH", body: newData, after: newData.data.url },
  { change: "a pause", make: code, method: "PATCH", body: { status: "paused" }, after: null },
  { change: "a code's deletion", make: code, method: "DELETE", after: null },
  { change: "a page's new title", make: page, method: "PATCH", body: { title: "After" }, after: "After" },
  { change: "a page's deletion", make: page, method: "DELETE", after: null },
];

describe("a repeated request", () => {
  it.each(changes)("publishes $change, at whichever await the first one died", async (tested) => {
    const { make, method, body, after } = tested;
    let died = true;
    // The changes begin at different awaits, so that they try more of them between them.
    for (let calls = changes.indexOf(tested) % step; died; calls += step) {
      const resource = await make();
      const edge = new Service({ now: clock.now });
      expect(await resource.scan(edge)).not.toBeNull();
      const first = await new MortalIsolate(service.deps, calls).fetch(
        resource.path,
        request(resource, method, body),
      );
      died = first === undefined;
      const repeated = await service.fetch(resource.path, request(resource, method, body));
      expect([200, method === "DELETE" ? 404 : 200]).toContain(repeated.status);
      clock.advance(1001);
      expect([calls, await resource.scan(edge)]).toEqual([calls, after]);
    }
  });

  it("publishes the destination also when it only changes the name", async () => {
    let died = true;
    for (let calls = 0; died; calls += step) {
      const resource = await code();
      const edge = new Service({ now: clock.now });
      expect(await resource.scan(edge)).not.toBeNull();
      const mortal = new MortalIsolate(service.deps, calls);
      died = (await mortal.fetch(resource.path, request(resource, "PATCH", newData))) === undefined;
      expect((await service.fetch(resource.path, request(resource, "PATCH", { name: "New" }))).status).toBe(
        200,
      );
      const stored = await env.DB.prepare("SELECT data->>'url' AS url FROM qr_codes WHERE id = ?")
        .bind(resource.path.split("/").at(-1))
        .first("url");
      clock.advance(1001);
      expect([calls, await resource.scan(edge)]).toEqual([calls, stored]);
    }
  });

  it("publishes nothing when nothing is pending", async () => {
    const published: string[] = [];
    const counting = new Service({
      routeCache: {
        get: (key: string) => env.ROUTES.get(key, "json"),
        put: async (key: string, text: string) => {
          published.push(key);
          await env.ROUTES.put(key, text);
        },
      } as unknown as KVNamespace,
    });
    const { id, hash } = await client.createQr();
    await client.send("PATCH", `/qr/${id}`, newData);
    await service.consume("route-repairs", [{ body: { key: hash } }]);
    for (const body of [newData, { status: "active" }, { name: "New" }]) {
      const init = request({ path: "/api/v1/qr" }, "PATCH", body);
      expect((await counting.fetch(`/api/v1/qr/${id}`, init)).status).toBe(200);
    }
    expect(published).toEqual([]);
  });
});

it("the repairs of a batch read their codes at once and complete them", async () => {
  const codes = [await client.createQr(), await client.createQr(), await client.createQr()];
  for (const { id } of codes) await client.send("PATCH", `/qr/${id}`, newData);
  const read: string[] = [];
  const consumer = new Service({
    now: clock.now,
    db: wrapDatabase(env.DB, (work, sql = "") => {
      if (/FROM.*qr_codes/s.test(sql)) read.push(sql);
      return work();
    }),
  });
  const missing = { body: { key: "00000000" } };
  const messages = [...codes.map(({ hash }) => ({ body: { key: hash } })), missing];
  const { explicitAcks } = await consumer.consume("route-repairs", messages);
  const pending = env.DB.prepare(
    "SELECT key FROM pending_publications WHERE key IN (SELECT value FROM json_each(?))",
  ).bind(JSON.stringify(codes.map(({ hash }) => hash)));
  expect([read.length, explicitAcks.length, (await pending.all()).results]).toEqual([1, 4, []]);
});

it("a change is published though its client disconnects", async () => {
  const resource = await code();
  const publishing = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const published: string[] = [];
  const isolate = new Service({
    feed: (region) => {
      const stub = service.deps.feed(region);
      return {
        changes: (seq: number) => stub.changes(seq),
        publish: async (...change: Parameters<typeof stub.publish>) => {
          publishing.resolve();
          await released.promise;
          await stub.publish(...change);
          published.push(region);
        },
      } as unknown as ReturnType<typeof service.deps.feed>;
    },
  });
  /** The work that the platform keeps alive after the client has disconnected. */
  const kept: Promise<unknown>[] = [];
  const ctx = { waitUntil: (work: Promise<unknown>) => void kept.push(work), passThroughOnException() {} };
  const response = isolate.worker.fetch(
    new Request<unknown, IncomingRequestCfProperties>(
      new URL(resource.path, origin),
      request(resource, "PATCH", newData),
    ),
    env,
    ctx as unknown as ExecutionContext,
  );
  await publishing.promise;
  const keptAtDisconnection = [...kept];
  released.resolve();
  await Promise.all(keptAtDisconnection);
  const publishedMeanwhile = [...published];
  await response;
  expect(publishedMeanwhile.sort()).toEqual([...regions].sort());
});

it("a change is seen although another publisher's clock is ten minutes fast", async () => {
  const [first, second] = [await code(), await code()];
  const edge = new Service({ now: clock.now });
  expect(await first.scan(edge)).toBe("https://example.com/");
  const fast = new Service({ now: () => clock.now() + 11 * 60_000 });
  await service.fetch(first.path, request(first, "PATCH", newData));
  await fast.fetch(second.path, request(second, "PATCH", newData));
  clock.advance(1001);
  expect(await first.scan(edge)).toBe(newData.data.url);
});
