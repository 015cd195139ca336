import { beforeEach, describe, expect, it } from "vitest";
import { Qr, type QrCreateInput } from "../../src/contract/resources/codes/qr.ts";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { inBothOrders } from "../support/both-orders.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({
  now: clock.now,
  settings: { scanOrigin: "https://qr.example", appOrigin: "https://app.example", ownHosts: ["qr.example"] },
});
let client: Client;
let host: string;
let count = 0;

/** Gives a workspace a host. */
const give = (workspaceId: string, name: string) =>
  service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${name}`, { workspaceId });

const scanAt = (address: string, init: RequestInit<IncomingRequestCfProperties> = {}) =>
  service.fetch(`https://${address}`, init);

const leadsTo = async (address: string): Promise<string | number> => {
  const response = await scanAt(address);
  return response.headers.get("location") ?? response.status;
};

beforeEach(async () => {
  client = await service.workspace();
  count += 1;
  host = `go${count}.acme.example`;
});

const create = (url: string, more: Partial<QrCreateInput> = {}) =>
  client.createQr({ data: { type: "url", url }, ...more });

describe("a domain", () => {
  it("answers the codes of its workspace by hash, and no others", async () => {
    const qr = await create("https://example.com/menu");
    const other = await (await service.workspace()).createQr();
    expect(await leadsTo(`${host}/${other.hash}`)).toBe("https://example.com/");
    const domain = await give(client.workspaceId, host);
    expect([domain.status, domain.problem, domain.records]).toEqual(["active", null, []]);
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe("https://example.com/menu");
    expect(await leadsTo(`${host}/${qr.hash.toUpperCase()}/`)).toBe("https://example.com/menu");
    expect(await leadsTo(`${host}/${other.hash}`)).toBe(404);
    expect(await leadsTo(`${host}/dashboard`)).toBe(404);
    expect(await leadsTo(`${host}/api/v1/me`)).toBe(404);
  });

  it("is in the short links of codes that have it, as long as it is active", async () => {
    await give(client.workspaceId, host);
    const qr = await create("https://example.com/", { domain: host.toUpperCase() });
    expect([qr.domain, qr.scanUrl]).toEqual([host, `https://${host}/${qr.hash}`]);
    await service.operator.send("PUT", `/operator/domains/${host}/suspension`, { reason: "Phishing" });
    const read = await client.expect(200, Qr, "GET", `/qr/${qr.id}`);
    expect([read.domain, read.scanUrl]).toEqual([host, `https://qr.example/${qr.hash}`]);
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe(403);
    expect(await leadsTo(`qr.example/${qr.hash}`)).toBe("https://example.com/");
  });

  it("answers aliases, exactly as they were printed", async () => {
    await give(client.workspaceId, host);
    const qr = await create("https://example.com/a", { aliases: [`${host}/Menu_1/old`] });
    expect(qr.aliases).toEqual([`${host}/Menu_1/old`]);
    expect(await leadsTo(`${host}/Menu_1/old`)).toBe("https://example.com/a");
    expect(await leadsTo(`${host}//Menu_1/%6Fld?x=1`)).toBe("https://example.com/a");
    for (const path of ["menu_1/old", "Menu_1/old/", "Menu_1"])
      expect(await leadsTo(`${host}/${path}`)).toBe(404);
    expect(await leadsTo("qr.example/Menu_1/old")).toBe(404);
  });

  inBothOrders("an alias that moves from one code to another", (make) => {
    it("is followed at once, and so is one that goes", async () => {
      await give(client.workspaceId, host);
      const [one, two] = await make(() => create("https://example.com/"));
      const lead = (qr: Qr, to: string) =>
        client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, {
          data: { type: "url", url: `https://example.com/${to}` },
        });
      await Promise.all([lead(one, "1"), lead(two, "2")]);
      await client.expect(200, Qr, "PATCH", `/qr/${one.id}`, { aliases: [`${host}/x`, `${host}/y`] });
      expect(await leadsTo(`${host}/x`)).toBe("https://example.com/1");
      const moved = await client.expect(200, Qr, "POST", `/qr/${two.id}/aliases`, { alias: `${host}/x` });
      expect(moved.aliases).toEqual([`${host}/x`]);
      expect((await client.expect(200, Qr, "GET", `/qr/${one.id}`)).aliases).toEqual([`${host}/y`]);
      expect(await leadsTo(`${host}/x`)).toBe("https://example.com/2");
      await client.expect(200, Qr, "PATCH", `/qr/${two.id}`, { aliases: [] });
      expect(await leadsTo(`${host}/x`)).toBe(404);
      await client.expect(200, Qr, "PATCH", `/qr/${one.id}`, { aliases: [`${host}/x`] });
      expect(await leadsTo(`${host}/x`)).toBe("https://example.com/1");
      expect(await leadsTo(`${host}/y`)).toBe(404);
    });
  });

  it("has each alias at one code, however aliases move between them", async () => {
    await give(client.workspaceId, host);
    const codes = [];
    for (const i of [0, 1, 2, 3]) codes.push(await create(`https://example.com/${i}`));
    const random = new SeededRandom(1);
    const holders = new Map<string, number>();
    for (let i = 0; i < 24; i += 1) {
      const [alias, to] = [`${host}/${random.below(3)}`, random.below(codes.length)];
      holders.set(alias, to);
      await client.expect(200, Qr, "POST", `/qr/${codes[to]?.id}/aliases`, { alias });
      for (const [held, code] of holders) expect(await leadsTo(held)).toBe(`https://example.com/${code}`);
    }
  });

  it("takes all that are given to a code at once", async () => {
    await give(client.workspaceId, host);
    const { id } = await create("https://example.com/");
    const aliases = [...Array(5).keys()].map((i) => `${host}/${i}`);
    await Promise.all(aliases.map((alias) => client.expect(200, Qr, "POST", `/qr/${id}/aliases`, { alias })));
    const code = await client.expect(200, Qr, "GET", `/qr/${id}`);
    expect(code.aliases?.toSorted()).toEqual(aliases);
  });
});
