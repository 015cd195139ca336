import { beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Domain, OperatorDomain } from "../../src/contract/resources/domains.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

/** Undoing, restoring and moving obey the rules of changing. */

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let owner: SessionClient;
let client: Client;
let host: string;
let path: string;
let count = 0;

beforeEach(async () => {
  owner = await service.session();
  client = await service.client(owner.workspaceId);
  count += 1;
  host = `back${count}.example`;
  await give();
  const listed = await owner.expect(200, z.object({ domains: z.array(Domain) }), "GET", "/developer/domains");
  path = `/developer/domains/${listed.domains[0]?.id}`;
});

const give = () =>
  service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId: owner.workspaceId,
  });

/** Undoes the newest change. */
async function undo(): Promise<readonly [status: number, text: string]> {
  const { items } = await owner.expect(200, HistoryList, "GET", "/developer/history?limit=1");
  return told(await owner.send("POST", `/developer/history/${items[0]?.id}/revert`));
}

const told = async (response: Response) => [response.status, await response.text()] as const;
const leadsTo = async (at: string) => {
  const response = await service.fetch(`https://${host}${at}`);
  return response.headers.get("location") ?? response.status;
};

it.each(["rootUrl", "unknownUrl"])("a blocked host comes back as no domain's %s", async (field) => {
  const evil = `https://evil${count}.example/`;
  await owner.expect(200, Domain, "PATCH", path, { [field]: evil });
  await owner.expect(200, Domain, "PATCH", path, { [field]: null });
  clock.advance(60_000);
  await service.operator.send("POST", "/operator/blocked-hosts", {
    host: `evil${count}.example`,
    reason: "Phishing",
  });
  expect(await undo()).toEqual([400, expect.stringContaining(`${field} leads to a blocked host`)]);
  const other = `https://worse${count}.example/`;
  await owner.expect(200, Domain, "PATCH", path, { [field]: other });
  await owner.send("DELETE", path);
  clock.advance(60_000);
  await service.operator.send("POST", "/operator/blocked-hosts", {
    host: `worse${count}.example`,
    reason: "Phishing",
  });
  const refused = [400, expect.stringContaining(`${field} leads to a blocked host`)];
  expect(await undo()).toEqual(refused);
  expect(await told(await owner.send("POST", `${path}/restore`))).toEqual(refused);
});

it("the aliases of a suspended code stay with it, whatever one does", async () => {
  const alias = `${host}/menu`;
  const code = await client.createQr({ aliases: [alias, `${host}/b`] });
  const other = await client.createQr({ data: { type: "url", url: "https://other.example/" } });
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { aliases: [alias] });
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { aliases: [alias, `${host}/c`] });
  await service.operator.send("PUT", `/operator/qr/${code.id}/suspension`, { reason: "Phishing" });
  const isKept = async () => [await leadsTo("/menu"), await leadsTo("/c")];
  const refused = [400, expect.stringMatching(/alias.*the operator has suspended/)];
  const tries: (readonly [string, string, object?])[] = [
    ["POST", `/qr/${other.id}/aliases`, { alias }],
    ["PATCH", `/qr/${code.id}`, { aliases: [] }],
    ["PATCH", `/qr/${code.id}`, { aliases: [`${host}/c`] }],
  ];
  for (const [method, at, body] of tries) {
    expect([at, await told(await client.send(method, at, body))]).toEqual([at, refused]);
  }
  const { items } = await owner.expect(200, HistoryList, "GET", `/developer/history?object=${code.id}`);
  const added = items.find(({ action, changes }) => action === "code.updated" && "aliases" in changes);
  expect(await told(await owner.send("POST", `/developer/history/${added?.id}/revert`))).toEqual(refused);
  // It can still get more, be changed and be deleted, but not erased: that would set them free.
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { aliases: [alias, `${host}/c`, `${host}/d`] });
  await client.send("DELETE", `/qr/${code.id}`);
  expect(await told(await client.send("POST", `/qr/${other.id}/aliases`, { alias }))).toEqual(refused);
  expect(await told(await client.send("POST", `/qr/${code.id}/erase`))).toEqual([409, refused[1]]);
  await client.expect(200, Qr, "POST", `/qr/${code.id}/restore`);
  expect(await isKept()).toEqual([403, 403]);
  await service.operator.send("DELETE", `/operator/qr/${code.id}/suspension`);
  await client.expect(200, Qr, "POST", `/qr/${other.id}/aliases`, { alias });
  expect(await leadsTo("/menu")).toBe("https://other.example/");
});

it("a host that the operator gave needs the operator again, or proof, once a member has removed it", async () => {
  await client.createQr({ aliases: [`${host}/menu`] });
  for (const comeBack of [() => owner.send("POST", `${path}/restore`), undo]) {
    expect(await leadsTo("/menu")).toBe("https://example.com/");
    clock.advance(1);
    expect((await owner.send("DELETE", `${path}?host=${host}`)).status).toBe(200);
    await comeBack();
    const domain = await owner.expect(200, Domain, "GET", path);
    expect([domain.status, domain.records[0]?.type]).toEqual(["unproved", "TXT"]);
    expect(await leadsTo("/menu")).toBe(404);
    await give();
  }
  expect(await leadsTo("/menu")).toBe("https://example.com/");
});
