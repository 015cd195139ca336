import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { Folder, FolderList } from "../../src/contract/resources/codes/folders.ts";
import { Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Template, TemplateList } from "../../src/contract/resources/images/templates.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { expectError } from "../support/endpoints.ts";
import { type Client, emittedEvents, FakeClock, Service, type SessionClient } from "../support/service.ts";

let clock: FakeClock;
let service: Service;
let client: Client;
let session: SessionClient;
beforeEach(async () => {
  clock = new FakeClock();
  service = new Service({ now: clock.now });
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
});
const days = (count: number) => count * 86_400_000;

const makeFolder = (name: string) => client.expect(201, Folder, "POST", "/folders", { name });
const restoreFolder = ({ id }: Folder) => client.expect(200, Folder, "POST", `/folders/${id}/restore`);
const remove = async (by: Client | SessionClient, path: string) =>
  expect((await by.send("DELETE", path)).status).toBe(200);
const folderOf = async ({ id }: Qr) => (await client.expect(200, Qr, "GET", `/qr/${id}`)).folderId;
const rowsOf = (table: "folders" | "templates") =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE workspace_id = ?`)
    .bind(client.workspaceId)
    .first("n");

describe("a deleted folder", () => {
  it("is gone from every list, and comes back with its codes for 30 days", async () => {
    const folder = await makeFolder("Spring");
    const codes = [await client.createQr({ folderId: folder.id }), await client.createQr()];
    await remove(client, `/folders/${folder.id}`);
    expect(await client.expect(200, FolderList, "GET", "/folders")).toEqual({ folders: [] });
    await expectError(await client.send("PATCH", `/folders/${folder.id}`, { name: "New" }), 404, "not_found");
    const filed = await client.send("PATCH", `/qr/${codes[1]?.id}`, { folderId: folder.id });
    expect(await expectError(filed, 400, "invalid_input")).toContain("folderId");
    expect(await Promise.all(codes.map(folderOf))).toEqual([null, null]);
    const before = emittedEvents().length;
    clock.advance(days(30) - 1);
    expect(await restoreFolder(folder)).toEqual(folder);
    expect(await restoreFolder(folder)).toEqual(folder);
    expect(await Promise.all(codes.map(folderOf))).toEqual([folder.id, null]);
    const { items } = await client.expect(200, QrList, "GET", `/qr?folderId=${folder.id}`);
    expect(items.map(({ id }) => id)).toEqual([codes[0]?.id]);
    expect(emittedEvents()).toHaveLength(before);
  });

  it("leaves codes where they were moved meanwhile, also back and forth", async () => {
    const [folder, other] = [await makeFolder("A"), await makeFolder("B")];
    const [moved, returned, taken, deleted] = await Promise.all(
      [1, 2, 3, 4].map(() => client.createQr({ folderId: folder.id })),
    );
    if (!moved || !returned || !taken || !deleted) throw new Error("no codes");
    await remove(client, `/folders/${folder.id}`);
    const move = (qr: Qr, folderId: string | null) =>
      client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { folderId });
    await move(moved, other.id);
    await move(taken, other.id);
    await move(taken, null);
    await client.expect(200, Qr, "PATCH", `/qr/${returned.id}`, { name: "Renamed", folderId: null });
    await remove(client, `/qr/${deleted.id}`);
    await restoreFolder(folder);
    await client.expect(200, Qr, "POST", `/qr/${deleted.id}/restore`);
    expect(await Promise.all([moved, returned, taken, deleted].map(folderOf))).toEqual([
      other.id,
      folder.id,
      null,
      folder.id,
    ]);
  });

  it("gets a code that is restored at the same moment, whichever comes first", async () => {
    for (let round = 0; round < 2; round += 1) {
      const folder = await makeFolder("F");
      const qr = await client.createQr({ folderId: folder.id });
      await remove(client, `/qr/${qr.id}`);
      await remove(client, `/folders/${folder.id}`);
      const restored = [restoreFolder(folder), client.expect(200, Qr, "POST", `/qr/${qr.id}/restore`)];
      await Promise.all(round % 2 === 0 ? restored : restored.toReversed());
      expect(await folderOf(qr)).toBe(folder.id);
    }
  });

  it("is not found for strangers, never existed, or after 30 days, when its row is deleted", async () => {
    const folder = await makeFolder("F");
    await remove(client, `/folders/${folder.id}`);
    const path = `/folders/${folder.id}/restore`;
    await expectError(await (await service.workspace()).send("POST", path), 404, "not_found");
    await expectError(await client.send("POST", `/folders/${crypto.randomUUID()}/restore`), 404, "not_found");
    clock.advance(days(30));
    await expectError(await client.send("POST", path), 404, "not_found");
    await sweep(service.deps);
    expect(await rowsOf("folders")).toBe(0);
  });

  it("frees its place in the plan, and needs one to return; a suspended workspace gets nothing back", async () => {
    const pro = await service.workspace("pro");
    const make = (name: string) => pro.expect(201, Folder, "POST", "/folders", { name });
    const folder = await make("First");
    await env.DB.prepare(
      `INSERT INTO folders (id, workspace_id, name, created_at)
       SELECT lower(hex(randomblob(16))), ?, 'F', 0 FROM json_each(?)`,
    )
      .bind(pro.workspaceId, JSON.stringify(Array.from({ length: 4998 }, (_, i) => i)))
      .run();
    const spare = await make("Last");
    await expectError(await pro.send("POST", "/folders", { name: "Too many" }), 402, "plan_limit");
    await remove(pro, `/folders/${folder.id}`);
    const replacement = await make("Replacement");
    const path = `/folders/${folder.id}/restore`;
    expect(await expectError(await pro.send("POST", path), 402, "plan_limit")).toContain("5000 folders");
    await remove(pro, `/folders/${replacement.id}`);
    const suspension = `/operator/workspaces/${pro.workspaceId}/suspension`;
    await service.operator.send("PUT", suspension, { reason: "r" });
    await expectError(await pro.send("POST", path), 403, "forbidden");
    await service.operator.send("DELETE", suspension);
    expect((await pro.send("POST", path)).status).toBe(200);
    await remove(pro, `/folders/${spare.id}`);
  });

  it("leaves no trace in codes once it is gone for good", async () => {
    const folder = await makeFolder("Spring");
    const path = `/folders/${folder.id}`;
    const [waiting, moved, deleted] = await Promise.all(
      [1, 2, 3].map(() => client.createQr({ folderId: folder.id })),
    );
    if (!waiting || !moved || !deleted) throw new Error("no codes");
    await client.send("PATCH", `/qr/${moved.id}`, { folderId: null });
    await remove(client, path);
    clock.advance(days(15));
    await remove(client, `/qr/${deleted.id}`);
    clock.advance(days(15));
    session = await service.sessionIn(client.workspaceId);
    await sweep(service.deps);
    await client.expect(200, Qr, "POST", `/qr/${deleted.id}/restore`);
    expect(await Promise.all([waiting, moved, deleted].map(folderOf))).toEqual([null, null, null]);
    const traces = await env.DB.prepare("SELECT id FROM qr_codes WHERE ? IN (folder_id, deleted_folder_id)")
      .bind(folder.id)
      .all();
    expect(traces.results).toEqual([]);
    const { items } = await session.expect(
      200,
      HistoryList,
      "GET",
      `/developer/history?object=${moved.id}&limit=1`,
    );
    const undo = await session.send("POST", `/developer/history/${items[0]?.id}/revert`);
    expect(await expectError(undo, 400, "invalid_input")).toContain("the folder no longer exists");
  });

  it("is erased at once if many others were deleted after it", async () => {
    const [first, second] = [await makeFolder("First"), await makeFolder("Second")];
    await remove(client, `/folders/${first.id}`);
    clock.advance(1);
    const later = limits.deletedKept - 1;
    await env.DB.prepare(
      `INSERT INTO folders (id, workspace_id, name, created_at, deleted_at)
       SELECT lower(hex(randomblob(16))), ?1, 'F', 0, ?2 FROM json_each(?3)`,
    )
      .bind(client.workspaceId, clock.now(), JSON.stringify(Array.from({ length: later }, (_, i) => i)))
      .run();
    expect(await rowsOf("folders")).toBe(limits.deletedKept + 1);
    await remove(client, `/folders/${second.id}`);
    expect(await rowsOf("folders")).toBe(limits.deletedKept);
    await expectError(await client.send("POST", `/folders/${first.id}/restore`), 404, "not_found");
    await restoreFolder(second);
  });
});

describe("a deleted template", () => {
  const path = "/developer/templates";
  const make = (by = session) => by.expect(201, Template, "POST", path, { name: "T", shape: "circle" });

  it("is gone from every list, and is the template of its codes again when restored", async () => {
    const template = await make();
    const qr = await client.createQr({ templateId: template.id });
    await remove(session, `${path}/${template.id}`);
    expect(await session.expect(200, TemplateList, "GET", path)).toEqual({ templates: [] });
    const use = { qrType: "url", data: { type: "url", url: "example.com" }, templateId: template.id };
    await expectError(await client.send("POST", "/qr", use), 400, "invalid_input");
    await expectError(await session.send("DELETE", `${path}/${template.id}`), 404, "not_found");
    clock.advance(days(30) - 1);
    const again = await service.sessionIn(client.workspaceId);
    for (const _ of [1, 2]) {
      expect(await again.expect(200, Template, "POST", `${path}/${template.id}/restore`)).toEqual(template);
    }
    expect((await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).templateId).toBe(template.id);
    expect((await client.send("POST", "/qr", use)).status).toBe(201);
  });

  it("is not found for strangers or after 30 days, when its row and bytes are gone", async () => {
    const bytes = () =>
      env.DB.prepare("SELECT stored_bytes AS n FROM workspaces WHERE id = ?")
        .bind(client.workspaceId)
        .first("n");
    const empty = await bytes();
    const template = await make();
    await remove(session, `${path}/${template.id}`);
    expect(await bytes()).not.toBe(empty);
    const restore = `${path}/${template.id}/restore`;
    await expectError(await (await service.session()).send("POST", restore), 404, "not_found");
    clock.advance(days(30));
    const again = await service.sessionIn(client.workspaceId);
    await expectError(await again.send("POST", restore), 404, "not_found");
    await sweep(service.deps);
    expect([await rowsOf("templates"), await bytes()]).toEqual([0, empty]);
  });

  it("needs a place in the plan, and a plan with templates", async () => {
    const template = await make();
    await remove(session, `${path}/${template.id}`);
    const restore = () => session.send("POST", `${path}/${template.id}/restore`);
    await env.DB.prepare(
      `INSERT INTO templates (id, workspace_id, name, created_at)
       SELECT lower(hex(randomblob(16))), ?, 'T', 0 FROM json_each(?)`,
    )
      .bind(client.workspaceId, JSON.stringify(Array.from({ length: 200 }, (_, i) => i)))
      .run();
    expect(await expectError(await restore(), 402, "plan_limit")).toContain("200 templates");
    await service.operator.send("PUT", `/operator/workspaces/${client.workspaceId}/plan`, { plan: "free" });
    expect(await expectError(await restore(), 402, "plan_limit")).toContain("design templates");
  });
});

describe("a deleted page", () => {
  const path = "/developer/pages";
  const make = (content: object = {}) =>
    session.expect(201, Page, "POST", path, { title: "Menu", ...content });
  const shown = async ({ id }: Page) => (await new Service({ now: clock.now }).fetch(`/pages/${id}`)).status;

  it("comes back as it was, published, with its codes' scans", async () => {
    const page = await make({ intro: "Hello" });
    const data = { type: "servicepage" as const, pageId: page.id };
    const qr = await client.createQr({ qrType: "servicepage", data });
    await remove(client, `/qr/${qr.id}`);
    await remove(session, `${path}/${page.id}`);
    expect(await shown(page)).toBe(404);
    clock.advance(days(30) - 1);
    const again = await service.sessionIn(client.workspaceId);
    const restored = await again.expect(200, Page, "POST", `${path}/${page.id}/restore`);
    expect(restored).toEqual({ ...page, updatedAt: new Date(clock.now()).toISOString() });
    expect(await again.expect(200, Page, "POST", `${path}/${page.id}/restore`)).toEqual(restored);
    await client.expect(200, Qr, "POST", `/qr/${qr.id}/restore`);
    expect(await shown(page)).toBe(200);
    expect(await (await service.scan(qr.hash)).text()).toContain("Hello");
  });

  it("is not found after 30 days, and is refused with a blocked host or on a plan without pages", async () => {
    const page = await make({ blocks: [{ type: "link", label: "Shop", url: "https://stolen.example/" }] });
    await remove(session, `${path}/${page.id}`);
    const restore = async () =>
      (await service.sessionIn(client.workspaceId)).send("POST", `${path}/${page.id}/restore`);
    await service.operator.send("POST", "/operator/blocked-hosts", { host: "stolen.example", reason: "r" });
    expect(await expectError(await restore(), 400, "invalid_input")).toContain("blocks.0.url");
    expect(await shown(page)).toBe(404);
    const plan = (name: string) =>
      service.operator.send("PUT", `/operator/workspaces/${client.workspaceId}/plan`, { plan: name });
    await plan("free");
    await expectError(await restore(), 402, "plan_limit");
    await plan("business");
    clock.advance(days(30));
    await expectError(await restore(), 404, "not_found");
  });
});
