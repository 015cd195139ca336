import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import { makeCodeOfPage, type PageMaker, pageMaker } from "../support/hosted-pages.ts";
import { runs, sample } from "../support/runner/runs.ts";
import { FakeClock, Service } from "../support/service.ts";
import { type Suspendable, setSuspension, suspensionPath } from "../support/suspension.ts";
import { MortalIsolate } from "../support/world/mortal-isolate.ts";
import { wrapBinding, wrapDatabase } from "../support/world/wrapped-database.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let maker: PageMaker;

beforeEach(async () => {
  maker = await pageMaker(service);
});

/** Of the awaits at which a request dies, each one that is tried. */
const step = runs(9, 1);

const reason = "Reported as phishing";
const set = (kind: Suspendable, id: string, body?: object | null) =>
  setSuspension({ service, clock }, kind, id, body);
const newEdge = (overrides: DepsOverrides = {}) => new Service({ now: clock.now, ...overrides });

describe("a request that died, and is repeated", () => {
  const changes: [Suspendable, object | null][] = [
    ["qr", { reason }],
    ["qr", null],
    ["pages", null],
    ["pages", { reason }],
    ["workspaces", { reason }],
    ["workspaces", null],
  ];

  it.each(sample(changes, 2))(
    "publishes a change of %s to %j, at whichever await it died",
    async (kind, body) => {
      const { page, qr } = await makeCodeOfPage(maker);
      const id = { qr: qr.id, pages: page.id, workspaces: maker.client.workspaceId }[kind];
      let died = true;
      // The changes begin at different awaits, so that they try more of them between them.
      const first = changes.findIndex((change) => change[0] === kind && change[1] === body) % step;
      for (let calls = first; died; calls += step) {
        await set(kind, id, body === null ? { reason } : null);
        const edge = newEdge();
        const before = body === null ? 403 : 200;
        expect((await edge.scan(qr.hash)).status).toBe(before);
        const path = `/api/v1${suspensionPath(kind, id)}`;
        const init = {
          method: body === null ? "DELETE" : "PUT",
          headers: {
            authorization: `Bearer ${service.operatorSecret}`,
            "content-type": "application/json",
          },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
        };
        died = (await new MortalIsolate(service.deps, calls).fetch(path, init)) === undefined;
        await set(kind, id, body);
        expect([calls, (await edge.scan(qr.hash)).status]).toEqual([calls, before === 403 ? 200 : 403]);
      }
    },
  );
});

describe("what a scan reads", () => {
  /** An edge whose calls of bindings are recorded, each as its binding and its key or its statement's table. */
  function recordingEdge() {
    const calls: string[] = [];
    const { deps } = service;
    const record = (name: string) => (work: () => Promise<unknown>) => {
      calls.push(name);
      return work();
    };
    const edge = newEdge({
      db: wrapDatabase(deps.db, record("D1") as never),
      feed: (region) => wrapBinding(deps.feed(region), record("feed") as never),
      routeCache: {
        get: async (key: string) => {
          calls.push(`KV ${key}`);
          return env.ROUTES.get(key, "json");
        },
      } as unknown as KVNamespace,
    });
    return { edge, calls };
  }

  it("is nothing from memory, and one more key of KV without", async () => {
    const [qr, second] = [await maker.client.createQr(), await maker.client.createQr()];
    const paused = await maker.client.createQr({ status: "paused" });
    const owner = `workspace:${maker.client.workspaceId}`;
    const { edge, calls } = recordingEdge();
    await edge.scan(qr.hash);
    expect(calls.splice(0).sort()).toEqual([`KV ${qr.hash}`, `KV ${owner}`, "feed"].sort());
    for (let i = 0; i < 3; i += 1) await edge.scan(qr.hash);
    expect(calls).toEqual([]);
    // Another code of the same workspace.
    await edge.scan(second.hash);
    expect(calls.splice(0)).toEqual([`KV ${second.hash}`]);
    // Counting what gets no target reads nothing either.
    await edge.scan(paused.hash);
    expect(calls.splice(0)).toEqual([`KV ${paused.hash}`]);
    await edge.scan(paused.hash);
    expect(calls).toEqual([]);
    clock.advance(30_001);
    await edge.scan(qr.hash);
    expect(calls.splice(0).sort()).toEqual([`KV ${qr.hash}`, `KV ${owner}`, "feed"].sort());
  });

  it("is read side by side: the workspace beside the feed, and beside the route once that was read", async () => {
    const qr = await maker.client.createQr();
    const owner = `workspace:${maker.client.workspaceId}`;
    const { deps } = service;
    /** Resolved when the key is asked for. */
    let asked = Promise.withResolvers<void>();
    let waiting: "feed" | "route" | undefined = "feed";
    const edge = newEdge({
      feed: (region) =>
        ({
          changes: async (seq: number) => {
            if (waiting === "feed") await asked.promise;
            return deps.feed(region).changes(seq);
          },
        }) as unknown as ReturnType<typeof deps.feed>,
      routeCache: {
        get: async (key: string) => {
          if (key === owner) asked.resolve();
          else if (waiting === "route") await asked.promise;
          return env.ROUTES.get(key, "json");
        },
      } as unknown as KVNamespace,
    });
    const warn = vi.spyOn(console, "warn");
    expect((await edge.scan(qr.hash)).status).toBe(302);
    // If the workspace were read after the feed, the feed's read would have timed out.
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
    clock.advance(30_001);
    asked = Promise.withResolvers();
    waiting = "route";
    // This would wait for good if the workspace were read after the route.
    expect((await edge.scan(qr.hash)).status).toBe(302);
  });
});

/** A route cache that can't read the workspaces' records. */
const noWorkspaces = {
  get: async (key: string) => {
    if (key.startsWith("workspace:")) throw new Error("Network connection lost");
    return env.ROUTES.get(key, "json");
  },
} as unknown as KVNamespace;

it.each<Suspendable>(["qr", "workspaces"])(
  "a scan follows a suspension of %s that it learns of while D1 answers it",
  async (kind) => {
    const qr = await maker.client.createQr();
    const other = await (await service.workspace()).createQr();
    let isSuspended = false;
    const edge = newEdge({
      routeCache: noWorkspaces,
      db: wrapDatabase(service.deps.db, async (work, sql) => {
        const result = await work();
        if (sql?.includes("suspension_version") && !isSuspended) {
          isSuspended = true;
          await set(kind, kind === "qr" ? qr.id : maker.client.workspaceId);
          // This scan reads the feed.
          await edge.scan(other.hash);
        }
        return result;
      }),
    });
    expect((await edge.scan(qr.hash)).status).toBe(403);
  },
);

describe("when a store fails", () => {
  const fail = () => {
    throw new Error("Network connection lost");
  };
  const noCatalogue = { prepare: fail, batch: fail, withSession: fail } as unknown as D1Database;
  const noRouteCache = { get: async () => fail() } as unknown as KVNamespace;

  it.each([
    ["D1", { db: noCatalogue }, 403],
    ["KV", { routeCache: noRouteCache }, 403],
    ["KV for the workspace alone", { routeCache: noWorkspaces }, 403],
    ["the feed", { feed: fail }, 403],
    ["KV and the feed", { routeCache: noRouteCache, feed: fail }, 403],
    // Nothing can say that it is suspended: a scan is answered.
    ["KV for the workspace alone, and D1", { routeCache: noWorkspaces, db: noCatalogue }, 302],
  ])("%s, a suspended workspace's scan is answered", async (_, overrides, status) => {
    const qr = await maker.client.createQr();
    await set("workspaces", maker.client.workspaceId);
    expect((await newEdge(overrides as DepsOverrides).scan(qr.hash)).status).toBe(status);
  });

  it("KV and D1, an edge goes on by what it knew last", async () => {
    const qr = await maker.client.createQr();
    await set("workspaces", maker.client.workspaceId);
    let isDown = false;
    const edge = newEdge({
      db: wrapDatabase(service.deps.db, async (work) => (isDown ? fail() : work())),
      routeCache: {
        get: async (key: string) =>
          isDown && key.startsWith("workspace:") ? fail() : env.ROUTES.get(key, "json"),
      } as unknown as KVNamespace,
    });
    expect((await edge.scan(qr.hash)).status).toBe(403);
    isDown = true;
    clock.advance(30_001);
    expect((await edge.scan(qr.hash)).status).toBe(403);
  });
});
