import { describe, expect, it } from "vitest";
import {
  ConnectionError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PlanLimitError,
  QrCodes,
  RateLimitError,
  responseOf,
  ServiceError,
  TimeoutError,
  UnauthorizedError,
  VersionError,
} from "../../../clients/typescript/src/index.ts";
import { pauseAfter } from "../../../clients/typescript/src/retry.ts";
import { httpStatusOf } from "../../../src/contract/error-codes.ts";
import { json, ScriptedServer } from "../support/client/scripted-server.ts";
import { freePort } from "../support/dev-server.ts";

type Answer = Parameters<typeof ScriptedServer.start>[0];

const input = { qrType: "url", data: { type: "url", url: "example.com" } } as const;
const unavailable = { error: "Later.", code: "internal" };
const atOnce = { "retry-after": "0" };

/** Starts a server and a client of it. */
async function pair(answer: Answer, options: Partial<ConstructorParameters<typeof QrCodes>[0]> = {}) {
  const server = await ScriptedServer.start(answer);
  const client = new QrCodes({ key: "sk_live_test", baseUrl: server.origin, ...options });
  return { server, client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe("a request that fails", () => {
  /** Fails once in some way, then succeeds. */
  const failsOnce =
    (status: number): Answer =>
    (_, response, count) =>
      count > 1 ? json(response, 200, { id: "1" }) : json(response, status, unavailable, atOnce);
  const breaksOnce: Answer = (_, response, count) =>
    count > 1 ? json(response, 200, { id: "1" }) : response.destroy();

  it.each([
    ["get", (client: QrCodes) => client.qr.get("1")],
    ["update", (client: QrCodes) => client.qr.update("1", {})],
    ["upsert", (client: QrCodes) => client.qr.upsert("1", {})],
    ["delete", (client: QrCodes) => client.qr.delete("1")],
    ["create", (client: QrCodes) => client.qr.create(input)],
  ])("is sent again if it can be repeated: %s", async (_, call) => {
    for (const answer of [failsOnce(503), failsOnce(429), breaksOnce]) {
      await using to = await pair(answer);
      expect(await call(to.client)).toEqual({ id: "1" });
      const [first, second, ...others] = to.server.seen;
      expect(others).toEqual([]);
      const sent = [second?.method, second?.url, second?.body, second?.headers["idempotency-key"]];
      expect(sent).toEqual([first?.method, first?.url, first?.body, first?.headers["idempotency-key"]]);
    }
  });

  it.each([
    ["a POST without idempotency", (client: QrCodes) => client.folders.create({ name: "Menus" })],
    ["a restoration", (client: QrCodes) => client.qr.restore("1")],
    ["a condition", (client: QrCodes) => client.qr.update("1", {}, { ifMatch: '"3"' })],
    ["a creation only", (client: QrCodes) => client.qr.upsert("1", {}, { ifNoneMatch: "*" })],
  ])("is only sent again after a 429 if it may have been done: %s", async (_, call) => {
    for (const [answer, error] of [
      [failsOnce(503), ServiceError],
      [breaksOnce, ConnectionError],
    ] as const) {
      await using to = await pair(answer);
      await expect(call(to.client)).rejects.toThrow(error);
      expect(to.server.seen).toHaveLength(1);
    }
    await using to = await pair(failsOnce(429));
    expect(await call(to.client)).toEqual({ id: "1" });
  });

  it("names the service's origin and the cause, but neither path nor query", async () => {
    await using to = await pair(breaksOnce);
    const { origin } = to.server;
    const say = (client: QrCodes) => client.qr.list({ q: "private" }, { retries: 0 }).then(String, String);
    expect(await say(to.client)).toBe(
      `ConnectionError: There is no connection to ${origin}: other side closed (UND_ERR_SOCKET).`,
    );
    await using half = await pair((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    const download = await half.client.qr.export({ q: "private" });
    await expect(download.text()).rejects.toThrow(
      `There is no more of the download from ${half.server.origin}: other side closed (UND_ERR_SOCKET).`,
    );
    const gone = `http://127.0.0.1:${await freePort()}`;
    const unreached = new QrCodes({ key: "sk_live_test", baseUrl: gone });
    expect(await say(unreached)).toBe(
      `ConnectionError: There is no connection to ${gone}: connect ECONNREFUSED ${new URL(gone).host}.`,
    );
    // Deno's own words.
    const fetch = (url: string) =>
      Promise.reject(new TypeError(`error sending request for url (${url}): refused.`));
    const elsewhere = new QrCodes({ key: "sk_live_test", baseUrl: "https://me:pw@qr.example.com", fetch });
    expect(await say(elsewhere)).toBe(
      "ConnectionError: There is no connection to https://qr.example.com: " +
        "error sending request for url (https://qr.example.com): refused.",
    );
  });

  it("is not sent again after an error that stays", async () => {
    for (const status of [400, 401, 402, 403, 404, 409, 500]) {
      await using to = await pair(failsOnce(status));
      await expect(to.client.qr.get("1")).rejects.toMatchObject({ status });
      expect(to.server.seen).toHaveLength(1);
    }
  });

  it("is sent as often as it may be", async () => {
    await using to = await pair((_, response) => json(response, 429, unavailable, atOnce), { retries: 2 });
    await expect(to.client.qr.get("1")).rejects.toThrow(RateLimitError);
    expect(to.server.seen).toHaveLength(3);
    await expect(to.client.qr.get("1", { retries: 0 })).rejects.toThrow(RateLimitError);
    expect(to.server.seen).toHaveLength(4);
  });

  it("was a deletion that had been done: then it is a success", async () => {
    const gone = { error: "Nothing is here.", code: "not_found" };
    await using done = await pair((_, response, count) =>
      count > 1 ? json(response, 404, gone) : response.destroy(),
    );
    expect(await done.client.qr.delete("1")).toEqual({ success: true });
    await using never = await pair((_, response) => json(response, 404, gone));
    await expect(never.client.qr.delete("1")).rejects.toThrow(NotFoundError);
    // A 429 means that nothing was done.
    await using limited = await pair((_, response, count) =>
      count > 1 ? json(response, 404, gone) : json(response, 429, gone, atOnce),
    );
    await expect(limited.client.qr.delete("1")).rejects.toThrow(NotFoundError);
  });

  it("waits as long as the service says, and else longer each time", () => {
    const attempt = { status: 503, retryAfter: undefined, before: 0, repeatable: true };
    const pauses = [0, 1, 2, 3, 9].map((before) => pauseAfter({ ...attempt, before }, 10, 1));
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    expect(pauseAfter(attempt, 10, 0)).toBe(250);
    expect(pauseAfter({ ...attempt, retryAfter: 17 }, 10, 0)).toBe(17_000);
    expect(pauseAfter({ ...attempt, retryAfter: 60 }, 10, 0)).toBe(60_000);
    expect(pauseAfter({ ...attempt, retryAfter: 3_600 }, 10, 0)).toBeUndefined();
    expect(pauseAfter({ ...attempt, before: 3 }, 3, 0)).toBeUndefined();
  });
});

describe("an error", () => {
  it.each([
    [400, "invalid_input", InvalidInputError],
    [401, "unauthorized", UnauthorizedError],
    [402, "plan_limit", PlanLimitError],
    [403, "forbidden", ForbiddenError],
    [403, "plan_limit", PlanLimitError],
    [404, "not_found", NotFoundError],
    [409, "invalid_input", InvalidInputError],
    [412, "invalid_input", VersionError],
    [413, "invalid_input", InvalidInputError],
    [429, "rate_limited", RateLimitError],
    [500, "internal", ServiceError],
    [503, "internal", ServiceError],
  ] as const)("has a class, and what the service said: %s %s", async (status, code, type) => {
    const headers = { "x-request-id": "request-1", "retry-after": "7" };
    await using to = await pair((_, response) =>
      json(response, status, { error: "url is empty.", code }, headers),
    );
    const error = await to.client.qr.get("1", { retries: 0 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({
      ...{ name: type.name, message: "url is empty.", status, code, requestId: "request-1", retryAfter: 7 },
    });
  });

  it("has a class for each code of the contract", async () => {
    for (const [code, status] of Object.entries(httpStatusOf)) {
      await using to = await pair((_, response) => json(response, status, { error: "No.", code }));
      const error = await to.client.qr.get("1", { retries: 0 }).catch((thrown: unknown) => thrown);
      expect(error).not.toHaveProperty("name", "ApiError");
    }
  });

  it("of a version has what is there now", async () => {
    const body = { error: "Another version.", code: "invalid_input", current: { id: "1", name: "Lunch" } };
    await using to = await pair((_, response) => json(response, 412, body, { etag: '"4"' }));
    const error = await to.client.qr.update("1", {}, { ifMatch: '"3"' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ current: { id: "1", name: "Lunch" }, version: '"4"' });
    expect(to.server.seen[0]?.headers["if-match"]).toBe('"3"');
  });

  it("says so when something else answers", async () => {
    await using page = await pair((_, response) => response.writeHead(200).end("<html>"));
    await expect(page.client.me()).rejects.toThrow("The answer isn't JSON. Is baseUrl right?");
    await using proxy = await pair((_, response) => response.writeHead(502).end("<html>"));
    await expect(proxy.client.me({ retries: 0 })).rejects.toThrow("HTTP 502");
    await using redirect = await pair((_, response) => response.writeHead(301, { location: "/login" }).end());
    await expect(redirect.client.me()).rejects.toThrow("Redirected to /login. Is baseUrl right?");
    expect(redirect.server.seen).toHaveLength(1);
  });
});

describe("time", () => {
  it("is limited for each attempt", async () => {
    await using to = await pair((_, response, count) => {
      if (count > 1) json(response, 200, { id: "1" });
    });
    expect(await to.client.qr.get("1", { timeout: 300 })).toEqual({ id: "1" });
    await using never = await pair(() => {});
    await expect(never.client.qr.get("1", { timeout: 50, retries: 0 })).rejects.toThrow(TimeoutError);
  });

  it("is limited for the pauses of a stream, and not for all of it", async () => {
    await using to = await pair((_, response) => {
      response.writeHead(200, { "content-type": "text/csv; charset=utf-8" }).write("id\n");
    });
    const file = await to.client.qr.export({}, { timeout: 200 });
    expect(file.type).toBe("text/csv");
    await expect(file.text()).rejects.toThrow(TimeoutError);
  });

  it("isn't limited for whoever reads a stream", async () => {
    await using to = await pair((_, response) => {
      response.writeHead(200).write("first\n");
      response.write("x".repeat(1_000_000));
      response.end("\nlast\n");
    });
    const lines = (await to.client.qr.export({}, { timeout: 200 })).lines();
    expect(await lines.next()).toMatchObject({ value: "first" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await lines.next();
    expect(await lines.next()).toMatchObject({ value: "last" });
  });

  it("ends when the caller says so: before, during and between attempts, and while a stream is read", async () => {
    const reason = new Error("enough");
    const aborted = AbortSignal.abort(reason);
    await using never = await pair(() => {});
    await expect(never.client.me({ signal: aborted })).rejects.toBe(reason);
    expect(never.server.seen).toEqual([]);

    const during = new AbortController();
    await using to = await pair(() => during.abort(reason));
    await expect(to.client.me({ signal: during.signal })).rejects.toBe(reason);

    const between = new AbortController();
    const wait = { "retry-after": "30" };
    await using limited = await pair((_, response) => {
      json(response, 429, unavailable, wait);
      response.once("close", () => setImmediate(() => between.abort(reason)));
    });
    await expect(limited.client.me({ signal: between.signal })).rejects.toBe(reason);

    const reading = new AbortController();
    await using stream = await pair((_, response) => void response.writeHead(200).write("id\n"));
    const lines = (await stream.client.qr.export({}, { signal: reading.signal })).lines();
    expect(await lines.next()).toEqual({ done: false, value: "id" });
    reading.abort(reason);
    await expect(lines.next()).rejects.toBe(reason);
  });
});

describe("a list", () => {
  /** Three pages, the second of which is empty. */
  const pages: Answer = ({ url }, response) => {
    const cursor = new URL(url, "http://localhost").searchParams.get("cursor");
    const items = cursor === "b" ? [] : [{ id: `${cursor ?? "a"}1` }, { id: `${cursor ?? "a"}2` }];
    json(response, 200, { items, nextCursor: cursor === null ? "b" : cursor === "b" ? "c" : null });
  };

  it("is read page by page as far as it is used", async () => {
    await using to = await pair(pages);
    const ids: string[] = [];
    for await (const { id } of to.client.qr.list({ tag: "menu" })) ids.push(id);
    expect(ids).toEqual(["a1", "a2", "c1", "c2"]);
    expect(to.server.seen.map(({ url }) => url)).toEqual([
      "/api/v1/qr?limit=500&tag=menu",
      "/api/v1/qr?limit=500&tag=menu&cursor=b",
      "/api/v1/qr?limit=500&tag=menu&cursor=c",
    ]);
    for await (const _ of to.client.qr.list()) break;
    expect(to.server.seen).toHaveLength(4);
    expect(await to.client.qr.list({ limit: 2 })).toEqual({
      items: [{ id: "a1" }, { id: "a2" }],
      nextCursor: "b",
    });
    expect(to.server.seen.at(-1)?.url).toBe("/api/v1/qr?limit=2");
    expect(await to.client.qr.list({ cursor: "c" }).all()).toEqual([{ id: "c1" }, { id: "c2" }]);
  });
});

describe("undoing a job", () => {
  it("waits while the newest changes are recorded", async () => {
    const page = (items: object[], newestFollow: boolean) => ({ items, nextCursor: null, newestFollow });
    await using to = await pair(({ method }, response, count) => {
      if (method === "POST") json(response, 200, { entry: null, job: { jobId: "undo" } });
      else json(response, 200, count > 1 ? page([{ id: "entry" }], false) : page([], true));
    });
    expect(await to.client.history.undoJob("job")).toEqual({ jobId: "undo" });
    expect(to.server.seen.map(({ url }) => url)).toEqual([
      ...["/api/v1/developer/history?limit=1&kind=job&object=job"].flatMap((url) => [url, url]),
      "/api/v1/developer/history/entry/revert?scope=job",
    ]);
    await using never = await pair((_, response) => json(response, 200, page([], false)));
    await expect(never.client.history.undoJob("job")).rejects.toThrow(NotFoundError);
  });
});

describe("a client", () => {
  it("takes the address with or without the API's path", async () => {
    await using to = await pair((_, response) =>
      json(response, 200, {}, { etag: '"1"', "x-ignored-fields": "a, b" }),
    );
    for (const end of ["", "/", "/api/v1", "/api/v1/"]) {
      const me = await new QrCodes({ key: "sk_live_test", baseUrl: to.server.origin + end }).me();
      expect(responseOf(me)).toMatchObject({ status: 200, etag: '"1"', ignoredFields: ["a", "b"] });
    }
    expect(new Set(to.server.seen.map(({ url }) => url))).toEqual(new Set(["/api/v1/me"]));
  });

  it("refuses what can't be a key, an address or an id", async () => {
    const baseUrl = "https://qr.example";
    expect(() => new QrCodes({ key: "", baseUrl })).toThrow("key must be an API key");
    expect(() => new QrCodes({ key: "sk_live\n", baseUrl })).toThrow("key must be an API key");
    for (const wrong of ["qr.example", "https://qr example"]) {
      expect(() => new QrCodes({ key: "sk_live_test", baseUrl: wrong })).toThrow("baseUrl must be");
    }
    const client = new QrCodes({ key: "sk_live_test", baseUrl });
    for (const id of ["", ".", ".."])
      await expect(client.qr.delete(id)).rejects.toThrow(`id can't be "${id}"`);
  });

  it("refuses a secret key on a web page, unless it is allowed", () => {
    const baseUrl = "https://qr.example";
    const page = globalThis as { document?: unknown };
    page.document = {};
    try {
      expect(() => new QrCodes({ key: "sk_live_test", baseUrl })).toThrow("can be read by its visitors");
      new QrCodes({ key: "pk_live_test", baseUrl });
      new QrCodes({ key: "sk_live_test", baseUrl, allowSecretKeyInBrowser: true });
    } finally {
      delete page.document;
    }
  });
});
