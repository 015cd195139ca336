import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { wrapBinding, wrapDatabase } from "../support/world/wrapped-database.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;
let host: string;
let owner: string;
let count = 0;

beforeEach(async () => {
  client = await service.workspace();
  owner = `workspace:${client.workspaceId}`;
  count += 1;
  host = `read${count}.example`;
});

const give = () =>
  service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: client.workspaceId,
  });

/** An edge without memory, whose reads are recorded. @param limited gets the networks whose misses were counted */
function newEdge(limited: string[] = []) {
  const calls: string[] = [];
  const { deps } = service;
  const record = (name: string) => (work: () => Promise<unknown>) => {
    calls.push(name);
    return work();
  };
  const edge = new Service({
    now: clock.now,
    db: wrapDatabase(deps.db, record("D1") as never),
    feed: (region) => wrapBinding(deps.feed(region), record("feed") as never),
    routeCache: {
      get: async (key: string) => {
        calls.push(`KV ${key}`);
        return env.ROUTES.get(key, "json");
      },
      put: () => Promise.resolve(),
    } as unknown as KVNamespace,
    unknownHashLimit: {
      limit: async ({ key }) => {
        limited.push(key);
        return { success: true };
      },
    },
  });
  const scan = async (address: string) => {
    const { status } = await edge.fetch(`https://${address}`);
    return [status, calls.splice(0).toSorted()];
  };
  return { edge, scan, calls };
}

describe("what a scan at a domain reads", () => {
  it("is its record besides those of the code, and nothing from memory", async () => {
    await give();
    const qr = await client.createQr();
    const { scan } = newEdge();
    const cold = ["feed", `KV ${qr.hash}`, `KV domain:${host}`, `KV ${owner}`].toSorted();
    expect(await scan(`${host}/${qr.hash}`)).toEqual([302, cold]);
    for (let i = 0; i < 3; i += 1) expect(await scan(`${host}/${qr.hash}`)).toEqual([302, []]);
    const second = await client.createQr();
    expect(await scan(`${host}/${second.hash}`)).toEqual([302, [`KV ${second.hash}`]]);
  });

  it("is the alias's record, too, once the workspace has one", async () => {
    await give();
    const qr = await client.createQr({ aliases: [`${host}/Menu`] });
    const key = `alias:${client.workspaceId}:${host}`;
    const { scan } = newEdge();
    const cold = ["feed", `KV domain:${host}`, `KV ${key}/Menu`, `KV ${qr.hash}`, `KV ${owner}`].toSorted();
    expect(await scan(`${host}/Menu`)).toEqual([302, cold]);
    expect(await scan(`${host}/Menu`)).toEqual([302, []]);
    // The hash is in memory, so nobody asks whether the path is an alias.
    expect(await scan(`${host}/${qr.hash}`)).toEqual([302, []]);
  });

  it("is nothing of the database where nothing is: absences are remembered", async () => {
    await give();
    await client.createQr({ aliases: [`${host}/Menu`] });
    const limited: string[] = [];
    const { scan } = newEdge(limited);
    await scan(`${host}/Menu`);
    expect(await scan(`${host}/No/such/path`)).toEqual([
      404,
      [`KV alias:${client.workspaceId}:${host}/No/such/path`],
    ]);
    expect(await scan(`${host}/No/such/path`)).toEqual([404, []]);
    expect(limited.splice(0)).toHaveLength(2);
    // An alias that could be a hash is found before anybody counts a miss.
    const like = await client.createQr({ aliases: [`${host}/menu2019`] });
    expect((await scan(`${host}/menu2019`))[0]).toBe(302);
    expect((await scan(`${host}/${like.hash}`))[0]).toBe(302);
    expect(limited).toEqual([]);
    expect((await scan(`${host}/menu2020`))[0]).toBe(404);
    expect(limited).toHaveLength(1);
  });

  it("is its own absence at a host that isn't a domain, which answers as the scan origin does", async () => {
    const qr = await client.createQr();
    const { scan } = newEdge();
    const cold = ["feed", `KV domain:${host}`, `KV ${qr.hash}`, `KV ${owner}`].toSorted();
    expect(await scan(`${host}/${qr.hash}`)).toEqual([302, cold]);
    expect(await scan(`${host}/${qr.hash}`)).toEqual([302, []]);
    // From the moment that it is one, the absence isn't relied on.
    await give();
    clock.advance(1001);
    const other = await (await service.workspace()).createQr();
    expect((await scan(`${host}/${other.hash}`))[0]).toBe(404);
    expect((await scan(`${host}/${qr.hash}`))[0]).toBe(302);
  });

  it("is as it was at the scan origin", async () => {
    await give();
    const qr = await client.createQr({ aliases: [`${host}/Menu`] });
    const { scan } = newEdge();
    const { host: origin } = new URL(service.deps.settings.scanOrigin);
    const cold = ["feed", `KV ${qr.hash}`, `KV ${owner}`].toSorted();
    expect(await scan(`${origin}/${qr.hash}`)).toEqual([302, cold]);
    expect(await scan(`${origin}/${qr.hash}`)).toEqual([302, []]);
  });

  it("answers from memory, or as at the scan origin, while nothing can be read", async () => {
    await give();
    const qr = await client.createQr();
    const down = () => Promise.reject(new Error("down"));
    const { deps } = service;
    const edge = new Service({
      now: clock.now,
      routeCache: { get: down, put: down } as unknown as KVNamespace,
      feed: () => ({ changes: down, publish: down }) as never,
      db: {
        ...deps.db,
        withSession: () => ({ prepare: () => ({ bind: () => ({ first: down, all: down }) }) }),
      } as never,
    });
    expect((await edge.fetch(`https://${host}/${qr.hash}`)).status).toBe(503);
    let isDown = false;
    const get = (key: string) => (isDown ? down() : env.ROUTES.get(key, "json"));
    const warm = new Service({ now: clock.now, routeCache: { get } as unknown as KVNamespace });
    expect((await warm.fetch(`https://${host}/${qr.hash}`)).status).toBe(302);
    isDown = true;
    expect((await warm.fetch(`https://${host}/${qr.hash}`)).status).toBe(302);
  });
});
