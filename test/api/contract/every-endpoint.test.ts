import { beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import { revokeKey } from "../../../src/domain/identity/revocation.ts";
import {
  classes,
  expectError,
  method,
  rowCounts,
  somePath,
  TestCallers,
  table,
  validBody,
} from "../../support/endpoints.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { type ApiClient, FakeClock, origin, Service } from "../../support/service.ts";

/** One endpoint of each kind of authentication, for rules that depend on nothing else. */
const ofEachAuth = oneOfEach(table, ({ auth }) => auth);
/** Rules that the middleware keeps for every endpoint, tried on one of each class. */
const withId = classes.filter(({ path }) => /\{(?!externalId)/.test(path));

const service = new Service();
let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(service);
});

/** Values that are not a valid credential for any endpoint. */
const neverCredentials = [undefined, "", "Bearer", "Bearer garbage", "Bearer a.b.c", "Bearer null"];

/** Values that are similar to a valid credential, or are valid for other endpoints. */
function wrongCredentials({ auth }: Endpoint): (string | undefined)[] {
  const { key } = callers.keyClient;
  const secret = service.operatorSecret;
  const others = {
    key: [`Bearer ${secret}`],
    session: [`Bearer ${key}x`, `Bearer sk_live_${"0".repeat(32)}`, `Bearer ${secret}`],
    person: [`Bearer ${key}`, `Bearer ${secret}`],
    operator: [`Bearer ${key}`],
  };
  const near = {
    key: [
      `Basic ${key}`,
      key,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer sk_live_${"0".repeat(32)}`,
      `Bearer ${key}' OR 1=1 --`,
    ],
    session: [`Bearer ${callers.sessionClient.cookie.split("=")[1]}`],
    person: [`Bearer ${callers.sessionClient.cookie.split("=")[1]}`],
    operator: [secret, `Basic ${secret}`, `Bearer ${secret}x`, `Bearer ${secret.slice(0, -1)}`],
  };
  return [...neverCredentials, ...others[auth], ...near[auth]];
}

describe.each(ofEachAuth)("$name", (endpoint) => {
  it("is found with a slash at the end of its path", async () => {
    const path = somePath(endpoint);
    const send = (end: string) =>
      callers.clientOf(endpoint).send(method(endpoint), path.replace(/(?=\?|$)/, end));
    const [exact, slashed] = [await send(""), await send("/")];
    expect(slashed.status).toBe(exact.status);
    if (exact.status === 404) expect(await slashed.json()).toEqual(await exact.json());
    expect(await expectError(await send("//"), 404, "not_found")).toBe("Endpoint not found.");
  });

  it("refuses every kind of missing, malformed, foreign and unknown credential with 401", async () => {
    for (const authorization of wrongCredentials(endpoint)) {
      const response = await service.fetch(`/api/v1${somePath(endpoint)}`, {
        method: method(endpoint),
        headers: authorization === undefined ? {} : { authorization },
      });
      await expectError(response, 401, "unauthorized");
      expect(response.headers.get("x-ratelimit-limit")).toBeNull();
    }
  });

  it("returns a well-formed request id and replaces others", async () => {
    const send = async (id: string) =>
      (
        await callers
          .clientOf(endpoint)
          .send(method(endpoint), somePath(endpoint), undefined, { "x-request-id": id })
      ).headers.get("x-request-id");
    expect(await send("my-request.1")).toBe("my-request.1");
    expect(await send("has spaces")).not.toBe("has spaces");
    expect(await send("x".repeat(500))).toHaveLength(36);
  });
});

it.each(classes)("$name refuses a missing credential with 401", async (endpoint) => {
  const answer = await service.fetch(`/api/v1${somePath(endpoint)}`, { method: method(endpoint) });
  await expectError(answer, 401, "unauthorized");
});

/** The methods of a path: a fixed one beside one with a parameter has handlers of its own. */
const ofEachPath = oneOfEach(
  table,
  ({ auth, path }) => `${auth} ${path.split("/").length} ${path.includes("{")}`,
);

describe.each(ofEachPath)("$name", (endpoint) => {
  it("answers every method that its path lacks with 405 and the allowed methods, HEAD included", async () => {
    const taken = table.filter(({ path }) => path === endpoint.path).map(method);
    const lacking = ["HEAD", "GET", "POST", "PUT", "PATCH", "DELETE"].filter(
      (name) => !taken.includes(name) && !(name === "HEAD" && taken.includes("GET")),
    );
    for (const name of lacking) {
      const response = await callers.clientOf(endpoint).send(name, somePath(endpoint));
      expect([name, response.status]).toEqual([name, 405]);
      if (name !== "HEAD") await expectError(response, 405, "invalid_input");
      const allowed = response.headers
        .get("allow")
        ?.split(", ")
        .filter((each) => each !== "HEAD");
      expect(allowed?.sort()).toEqual(taken.sort());
      expect(response.headers.has("x-ratelimit-limit")).toBe(endpoint.auth !== "operator");
    }
  });
});

/** Endpoints whose requests are counted: all but the operator's, with and without a body. */
const counted = oneOfEach(
  table.filter(({ auth }) => auth !== "operator"),
  ({ auth, body, upload }) => `${auth} ${(body ?? upload) !== undefined}`,
);

describe.each(counted)("$name, counted,", (endpoint) => {
  it("has the rate limit headers, on errors too, and answers 429 beyond the cap", async () => {
    const takesBody = endpoint.body ?? endpoint.upload;
    const { auth } = endpoint;
    // A clock that stands still, because the count starts again with every minute.
    const still = new Service({ now: new FakeClock().now });
    const own = auth === "key" ? await still.workspace("pro", 3) : await still.session("pro", 3);
    const seen: (string | null)[] = [];
    for (let i = 0; i < 3; i += 1) {
      const response = await own.send(method(endpoint), somePath(endpoint), takesBody && "{");
      expect(response.headers.get("x-ratelimit-limit")).toBe("3");
      seen.push(response.headers.get("x-ratelimit-remaining"));
      expect(Number(response.headers.get("x-ratelimit-reset"))).toBeGreaterThanOrEqual(1);
    }
    expect(seen).toEqual(["2", "1", "0"]);
    const over = await own.send(method(endpoint), somePath(endpoint), takesBody && "{");
    expect(over.headers.get("x-ratelimit-limit")).toBe("3");
    expect(over.headers.get("x-ratelimit-remaining")).toBe("0");
    const wait = Number(over.headers.get("retry-after"));
    expect(over.headers.get("x-ratelimit-reset")).toBe(String(wait));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(await expectError(over, 429, "rate_limited")).toBe("Rate limit exceeded");
  });
});

/** Endpoints for keys alone, and for people as well, with and without a body. Scopes are looked at later. */
const ofKeys = oneOfEach(
  table.flatMap((endpoint) => ("scope" in endpoint ? [endpoint] : [])),
  ({ auth, body, upload }) => `${auth} ${(body ?? upload) !== undefined}`,
);

describe.each(ofKeys)("$name, for keys,", (endpoint) => {
  it("refuses a revoked key at once, even where an isolate remembers it", async () => {
    const own = await service.workspace();
    expect((await own.send("GET", "/qr")).status).toBe(200);
    await revokeKey(service.deps, serviceContext(own.workspaceId, "business"), own.keyId);
    await expectError(await own.send(method(endpoint), somePath(endpoint)), 401, "unauthorized");
  });

  it("refuses a secret key on a plan without them, and a publishable key unless allowed", async () => {
    const free = await service.workspace("free");
    const request = [method(endpoint), somePath(endpoint), validBody[endpoint.name]] as const;
    expect(await expectError(await free.send(...request), 403, "forbidden")).toContain("Free");
    const publishable = await service.client(callers.keyClient.workspaceId, ["qr:write"], "publishable", [
      "https://a.example",
    ]);
    await expectError(await publishable.send(...request), 403, "forbidden");
  });
});

const changes = oneOfEach(
  table.filter(({ auth, method }) => auth === "session" && method !== "get"),
  (endpoint) => endpoint.method,
);

describe.each(changes)("$name, by cookie,", (endpoint) => {
  it.each([
    ["no Origin", {}],
    ["another Origin", { origin: "https://evil.example" }],
    ["a null Origin", { origin: "null" }],
    ["an Origin that begins like ours", { origin: `${origin}.evil.example` }],
    ["another port", { origin: "http://localhost:1" }],
  ])("refuses %s with 403, and writes nothing", async (_, headers) => {
    const before = await rowCounts();
    const body = validBody[endpoint.name];
    const response = await service.fetch(`/api/v1${somePath(endpoint)}`, {
      method: method(endpoint),
      headers: { cookie: callers.sessionClient.cookie, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.headers.get("x-ratelimit-limit")).not.toBeNull();
    expect(await expectError(response, 403, "forbidden")).toContain("Origin");
    expect(await rowCounts()).toEqual(before);
  });
});

/** The ids that all handlers get as they are sent: one of each kind of authentication has to do with all of them. */
const malformed = ["x", "1", "%00", "..%2f", "'"];
const ofMalformed = oneOfEach(withId, ({ auth }) => auth);

describe.each(withId)("$name with an id", (endpoint) => {
  it("answers malformed, unknown and foreign ids with the same 404", async () => {
    const some = ofMalformed.includes(endpoint) ? malformed : malformed.slice(0, 1);
    const ids = [...some, crypto.randomUUID(), callers.foreignId(endpoint)];
    const errors = new Set<string>();
    for (const id of ids) {
      const response = await callers
        .clientOf(endpoint)
        .send(method(endpoint), somePath(endpoint, id), validBody[endpoint.name]);
      errors.add(await expectError(response, 404, "not_found"));
    }
    expect(errors.size).toBe(1);
  });
});

describe("a path that is not in the table", () => {
  const nowhere = { key: "/nothing/here", session: "/developer/nothing/here", operator: "/operator/nothing" };

  it.each(Object.entries(nowhere))(
    "is 404 with a %s, and under /developer with a key, and 401 without",
    async (auth, path) => {
      const { keyClient, sessionClient } = callers;
      const clients = { key: keyClient, session: sessionClient, operator: service.operator };
      for (const [kind, client] of Object.entries<ApiClient>(clients)) {
        const answer = await client.send("GET", path);
        const isKnown = kind === auth || (kind === "key" && auth === "session");
        if (isKnown) await expectError(answer, 404, "not_found");
        else await expectError(answer, 401, "unauthorized");
      }
      await expectError(await service.fetch(`/api/v1${path}`), 401, "unauthorized");
    },
  );
});
