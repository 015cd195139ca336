import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import { revokeKey } from "../../src/domain/identity/revocation.ts";
import { expectError } from "../support/endpoints.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const service = new Service({ now: new FakeClock().now });
const shop = "https://shop.example";
const stranger = "https://stranger.example";
const body = { qrType: "url", data: { type: "url", url: "example.com" } };

/** A publishable key of the shop. */
async function widget(at = service, requestsPerMinute: number | null = null): Promise<Client> {
  const { workspaceId } = await at.workspace("free", requestsPerMinute);
  return at.client(workspaceId, ["qr:write"], "publishable", [shop]);
}

const create = (
  client: Client,
  origin: string,
  input: unknown = body,
  headers: Record<string, string> = {},
) => client.send("POST", "/qr", input, { origin, ...headers });

/** A request with a key that may not exist. */
const createWith = (authorization: string | undefined, origin = shop) =>
  service.fetch("/api/v1/qr", {
    method: "POST",
    headers: { origin, ...(authorization === undefined ? {} : { authorization }) },
  });

/** Expects an error that a page of the origin can read, with the headers that the widget needs. */
async function expectReadable(
  response: Response,
  origin: string,
  status: number,
  code: string,
): Promise<string> {
  const { headers } = response;
  expect({ status: response.status, origin: headers.get("access-control-allow-origin") }).toEqual({
    status,
    origin,
  });
  expect(headers.get("access-control-expose-headers")).toContain("retry-after");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("vary")).toContain("origin");
  return await expectError(response, status, code);
}

it("a page may read every header that the documentation of the API has", async () => {
  const document = JSON.stringify(await (await service.fetch("/api/v1/openapi.json")).json());
  const { headers } = await create(await widget(), shop);
  const exposed = headers.get("access-control-expose-headers")?.split(", ") ?? [];
  const documented =
    document.match(/(?<=")(?:x-[a-z-]+|etag|retry-after|idempotent-replayed)(?=":\{)/g) ?? [];
  expect(new Set(exposed)).toEqual(new Set(documented));
});

const invalid: [string, unknown, Record<string, string>, number][] = [
  ["an invalid field", { ...body, data: { type: "url", url: "nope" } }, {}, 400],
  ["no JSON", "{", {}, 400],
  ["a body that is too large", " ".repeat(limits.body + 1), {}, 413],
  ["another content type", "x", { "content-type": "text/plain" }, 415],
];
it.each(invalid)(
  "a page of the key's origins can read the error of %s",
  async (_, input, headers, status) => {
    await expectReadable(await create(await widget(), shop, input, headers), shop, status, "invalid_input");
  },
);

it("a page of the key's origins can read that a limit of the plan is reached", async () => {
  const client = await widget();
  await env.DB.prepare("UPDATE workspaces SET live_codes = 25 WHERE id = ?").bind(client.workspaceId).run();
  await expectReadable(await create(client, shop), shop, 402, "plan_limit");
});

it("a page can read that its key has made too many requests, and when to try again", async () => {
  const client = await widget(service, 1);
  expect((await create(client, shop)).status).toBe(201);
  const over = await create(client, shop);
  await expectReadable(over, shop, 429, "rate_limited");
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(over.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(over.headers.get("access-control-expose-headers")).toContain("x-ratelimit-reset");
});

it("a page can read that its network has tried too many unknown keys", async () => {
  const unknownKeyLimit = { limit: async () => ({ success: false }) };
  const throttled = new Service({ unknownKeyLimit });
  const tryKey = (character: string) =>
    throttled.fetch("/api/v1/qr", {
      method: "POST",
      headers: { origin: shop, authorization: `Bearer pk_live_${character.repeat(32)}` },
    });
  await expectReadable(await tryKey("a"), shop, 401, "unauthorized");
  await expectReadable(await tryKey("b"), shop, 429, "rate_limited");
});

it("a page can read that its key is unknown, revoked, malformed or missing, all with the same words", async () => {
  const revoked = await widget();
  await create(revoked, shop);
  await revokeKey(service.deps, serviceContext(revoked.workspaceId, "free"), revoked.keyId);
  const credentials = [
    `Bearer pk_live_${"0".repeat(32)}`,
    `Bearer ${revoked.key}`,
    "Bearer pk_live_",
    "Bearer undefined",
    undefined,
  ];
  const words = new Set<string>();
  for (const credential of credentials) {
    const response = await createWith(credential);
    words.add(await expectReadable(response, shop, 401, "unauthorized"));
  }
  expect(words.size).toBe(1);
});

it.each([stranger, "null"])(
  "a page of %s can read that its origin is not the key's, and no success",
  async (origin) => {
    const client = await widget(service, 2);
    const refused = await create(client, origin);
    expect(await expectReadable(refused, origin, 403, "forbidden")).toContain("origin");
    // Nothing but the refusal: the body is not validated for an origin that is not the key's.
    expect(await (await create(client, origin, { qrType: "nonsense" })).json()).toEqual(
      await (await create(await widget(), origin)).json(),
    );
    await expectReadable(await create(client, origin), origin, 429, "rate_limited");
  },
);

it("a page can't read the answers to a secret key, whether it exists or not", async () => {
  const known = await service.workspace("pro", 1);
  const revoked = await service.workspace();
  await revokeKey(service.deps, serviceContext(revoked.workspaceId, "business"), revoked.keyId);
  const responses = [
    await create(known, shop, {}),
    await create(known, shop),
    await create(revoked, shop),
    await createWith(`Bearer sk_live_${"0".repeat(32)}`),
    await createWith(`bearer   sk_live_x`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([400, 429, 401, 401, 401]);
  for (const { headers } of responses) expect(headers.get("access-control-allow-origin")).toBeNull();
});

it("a page can't read the answers of other endpoints, and requests without an Origin get no CORS headers", async () => {
  const client = await widget();
  const responses = [
    await client.send("GET", "/qr", undefined, { origin: stranger }),
    await client.send("GET", "/nowhere", undefined, { origin: stranger }),
    await client.send("GET", "/developer/keys", undefined, { origin: stranger }),
    await client.send("POST", "/qr", {}),
  ];
  expect(responses.map(({ status }) => status)).toEqual([403, 404, 403, 403]);
  for (const { headers } of responses) expect(headers.get("access-control-allow-origin")).toBeNull();
});

it("a page can read an internal error, which says nothing of its cause", async () => {
  const faulty = new Service({
    db: wrapDatabase(service.deps.db, (work, sql = "") =>
      sql.includes("api_keys") ? Promise.reject(new Error("secret")) : work(),
    ),
  });
  const error = await expectReadable(await create(await widget(faulty), shop), shop, 500, "internal");
  expect(error).not.toContain("secret");
});
