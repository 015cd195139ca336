import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { Domain } from "../../src/contract/resources/domains.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const root = "https://acme.example/";
let owner: SessionClient;
let client: Client;
let host: string;
let path: string;
let count = 0;

beforeEach(async () => {
  owner = await service.session();
  client = await service.client(owner.workspaceId);
  count += 1;
  host = `unread${count}.localhost`;
  const added = await owner.expect(201, Domain, "POST", "/developer/domains", { host, rootUrl: root });
  expect(added.status).toBe("active");
  path = `/developer/domains/${added.id}`;
});

const answerOf = async (edge: Service, at: string) => {
  const response = await edge.fetch(`http://${host}${at}`);
  return response.headers.get("location") ?? response.status;
};

it("a domain that is restored is removed or active at every moment", async () => {
  await owner.send("DELETE", path);
  const removed = await (await service.fetch(`http://${host}/`)).text();
  clock.advance(60_000);
  const seen = new Set<string | number>();
  const probed = new Service({
    now: clock.now,
    db: wrapDatabase(service.deps.db, async (work) => {
      const result = await work();
      const response = await new Service({ now: clock.now }).fetch(`http://${host}/`);
      const text = await response.text();
      seen.add(response.headers.get("location") ?? (text === removed ? "removed" : text));
      return result;
    }),
  });
  const restoring = await (await probed.sessionIn(owner.workspaceId)).send("POST", `${path}/restore`);
  expect(restoring.status).toBe(200);
  expect([...seen]).toEqual(["removed", root]);
});

it("where a domain can't be read, only codes that can be read answer", async () => {
  const code = await client.createQr({ aliases: [`${host}/menu`] });
  const target = code.data.type === "url" && code.data.url;
  let isDown = false;
  const down = () => Promise.reject(new Error("down"));
  const edge = new Service({
    now: clock.now,
    routeCache: {
      get: (key: string) => (isDown && !/^[\w-]+$/.test(key) ? down() : env.ROUTES.get(key, "json")),
      put: () => Promise.resolve(),
    } as unknown as KVNamespace,
    db: wrapDatabase(service.deps.db, (work) => (isDown ? down() : work())),
  });
  isDown = true;
  expect(await answerOf(edge, `/${code.hash}`)).toBe(target);
  for (const at of ["/", "/menu", "/no/such/path", "/nosuch", "/nosuch.svg"]) {
    const response = await edge.fetch(`http://${host}${at}`);
    expect([at, response.status, response.headers.get("retry-after")]).toEqual([at, 503, "10"]);
  }
  isDown = false;
  expect([await answerOf(edge, "/"), await answerOf(edge, "/menu")]).toEqual([root, target]);
});

it("where what is new can't be read, it isn't taken for absent", async () => {
  // The route cache has neither yet, and the feeds list both.
  const late = { get: () => Promise.resolve(null), put: () => Promise.resolve() } as unknown as KVNamespace;
  await client.createQr({ aliases: [`${host}/menu`] });
  let isDown = false;
  const edge = new Service({
    now: clock.now,
    routeCache: late,
    db: wrapDatabase(service.deps.db, (work) => (isDown ? Promise.reject(new Error("down")) : work())),
  });
  isDown = true;
  expect([await answerOf(edge, "/"), await answerOf(edge, "/menu")]).toEqual([503, 503]);
  isDown = false;
  expect(await answerOf(edge, "/")).toBe(root);
  isDown = true;
  expect(await answerOf(edge, "/menu")).toBe(503);
});
