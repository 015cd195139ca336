import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Domain, OperatorDomain } from "../../src/contract/resources/domains.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

/** Short links that would lead to themselves are refused when they are saved. */

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let owner: SessionClient;
let client: Client;
let count = 0;
const hostNamed = (name: string) => `${name}${count}.localhost`;

beforeEach(async () => {
  owner = await service.session();
  client = await service.client(owner.workspaceId);
  count += 1;
});

const add = (host: string, more: object = {}, by = owner) =>
  by.expect(201, Domain, "POST", "/developer/domains", { host, ...more });
const change = async ({ id }: Domain, body: object, by = owner): Promise<[number, string]> => {
  const answer = await by.send("PATCH", `/developer/domains/${id}`, body);
  return [answer.status, await answer.text()];
};
const to = (url: string) => ({ data: { type: "url", url } as const });
const circles = (field: string) => [400, expect.stringMatching(new RegExp(`${field} .*go in circles`))];

describe.each(["rootUrl", "unknownUrl"])("a domain's %s", (field) => {
  const at = (host: string) => `http://${host}/${field === "rootUrl" ? "" : "no/such/path"}`;

  it("doesn't come back by that of another domain, whose owner isn't named", async () => {
    const stranger = await service.session();
    const [a, b] = [await add(hostNamed("a")), await add(hostNamed("b"), {}, stranger)];
    expect((await change(a, { [field]: at(b.host) }))[0]).toBe(200);
    const [status, text] = await change(b, { [field]: at(a.host) }, stranger);
    expect([status, text]).toEqual(circles(field));
    expect(text).not.toContain(a.host);
    expect((await change(b, { [field]: "https://example.com/" }, stranger))[0]).toBe(200);
  });

  it("doesn't come back by a code, an alias and several hosts, up to five", async () => {
    const domains: Domain[] = [];
    for (const name of ["a", "b", "c", "d", "e", "f"]) domains.push(await add(hostNamed(name)));
    const [a, b, c, d, e, f] = domains as [Domain, Domain, Domain, Domain, Domain, Domain];
    // Stored before the hosts were domains.
    const code = await client.createQr({ aliases: [`${b.host}/menu`] });
    await env.DB.prepare("UPDATE qr_codes SET data = json_set(data, '$.url', ?) WHERE id = ?")
      .bind(at(a.host), code.id)
      .run();
    for (const path of ["menu", code.hash]) {
      expect(await change(a, { [field]: `http://${b.host}/${path}` })).toEqual(circles(field));
    }
    for (const [one, next] of [
      [b, c],
      [c, d],
      [d, e],
    ] as const) {
      expect((await change(one, { [field]: at(next.host) }))[0]).toBe(200);
    }
    expect((await change(e, { [field]: at(f.host) }))[0]).toBe(200);
    expect(await change(f, { [field]: at(b.host) })).toEqual(circles(field));
  });

  it("doesn't come back once an earlier value is put back", async () => {
    const [a, b] = [await add(hostNamed("a")), await add(hostNamed("b"))];
    expect((await change(a, { [field]: at(b.host) }))[0]).toBe(200);
    expect((await change(a, { [field]: "https://example.com/" }))[0]).toBe(200);
    expect((await change(b, { [field]: at(a.host) }))[0]).toBe(200);
    const { items } = await owner.expect(200, HistoryList, "GET", "/developer/history");
    const changed = items.find(({ changes }) => changes[field]?.after === "https://example.com/");
    const answer = await owner.send("POST", `/developer/history/${changed?.id}/revert`);
    expect([answer.status, await answer.text()]).toEqual(circles(field));
  });

  it("may lead to other short links", async () => {
    const [a, b] = [await add(hostNamed("a")), await add(hostNamed("b"))];
    const code = await client.createQr({ aliases: [`${b.host}/menu`] });
    for (const path of ["menu", code.hash, "", "no/such"]) {
      expect((await change(a, { [field]: `http://${b.host}/${path}` }))[0]).toBe(200);
    }
  });
});

describe("a host to which codes lead", () => {
  it("isn't added while one of them would lead to itself, and the page of one that was shows them", async () => {
    const host = hostNamed("late");
    const code = await client.createQr({
      ...to(`http://${host}/circle`),
      hash: `circle-${count}`,
      name: "Menu",
    });
    const { id } = await add(host);
    const page = await service.fetch(`/dashboard/domains/${id}`, { headers: { cookie: owner.cookie } });
    expect(await page.text()).toMatch(/1 code<\/a> leads to this host/);
    const other = hostNamed("later");
    await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, to(`http://${other}/${code.hash}`));
    const answer = await owner.send("POST", "/developer/domains", { host: other });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining(`the code Menu (${code.hash}) go in circles`),
    ]);
    const byOperator = await service.operator.send("PUT", `/operator/domains/${other}`, {
      workspaceId: owner.workspaceId,
    });
    expect(byOperator.status).toBe(400);
    const elsewhere = { workspaceId: (await service.workspace()).workspaceId };
    await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${other}`, elsewhere);
  });

  it("isn't restored while one of them would lead to itself", async () => {
    const domain = await add(hostNamed("back"));
    await owner.send("DELETE", `/developer/domains/${domain.id}`);
    clock.advance(60_000);
    const code = await client.createQr({ hash: `back-${count}` });
    await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, to(`http://${domain.host}/${code.hash})`));
    const answer = await owner.send("POST", `/developer/domains/${domain.id}/restore`);
    expect([answer.status, await answer.text()]).toEqual(circles("host"));
  });
});

describe("an alias", () => {
  it.each(["added", "moved"])("that a code leads to isn't %s to it", async (way) => {
    const host = hostNamed("alias");
    const leading = await client.createQr(to(`http://${host}/menu`));
    await add(host);
    if (way === "moved") await client.createQr({ aliases: [`${host}/menu`] });
    const alias = await client.send("POST", `/qr/${leading.id}/aliases`, { alias: `${host}/menu` });
    expect([alias.status, await alias.text()]).toEqual(circles("alias(es)?"));
    const fine = await client.send("POST", `/qr/${leading.id}/aliases`, { alias: `${host}/lunch` });
    expect(fine.status).toBe(200);
  });
});
