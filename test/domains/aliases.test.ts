import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { BulkJobWithItems } from "../../src/contract/resources/codes/bulk.ts";
import { Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { normalPath } from "../../src/lib/web/alias.ts";
import { BulkHarness } from "../support/bulk.ts";
import type { Client } from "../support/service.ts";

const harness = new BulkHarness();
const { service } = harness;
let client: Client;
let host: string;
let count = 0;

beforeEach(async () => {
  client = await service.workspace();
  count += 1;
  host = `alias${count}.example`;
  await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: client.workspaceId,
  });
});

const read = (id: string) => client.expect(200, Qr, "GET", `/qr/${id}`);
const problem = async (method: string, path: string, body: object) => {
  const response = await client.send(method, path, body);
  return [response.status, ((await response.json()) as { error: string }).error];
};
const leadsTo = async (path: string) => {
  const response = await service.fetch(`https://${host}${path}`);
  return response.headers.get("location") ?? response.status;
};
const url = (address: string) => ({ qrType: "url", data: { type: "url", url: address } });

describe("the form of an alias", () => {
  it.each([
    ["/a//b", "/a/b"],
    ["/a\\b", "/a/b"],
    ["/%41%5f%7E%2d", "/A_~-"],
    ["/a/./b/../c", "/a/c"],
    ["/%2e%2e/a", "/a"],
    ["/caf%c3%a9", "/caf%C3%A9"],
    ["/café", "/caf%C3%A9"],
    ["/a%2fb", "/a%2Fb"],
    ["/Case_/", "/Case_/"],
    ["/", "/"],
  ])("%s is compared as %s, which is its own form", (path, form) => {
    expect(normalPath(path)).toBe(form);
    expect(normalPath(form)).toBe(form);
  });

  it("is refused with its place in the list where it can't be one", async () => {
    for (const [alias, words] of [
      ["menu", "must be a host and a path"],
      [host, "must be a host and a path"],
      [`${host}/`, "must be a host and a path"],
      [`${host}/a?b`, "can't contain ?"],
      [`${host}/report/x`, "every host answers itself"],
      [`${host}/.well-known/x`, "every host answers itself"],
      [`${host}/${"a".repeat(256)}`, "at most 255 bytes"],
      ["elsewhere.example/a", "must be at a domain of this workspace"],
    ]) {
      const answer = await problem("POST", "/qr", {
        ...url("example.com"),
        aliases: [`${host}/fine`, alias],
      });
      expect([alias, ...answer]).toEqual([alias, 400, expect.stringMatching(/^aliases\.1 /)]);
      expect(answer[1]).toContain(words);
    }
    const many = Array.from({ length: 21 }, (_, i) => `${host}/${i}`);
    expect((await problem("POST", "/qr", { ...url("example.com"), aliases: many }))[1]).toContain(
      "at most 20",
    );
    const most = await client.createQr({ aliases: [`${host}/${"é".repeat(42)}xyz`, ...many.slice(0, 19)] });
    expect(most.aliases).toHaveLength(20);
    expect(await leadsTo(`/${"é".repeat(42)}xyz`)).toBe("https://example.com/");
  });
});

describe("an alias", () => {
  it("is of one code; another takes it only by asking for it", async () => {
    const alias = `${host}/Menu`;
    const [a, b] = [await client.createQr({ aliases: [alias] }), await client.createQr()];
    for (const [method, path, body] of [
      ["PATCH", `/qr/${b.id}`, { aliases: [`https://${host}//Menu`] }],
      ["POST", "/qr", { ...url("example.com"), aliases: [alias] }],
    ] as const) {
      const [status, error] = await problem(method, path, body);
      expect([status, error]).toEqual([409, expect.stringContaining(a.id)]);
    }
    await client.send("DELETE", `/qr/${a.id}`);
    expect(await leadsTo("/Menu")).toBe(404);
    expect((await problem("PATCH", `/qr/${b.id}`, { aliases: [alias] }))[1]).toContain("deleted");
    await client.expect(200, Qr, "POST", `/qr/${b.id}/aliases`, { alias });
    expect(await leadsTo("/Menu")).toBe("https://example.com/");
    // The restored code comes back without it.
    expect((await client.expect(200, Qr, "POST", `/qr/${a.id}/restore`)).aliases).toEqual([]);
  });

  it("never reads like a short name of the workspace, nor the reverse", async () => {
    await client.createQr({ hash: "summer-menu" });
    for (const path of ["summer-menu", "SUMMER-MENU/", "summer-menu.png"]) {
      const answer = await problem("POST", "/qr", { ...url("example.com"), aliases: [`${host}/${path}`] });
      expect([path, ...answer]).toEqual([path, 409, expect.stringContaining("reads like the short name")]);
    }
    await client.createQr({ aliases: [`${host}/Winter-l0l`] });
    const answer = await problem("POST", "/qr", { ...url("example.com"), hash: "winter-1ol" });
    expect(answer).toEqual([409, expect.stringContaining("reads like the alias")]);
    // Elsewhere, both are free.
    await (await service.workspace()).createQr({ hash: "winter-lol" });
  });

  it("finds its code by the link as people paste it, and stands in exports", async () => {
    const qr = await client.createQr({ aliases: [`${host}/Old|x`.replace("|", "%7C")], domain: host });
    for (const scanUrl of [`https://${host}/Old%7Cx`, `${host}/${qr.hash}`, qr.scanUrl]) {
      const list = await client.expect(200, QrList, "GET", `/qr?scanUrl=${encodeURIComponent(scanUrl)}`);
      expect(list.items.map(({ id }) => id)).toEqual([qr.id]);
    }
    const csv = await (await client.send("GET", "/qr/export")).text();
    expect(csv).toContain(`${host}/Old%7Cx`);
    const other = await service.workspace();
    expect((await other.send("GET", `/qr?scanUrl=${host}/Old%257Cx`)).status).toBe(400);
  });

  it("is set by tables and jobs, row by row, and undone with them", async () => {
    const csv = `url,domain,aliases\nhttps://example.com/1,${host},${host}/a|${host}/b\nhttps://example.com/2,,${host}/b\nhttps://example.com/3,,${host}/c\n`;
    const created = await harness.run(
      client,
      await client.send("POST", "/qr/bulk", csv, { "content-type": "text/csv" }),
    );
    expect(created.items.map(({ error }) => error)).toEqual([
      null,
      "line 3: aliases has an address that an earlier row has.",
      null,
    ]);
    expect(created.items[0]).toMatchObject({ scanUrl: expect.stringContaining(`${host}`) });
    expect(await leadsTo("/b")).toBe("https://example.com/1");
    expect(await leadsTo("/c")).toBe("https://example.com/3");
    const [one, , three] = created.items.map(({ createdQrId }) => createdQrId ?? "");
    const rows = {
      items: [
        { scanUrl: `${host}/a`, aliases: [`${host}/d`] },
        { id: three, aliases: [`${host}/d`] },
      ],
    };
    const changed = await harness.run(client, await harness.update(client, rows));
    expect(changed.items.map(({ status }) => status)).toEqual(["succeeded", "failed"]);
    expect(await leadsTo("/d")).toBe("https://example.com/1");
    expect(await leadsTo("/a")).toBe(404);
    const owner = await service.sessionIn(client.workspaceId);
    const told = await owner.expect(200, HistoryList, "GET", `/developer/history?object=${one}`);
    const [latest] = told.items;
    await owner.send("POST", `/developer/history/${latest?.id}/revert`);
    expect((await read(one ?? "")).aliases).toEqual([`${host}/a`, `${host}/b`]);
    expect(await leadsTo("/a")).toBe("https://example.com/1");
    expect(BulkJobWithItems.parse(changed).failureCount).toBe(1);
  });

  it("goes with its code's values when these are erased", async () => {
    const qr = await client.createQr({ aliases: [`${host}/gone`] });
    await client.send("DELETE", `/qr/${qr.id}`);
    await client.send("POST", `/qr/${qr.id}/erase`);
    const { rows } = {
      rows: await env.DB.prepare("SELECT 1 FROM aliases WHERE qr_id = ?").bind(qr.id).all(),
    };
    expect(rows.results).toEqual([]);
    expect((await client.createQr({ aliases: [`${host}/gone`] })).aliases).toEqual([`${host}/gone`]);
    expect(await leadsTo("/gone")).toBe("https://example.com/");
  });

  it("counts towards the workspace's storage", async () => {
    const stored = () =>
      env.DB.prepare("SELECT stored_bytes FROM workspaces WHERE id = ?")
        .bind(client.workspaceId)
        .first<number>("stored_bytes");
    const qr = await client.createQr();
    const before = (await stored()) ?? 0;
    await client.send("PATCH", `/qr/${qr.id}`, { aliases: [`${host}/a`] });
    expect((await stored()) ?? 0).toBeGreaterThan(before + 300);
    await client.send("PATCH", `/qr/${qr.id}`, { aliases: [] });
    expect(await stored()).toBe(before);
  });
});

describe("a domain that has the default", () => {
  it("is new codes' domain, with its query, until another has it", async () => {
    const owner = await service.sessionIn(client.workspaceId);
    const [domain] = (
      (await (await owner.send("GET", "/developer/domains")).json()) as { domains: { id: string }[] }
    ).domains;
    await owner.send("PATCH", `/developer/domains/${domain?.id}`, { isDefault: true, query: "merge" });
    const qr = await client.createQr();
    expect([qr.domain, qr.query]).toEqual([host, "merge"]);
    expect((await client.createQr({ domain: null })).query).toBe("off");
    const mail = await client.createQr({ qrType: "email", data: { type: "email", to: "a@e.example" } });
    expect([mail.domain, mail.query]).toEqual([host, "off"]);
    const second = `second-${host}`;
    await service.operator.send("PUT", `/operator/domains/${second}`, { workspaceId: client.workspaceId });
    const { domains } = (await (await owner.send("GET", "/developer/domains")).json()) as {
      domains: { id: string; host: string }[];
    };
    const other = domains.find((each) => each.host === second);
    await owner.send("PATCH", `/developer/domains/${other?.id}`, { isDefault: true });
    expect((await client.createQr()).domain).toBe(second);
    const [status, error] = await problem("POST", "/qr", url(`https://${host}/x`));
    expect([status, error]).toEqual([400, expect.stringContaining("in circles")]);
  });
});
