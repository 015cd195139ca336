import { describe, expect, it, vi } from "vitest";
import { Download, List, QrCodes } from "../../../clients/typescript/src/index.ts";
import { idempotent } from "../../../clients/typescript/src/routes.ts";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../../src/contract/endpoints/index.ts";
import { json, ScriptedServer } from "../support/client/scripted-server.ts";

const table = Object.entries<Endpoint>(endpoints);

/** The endpoints that a key can call. */
const ofKeys = table.filter(
  ([, { auth, ...endpoint }]) => auth === "key" || (auth === "session" && "scope" in endpoint),
);

/** Returns the endpoint of a request, as in `GET /qr/{id}`: the one with the fewest parameters. */
function endpointOf(method: string, url: string): string | undefined {
  const path = url.replace(/^\/api\/v1|\?.*/g, "");
  const fitting = ofKeys
    .map(([, endpoint]) => endpoint)
    .filter((endpoint) => endpoint.method.toUpperCase() === method)
    .filter((endpoint) => new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path))
    .sort((one, other) => one.path.split("{").length - other.path.split("{").length);
  return fitting[0] && `${method} ${fitting[0].path}`;
}

/** Calls with other arguments than all others, or several ways. */
const special: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  "qr.upsert": [
    ["A-1", {}],
    ["A/1", {}],
  ],
  "qr.getByExternalId": [["A-1"]],
  "qr.deleteByExternalId": [["A-1"], ["A/1"]],
  "bulk.create": [["name,url\n"], [[{}]]],
  "bulk.update": [["name,url\n"], [{}]],
  "bulk.previewCreate": [["name,url\n"], [[{}]]],
  "bulk.previewUpdate": [["name,url\n"], [{}]],
  "bulk.run": [[[]]],
  // Below.
  "scans.live": [],
};

/** Answers any request with what its caller looks at. */
const anything = {
  ...{
    items: [],
    folders: [],
    lists: [],
    templates: [],
    webhooks: [],
    domains: [],
    events: [],
    nextCursor: null,
    status: "completed",
  },
  workspace: { limits: { bulkRows: 10 } },
};

describe("the client's methods", () => {
  it("reach every endpoint that a key can call, and no other", async () => {
    await using server = await ScriptedServer.start(({ url }, response) =>
      url.includes("/live")
        ? response.writeHead(200, { "content-type": "text/event-stream" }).end()
        : json(response, 200, anything),
    );
    const client = new QrCodes({ key: "sk_live_test", baseUrl: server.origin });
    const resources: [string, object][] = [["", client], ...Object.entries<object>({ ...client })];
    for (const [resource, object] of resources) {
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(object));
      for (const method of methods.filter((name) => name !== "constructor")) {
        const calls = special[`${resource}.${method}`] ?? [resource === "" ? [] : ["id", "name"]];
        for (const args of calls) {
          const call = Reflect.get(object, method) as (...all: unknown[]) => unknown;
          const result = call.apply(object, args.length === 0 ? [] : [...withoutName(method, args)]);
          await used(result);
        }
      }
    }
    for (const target of [{}, { qrId: "id" }]) {
      const [before, leave] = [server.seen.length, new AbortController()];
      const next = client.scans.live(target, { signal: leave.signal }).next();
      await vi.waitUntil(() => server.seen.length > before);
      leave.abort();
      await expect(next).rejects.toThrow("aborted");
    }
    const reached = new Set(
      server.seen.map(({ method, url }) => endpointOf(method, url) ?? `${method} ${url}`),
    );
    const expected = ofKeys.map(([, { method, path }]) => `${method.toUpperCase()} ${path}`);
    expect([...reached].sort()).toEqual(expected.sort());
    expect(server.seen.filter(({ headers }) => headers.authorization !== "Bearer sk_live_test")).toEqual([]);
    // A key on every POST, and on nothing else.
    const withKey = server.seen.filter(({ headers }) => headers["idempotency-key"] !== undefined);
    expect(new Set(withKey.map(({ method }) => method))).toEqual(new Set(["POST"]));
    expect(server.seen.filter(({ method }) => method === "POST")).toHaveLength(withKey.length);
    expect(new Set(withKey.map(({ headers }) => headers["idempotency-key"])).size).toBe(withKey.length);
  });

  it("are repeated with a key where the contract says that this is safe", () => {
    const safe = table.filter(([, endpoint]) => endpoint.auth === "key" && endpoint.idempotent);
    expect(Object.keys(idempotent).sort()).toEqual(safe.map(([id]) => id).sort());
  });
});

/** Methods whose second argument is a filter. */
const withoutName = (method: string, args: readonly unknown[]) =>
  args[1] === "name" && !/^(rename|delivery|addAlias)$/.test(method) ? [args[0], {}] : args;

/** Uses what a method returned, so that its request is sent. */
async function used(result: unknown): Promise<void> {
  try {
    const answer = await result;
    if (answer instanceof Download) await answer.stream.cancel();
    if (answer instanceof List) await answer;
  } catch (error) {
    // The answer has no entry to undo, and no code with an own id.
    if (!(error instanceof Error) || error.name !== "NotFoundError") throw error;
  }
}
