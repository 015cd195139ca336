import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Domain, OperatorDomain } from "../../src/contract/resources/domains.ts";
import { aliasKey } from "../../src/protocol/routes.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let owner: SessionClient;
let client: Client;
let host: string;
let domain: Domain;
let count = 0;

beforeEach(async () => {
  owner = await service.session();
  client = await service.client(owner.workspaceId);
  count += 1;
  host = `paths${count}.example`;
  const { id } = await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: owner.workspaceId,
  });
  domain = await owner.expect(200, Domain, "GET", `/developer/domains/${id}`);
});

/** An edge with a memory of its own, whose reads of the route cache are noted, and where a miss is one too many after `most`. */
function newEdge(most = Number.POSITIVE_INFINITY) {
  const keys: string[] = [];
  let misses = 0;
  const edge = new Service({
    now: clock.now,
    routeCache: {
      get: (key: string) => {
        keys.push(key);
        return env.ROUTES.get(key, "json");
      },
      put: () => Promise.resolve(),
    } as unknown as KVNamespace,
    unknownHashLimit: {
      limit: async () => {
        misses += 1;
        return { success: misses <= most };
      },
    },
  });
  const at = async (path: string) => {
    const response = await edge.fetch(`https://${host}${path}`, {
      headers: { "cf-connecting-ip": "192.0.2.1" },
    });
    return response.headers.get("location") ?? response.status;
  };
  return { at, keys, misses: () => misses };
}

describe("an unknown path at a domain", () => {
  it("is looked up only if it can be an alias", async () => {
    const longest = "a".repeat(255);
    const qr = await client.createQr({ aliases: [`${host}/${longest}`] });
    const { at, keys } = newEdge();
    expect(await at(`/${longest}`)).toBe(qr.data.type === "url" && qr.data.url);
    // One whose escapes make it longer than it looks, and one that they make longer than it is.
    const tooLong = [`/${"a".repeat(256)}`, `/${"ü".repeat(50)}`, `/${"b/".repeat(4000)}`];
    for (const path of tooLong) expect([path, await at(path)]).toEqual([path, 404]);
    expect(await at(`/${"%61".repeat(255)}`)).toBe(qr.data.type === "url" && qr.data.url);
    const ofAliases = keys.filter((key) => key.startsWith("alias:"));
    expect(ofAliases).toEqual([aliasKey(owner.workspaceId, `${host}/${longest}`)]);
  });

  it("isn't looked up at a host that is too long for a domain", async () => {
    const { at, keys } = newEdge();
    host = `${"a.".repeat(110)}example`;
    expect(await at("/no/such/path")).toBe(404);
    expect(keys).toEqual([]);
  });

  it.each([
    ["a short name", "/nosuch"],
    ["a path", "/no/such/path"],
    ["a path too long for an alias", `/${"a/".repeat(500)}`],
  ])("counts in the throttle: %s", async (_, path) => {
    const qr = await client.createQr({ aliases: [`${host}/menu/today`] });
    const { at, misses } = newEdge(3);
    const answers = [];
    for (let i = 0; i < 6; i += 1) answers.push(await at(path));
    // The one that is too many is still answered as it was.
    expect(answers).toEqual([404, 404, 404, 404, 429, 429]);
    expect(misses()).toBe(4);
    const target = qr.data.type === "url" && qr.data.url;
    expect([await at("/menu/today"), await at(`/${qr.hash}`)]).toEqual([target, target]);
  });

  it("counts if it is another workspace's code", async () => {
    const other = await (await service.workspace()).createQr();
    const { at, misses } = newEdge();
    expect([await at(`/${other.hash}`), misses()]).toEqual([404, 1]);
  });

  it("leads where the owner chose, from a throttled network, too", async () => {
    const unknownUrl = "https://acme.example/lost";
    await owner.expect(200, Domain, "PATCH", `/developer/domains/${domain.id}`, { unknownUrl });
    const { at } = newEdge(1);
    for (let i = 0; i < 4; i += 1)
      expect([await at("/nosuch"), await at("/no/such")]).toEqual([unknownUrl, unknownUrl]);
  });

  it("appears in the log by its digest", async () => {
    await client.createQr({ aliases: [`${host}/menu`] });
    const lines: string[] = [];
    const spies = (["warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line) => lines.push(String(line))),
    );
    const broken = (key: string) =>
      key.startsWith("alias:") ? Promise.reject(new Error(`not read: ${key}`)) : env.ROUTES.get(key, "json");
    const edge = new Service({
      now: clock.now,
      routeCache: { get: broken, put: () => Promise.resolve() } as unknown as KVNamespace,
    });
    await edge.fetch(`https://${host}/adas-secret/path`);
    for (const spy of spies) spy.mockRestore();
    const text = lines.join("\n");
    expect(text).toMatch(new RegExp(`alias:${owner.workspaceId}:${host}/#[0-9a-f]{8}"`));
    expect(text).not.toContain("secret");
  });
});
