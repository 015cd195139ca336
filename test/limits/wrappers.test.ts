import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limitDeps } from "../support/limits/deps.ts";
import { connection, invoke, subrequest } from "../support/limits/invocation.ts";
import { PlatformLimitError, platform, takeViolations } from "../support/limits/platform.ts";
import { Service } from "../support/service.ts";

const { queue, sql, d1, kv } = platform;
const text = (length: number) => "x".repeat(length);
const deps = new Service().deps;

/** Makes a call that exceeds a limit. It fails, and it is recorded, so that a caller that catches the error fails, too. */
async function expectRefused(limit: string, call: () => unknown): Promise<void> {
  await expect((async () => call())()).rejects.toThrow(PlatformLimitError);
  expect(takeViolations()).toEqual([expect.stringContaining(limit)]);
}

/** An item for each limit: its name in the error, the largest call that is accepted, and the smallest that is not. */
type Cases = [limit: string, accepted: () => unknown, refused: () => unknown][];

const check = (cases: Cases) =>
  it.each(cases)("%s", async (limit, accepted, refused) => {
    await accepted();
    expect(takeViolations()).toEqual([]);
    await expectRefused(limit, refused);
  });

describe("a queue", () => {
  // Two quotes and the metadata belong to a message.
  const largest = queue.message - queue.metadata - 2;
  const accepting = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue<never>;
  const bindings = {
    "of a Worker": limitDeps({ ...deps, scanQueue: accepting }).scanQueue as unknown as Queue,
    "of the environment": env.ROUTE_REPAIRS as unknown as Queue,
  };
  const batch = (count: number, bytes: number) =>
    Array.from({ length: count }, () => ({ body: text(bytes) }));
  // Delayed, because the consumer must not run while the file ends: its log would come from another request.
  const later = { delaySeconds: 86_400 };
  for (const [name, binding] of Object.entries(bindings)) {
    describe(name, () => {
      check([
        [
          "bytes of a queue message",
          () => binding.send(text(largest), later),
          () => binding.send(text(largest + 1)),
        ],
        [
          "bytes of a queue message",
          () => binding.send(text(largest / 2 - 2), later),
          () => binding.send("é".repeat(largest / 2 + 1)),
        ],
        [
          "messages of a batch",
          () => binding.sendBatch(batch(100, 1), later),
          () => binding.sendBatch(batch(101, 1)),
        ],
        [
          "bytes of a batch",
          () => binding.sendBatch(batch(2, largest), later),
          () => binding.sendBatch(batch(3, 100_000)),
        ],
        ["delaySeconds", () => binding.send(1, later), () => binding.send(1, { delaySeconds: 86_401 })],
        [
          "delaySeconds",
          () => binding.sendBatch(batch(1, 1), later),
          () => binding.sendBatch([{ body: 1, delaySeconds: 86_401 }]),
        ],
      ]);
    });
  }
});

describe("D1", () => {
  const select = (parameters: number) =>
    env.DB.prepare(`SELECT ${Array(parameters).fill("?").join(",")}`).bind(...Array(parameters).fill(1));
  const comment = (bytes: number) => env.DB.prepare(`SELECT 1 /*${text(bytes - 13)}*/`);
  /** One row or more whose values are made by SQL. */
  const rows = (count: number, bytes: number) =>
    env.DB.prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT hex(zeroblob(?)) AS v FROM n",
    ).bind(count, bytes / 2);
  /** An invocation whose last queries are a batch. */
  const inInvocation = (count: number) =>
    invoke(async () => {
      subrequest(() => {}, { queries: count - 2 });
      await env.DB.batch([env.DB.prepare("SELECT 1"), env.DB.prepare("SELECT 1")]);
    });
  check([
    ["bound parameters", () => select(100).all(), () => select(101).all()],
    ["bytes of an SQL statement", () => comment(sql.text).all(), () => comment(sql.text + 1).all()],
    [
      "bytes of an SQL parameter",
      () => env.DB.prepare("SELECT length(?)").bind(text(sql.value)).all(),
      () =>
        env.DB.prepare("SELECT length(?)")
          .bind(text(sql.value + 1))
          .all(),
    ],
    ["bytes of a row", () => rows(1, sql.value).all(), () => rows(1, sql.value + 2).first()],
    ["bytes of a row", () => rows(1, sql.value).raw(), () => env.DB.batch([rows(1, sql.value + 2)])],
    ["bytes of a result set", () => rows(4, 1_900_000).all(), () => rows(5, 1_900_000).all()],
    ["D1 queries of an invocation", () => inInvocation(d1.queries), () => inInvocation(d1.queries + 1)],
  ]);
});

describe("the SQL storage of a Durable Object", () => {
  const exec = (query: string, ...values: unknown[]) =>
    runInDurableObject(env.FEEDS.get(env.FEEDS.idFromName("limits")), (_, { storage }) => {
      storage.sql.exec(query, ...values).toArray();
    });
  const select = (parameters: number) =>
    exec(`SELECT ${Array(parameters).fill("?").join(",")}`, ...Array(parameters).fill(1));
  const rows = (count: number, bytes: number) =>
    exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT hex(zeroblob(?)) AS v FROM n",
      count,
      bytes / 2,
    );
  check([
    ["bound parameters", () => select(100), () => select(101)],
    [
      "bytes of an SQL statement",
      () => exec(`SELECT 1 /*${text(sql.text - 13)}*/`),
      () => exec(`SELECT 1 /*${text(sql.text - 12)}*/`),
    ],
    [
      "bytes of an SQL parameter",
      () => exec("SELECT length(?)", text(sql.value)),
      () => exec("SELECT length(?)", text(sql.value + 1)),
    ],
    ["bytes of a row", () => rows(1, sql.value), () => rows(1, sql.value + 2)],
    ["bytes of a result set", () => rows(4, 1_900_000), () => rows(5, 1_900_000)],
  ]);
});

describe("KV", () => {
  const key = text(kv.key);
  const metadata = (bytes: number) => ({ metadata: text(bytes - 2) });
  /** An invocation whose last operations are reads. */
  const inInvocation = (count: number) =>
    invoke(async () => {
      subrequest(() => {}, { kvOperations: count - 2 });
      await Promise.all([env.ROUTES.get("k"), env.ROUTES.get("k")]);
    });
  check([
    ["bytes of a KV key", () => env.ROUTES.get(key), () => env.ROUTES.get(`${key}x`)],
    ["bytes of a KV key", () => env.ROUTES.put(key, ""), () => env.ROUTES.put(`${key}x`, "")],
    ["bytes of a KV key", () => env.ROUTES.delete(key), () => env.ROUTES.delete(`${key}x`)],
    [
      "bytes of a KV value",
      // Refused for what is checked after its size, because to store it takes long.
      () =>
        expectRefused("expirationTtl", () =>
          env.ROUTES.put("k", new ArrayBuffer(kv.value), { expirationTtl: 59 }),
        ),
      () => env.ROUTES.put("k", new ArrayBuffer(kv.value + 1)),
    ],
    [
      "bytes of KV metadata",
      () => env.ROUTES.put("k", "", metadata(kv.metadata)),
      () => env.ROUTES.put("k", "", metadata(kv.metadata + 1)),
    ],
    [
      "cacheTtl",
      () => env.ROUTES.get("k", { cacheTtl: 30 }),
      () => env.ROUTES.getWithMetadata("k", { cacheTtl: 29 }),
    ],
    [
      "expirationTtl",
      () => env.ROUTES.put("k", "", { expirationTtl: 60 }),
      () => env.ROUTES.put("k", "", { expirationTtl: 59 }),
    ],
    [
      "KV operations of an invocation",
      () => inInvocation(kv.operations),
      () => inInvocation(kv.operations + 1),
    ],
  ]);
});

describe("a call of a Durable Object", () => {
  const answering = (result: unknown) =>
    limitDeps({ ...deps, feed: () => ({ publish: () => result, changes: () => result }) as never }).feed(
      "weur",
    );
  const bytes = (length: number) => new Uint8Array(length);
  const largest = platform.rpc - 100;
  check([
    [
      "bytes of the arguments of publish",
      () => answering(0).publish([{ key: text(largest), version: 1 }]),
      () => answering(0).publish([{ key: text(platform.rpc), version: 1 }]),
    ],
    [
      "bytes of the result of changes",
      () => answering(bytes(largest)).changes(0),
      () => answering(bytes(platform.rpc)).changes(0),
    ],
  ]);
});

describe("an invocation", () => {
  const subrequests = (count: number) =>
    invoke(() => {
      for (let i = 0; i < count; i += 1) subrequest(() => {});
    });
  const connections = (count: number) =>
    invoke(() => Promise.all(Array.from({ length: count }, () => connection(async () => scheduler.wait(0)))));
  const externalRequests = (count: number) =>
    invoke(async () => {
      for (let i = 0; i < count; i += 1) await connection(async () => {});
    });
  check([
    [
      "subrequests of an invocation",
      () => subrequests(platform.subrequests),
      () => subrequests(platform.subrequests + 1),
    ],
    ["connections waiting for headers", () => connections(6), () => connections(7)],
    [
      "external subrequests of an invocation",
      () => externalRequests(platform.externalSubrequests),
      () => externalRequests(platform.externalSubrequests + 1),
    ],
  ]);

  it("frees a connection when its headers arrive", async () => {
    await invoke(async () => {
      for (let i = 0; i < 7; i += 1) await connection(async () => {});
    });
    expect(takeViolations()).toEqual([]);
  });

  it("counts calls of wrapped bindings once", async () => {
    await invoke(() => {
      for (let i = 0; i < platform.subrequests; i += 1) subrequest(() => subrequest(() => {}));
    });
    expect(takeViolations()).toEqual([]);
  });

  it.each(["a request", "a batch of a queue", "a sweep"])("is %s", async (kind) => {
    const calls = () => {
      for (let i = 0; i <= platform.subrequests; i += 1) subrequest(() => {});
    };
    const service = new Service({
      fetch: calls as unknown as typeof fetch,
      db: { prepare: calls, withSession: calls } as unknown as D1Database,
    });
    if (kind === "a request") await service.fetch("/0000000a");
    else if (kind === "a sweep") await service.worker.scheduled(undefined, env);
    else await service.consume("route-repairs", [{ body: { key: "0000000a" } }]);
    expect(takeViolations()).toContainEqual(expect.stringContaining("subrequests of an invocation"));
  });
});
