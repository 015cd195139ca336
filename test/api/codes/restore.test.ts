import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, emittedEvents, FakeClock, Service } from "../../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const days = (count: number) => count * 86_400_000;

const remove = async (client: Client, { id }: Qr) =>
  expect((await client.send("DELETE", `/qr/${id}`)).status).toBe(200);
const restore = (client: Client, id: string) => client.expect(200, Qr, "POST", `/qr/${id}/restore`);
const liveCodes = ({ workspaceId }: Client) =>
  env.DB.prepare("SELECT live_codes FROM workspaces WHERE id = ?").bind(workspaceId).first("live_codes");

describe("restoring a code", () => {
  it("brings it back as it was: its scans, its filters, its place in the plan", async () => {
    const client = await service.workspace();
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const qr = await client.createQr({ name: "Menu", tags: ["a", "b"], folderId: folder.id });
    const other = new Service({ now: clock.now });
    expect((await other.scan(qr.hash)).status).toBe(302);
    await remove(client, qr);
    expect([(await service.scan(qr.hash)).status, await liveCodes(client)]).toEqual([404, 0]);
    clock.advance(days(30) - 1);
    const restored = await restore(client, qr.id);
    expect(restored).toEqual({ ...qr, updatedAt: new Date(clock.now()).toISOString() });
    expect(await liveCodes(client)).toBe(1);
    for (const at of [service, other]) {
      const scan = await at.scan(qr.hash);
      expect([scan.status, scan.headers.get("location")]).toEqual([302, "https://example.com/"]);
    }
    for (const filter of ["tag=b", `folderId=${folder.id}`, "q=menu"]) {
      expect((await client.expect(200, QrList, "GET", `/qr?${filter}`)).items).toEqual([restored]);
    }
    expect((await service.fetch(`/${qr.hash}.svg`)).status).toBe(200);
  });

  it("is reported as a change, once, however often it is asked for", async () => {
    const client = await service.workspace();
    const qr = await client.createQr({ name: "Menu" });
    await remove(client, qr);
    const answers = await Promise.all([1, 2, 3].map(() => restore(client, qr.id)));
    const again = await restore(client, qr.id);
    expect(answers).toEqual([again, again, again]);
    const events = emittedEvents().filter(({ data }) => data.id === qr.id);
    expect(events.map(({ kind }) => kind)).toEqual(["qr.created", "qr.deleted", "qr.updated"]);
    expect(events.at(-1)?.data).toEqual({ ...again, changed: ["deleted"] });
  });

  it("is 404 after 30 days, for an unknown code and for another workspace", async () => {
    const client = await service.workspace();
    const qr = await client.createQr();
    await remove(client, qr);
    const path = `/qr/${qr.id}/restore`;
    await expectError(await (await service.workspace()).send("POST", path), 404, "not_found");
    await expectError(await client.send("POST", `/qr/${crypto.randomUUID()}/restore`), 404, "not_found");
    clock.advance(days(30));
    await expectError(await client.send("POST", path), 404, "not_found");
    expect((await service.scan(qr.hash)).status).toBe(404);
  });

  it("is 402 at the plan's cap, and changes nothing then", async () => {
    const client = await service.workspace("pro");
    const qr = await client.createQr();
    await remove(client, qr);
    await env.DB.prepare("UPDATE workspaces SET live_codes = 5000 WHERE id = ?")
      .bind(client.workspaceId)
      .run();
    const refused = await client.send("POST", `/qr/${qr.id}/restore`);
    expect(await expectError(refused, 402, "plan_limit")).toContain("5000 live QR codes");
    expect([(await service.scan(qr.hash)).status, await liveCodes(client)]).toEqual([404, 5000]);
    expect(emittedEvents().filter(({ data }) => data.id === qr.id)).toHaveLength(2);
  });

  it("waits outside its deleted folder, keeps its deleted template, and returns to both", async () => {
    const client = await service.workspace();
    const session = await service.sessionIn(client.workspaceId);
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const template = await session.expect(201, Template, "POST", "/developer/templates", { name: "T" });
    const qr = await client.createQr({ folderId: folder.id, templateId: template.id });
    await remove(client, qr);
    await client.send("DELETE", `/folders/${folder.id}`);
    await session.send("DELETE", `/developer/templates/${template.id}`);
    expect(await restore(client, qr.id)).toMatchObject({ folderId: null, templateId: template.id });
    const [event] = emittedEvents().filter(({ kind, data }) => kind === "qr.updated" && data.id === qr.id);
    expect(event?.data.folderId).toBeNull();
    await client.send("POST", `/folders/${folder.id}/restore`);
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toMatchObject({ folderId: folder.id });
  });

  it("is refused for a code that leads to a blocked host, and in a suspended workspace", async () => {
    const client = await service.workspace();
    const qr = await client.createQr({ data: { type: "url", url: "https://lost.example/" } });
    await remove(client, qr);
    const path = `/qr/${qr.id}/restore`;
    await service.operator.send("POST", "/operator/blocked-hosts", { host: "lost.example", reason: "r" });
    expect(await expectError(await client.send("POST", path), 400, "invalid_input")).toContain("data.url");
    const other = await client.createQr();
    await remove(client, other);
    const suspension = `/operator/workspaces/${client.workspaceId}/suspension`;
    await service.operator.send("PUT", suspension, { reason: "r" });
    await expectError(await client.send("POST", `/qr/${other.id}/restore`), 403, "forbidden");
    await service.operator.send("DELETE", suspension);
    await restore(client, other.id);
  });

  it("works for a code whose page is gone, so that it can be given another", async () => {
    const client = await service.workspace();
    const session = await service.sessionIn(client.workspaceId);
    const makePage = (title: string) => session.expect(201, Page, "POST", "/developer/pages", { title });
    const gone = await makePage("Gone");
    const qr = await client.createQr({
      qrType: "servicepage",
      data: { type: "servicepage", pageId: gone.id },
    });
    await remove(client, qr);
    expect((await session.send("DELETE", `/developer/pages/${gone.id}`)).status).toBe(200);
    await restore(client, qr.id);
    expect((await service.scan(qr.hash)).status).toBe(404);
    const data = { type: "servicepage", pageId: (await makePage("Next")).id };
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { data });
    expect(await (await service.scan(qr.hash)).text()).toContain("<h1>Next</h1>");
  });

  it("is published, though the isolate that restored it died before it could do so", async () => {
    const client = await service.workspace();
    const qr = await client.createQr();
    await remove(client, qr);
    const feed = () => ({ publish: () => Promise.reject(new Error("away")) }) as never;
    const dying = new Service({ now: clock.now, feed });
    await dying.fetch(`/api/v1/qr/${qr.id}/restore`, {
      method: "POST",
      headers: { authorization: `Bearer ${client.key}` },
    });
    const pending = env.DB.prepare("SELECT version FROM pending_publications WHERE key = ?").bind(qr.hash);
    expect(await pending.first("version")).toBe(3);
    await restore(client, qr.id);
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(302);
  });
});
