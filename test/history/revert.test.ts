import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { BulkJobWithItems } from "../../src/contract/resources/codes/bulk.ts";
import { Folder, FolderList } from "../../src/contract/resources/codes/folders.ts";
import { Qr, type QrCreateInput, QrList } from "../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Reverted } from "../../src/contract/resources/history/revert.ts";
import { Template, TemplateList } from "../../src/contract/resources/images/templates.ts";
import { Page, PageList } from "../../src/contract/resources/pages.ts";
import { forwardStrandedEvents } from "../../src/domain/events/forwarding.ts";
import { BulkHarness, goodItems } from "../support/bulk.ts";
import { expectError } from "../support/endpoints.ts";
import { type Client, Service, type SessionClient } from "../support/service.ts";

let harness: BulkHarness;
let client: Client;
let session: SessionClient;
beforeEach(async () => {
  harness = new BulkHarness();
  client = await harness.service.workspace();
  session = await harness.service.sessionIn(client.workspaceId);
});

const at = (id: string) => `/qr/${id}`;
const read = (id: string) => client.expect(200, Qr, "GET", at(id));
const change = (id: string, input: object): Promise<Qr> => client.expect(200, Qr, "PATCH", at(id), input);
const scan = async (hash: string) => {
  const answer = await new Service({ now: harness.clock.now }).scan(hash);
  return answer.headers.get("location") ?? answer.status;
};

async function create(input: Partial<QrCreateInput> = {}): Promise<Qr> {
  harness.clock.advance(1);
  return client.createQr(input);
}

/** The latest entries about an object, newest first. */
async function entriesOf(id: string) {
  harness.clock.advance(1);
  const list = await session.expect(200, HistoryList, "GET", `/developer/history?object=${id}`);
  return list.items;
}

const revert = (id: string, query = ""): Promise<Reverted> =>
  session.expect(200, Reverted, "POST", `/developer/history/${id}/revert${query}`);
const refusal = async (id: string, status = 400, code = "invalid_input"): Promise<string> =>
  expectError(await session.send("POST", `/developer/history/${id}/revert`), status, code);

/** Undoes the latest change of an object. */
async function undo(id: string): Promise<Reverted> {
  const [latest] = await entriesOf(id);
  return revert(latest?.id ?? "");
}

describe("undoing a change of a code", () => {
  it("puts every kind of value back, and says so in its history", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const template = await session.expect(201, Template, "POST", "/developer/templates", {
      name: "T",
      colorConfig: { dotsColor: "#14532d" },
      advanced: { modules: "rounded" },
    });
    const before = await create({
      name: "Müsli",
      tags: ["a", "b"],
      folderId: folder.id,
      utm: { source: "poster" },
      colorConfig: { dotsColor: "navy" },
      startsAt: "2020-01-01T00:00:00Z",
    });
    await change(before.id, {
      name: null,
      tags: ["c"],
      folderId: null,
      utm: null,
      data: { type: "url", url: "https://example.org/" },
      status: "paused",
      templateId: template.id,
      shape: "circle",
      startsAt: null,
      expiresAt: "2090-01-01T00:00:00Z",
      fallbackUrl: "https://example.org/gone",
    });
    const [changed] = await entriesOf(before.id);
    const { entry, job } = await revert(changed?.id ?? "");
    expect(job).toBeNull();
    expect(entry).toMatchObject({
      action: "code.updated",
      actor: { kind: "person" },
      revertOf: changed?.id,
      changes: { name: { before: null, after: "Müsli" } },
    });
    // The design that came back is measured later.
    expect(await read(before.id)).toEqual({
      ...before,
      updatedAt: expect.any(String),
      readability: "unmeasured",
    });
    expect(await scan(before.hash)).toBe("https://example.com/?utm_source=poster");
    const { items } = await client.expect(200, QrList, "GET", "/qr?q=müsli&tag=b");
    expect(items).toHaveLength(1);
  });

  it("can itself be undone, and that again", async () => {
    const { id } = await create({ name: "A" });
    await change(id, { name: "B" });
    const names = [];
    for (let i = 0; i < 4; i += 1) {
      await undo(id);
      names.push((await read(id)).name);
    }
    expect(names).toEqual(["A", "B", "A", "B"]);
  });

  it("deletes what was created, restores what was deleted, and deletes what was restored", async () => {
    const { id, hash } = await create();
    await undo(id);
    expect(await scan(hash)).toBe(404);
    await undo(id);
    expect(await scan(hash)).toBe("https://example.com/");
    await client.send("DELETE", at(id));
    await client.send("POST", `${at(id)}/restore`);
    await undo(id);
    expect(await scan(hash)).toBe(404);
    const actions = (await entriesOf(id)).map(({ action, revertOf }) => [action, revertOf !== null]);
    expect(actions).toEqual([
      ["code.deleted", true],
      ["code.restored", false],
      ["code.deleted", false],
      ["code.restored", true],
      ["code.deleted", true],
      ["code.created", false],
    ]);
  });

  it("names the fields that have changed since, and changes nothing then", async () => {
    const { id } = await create({ name: "A" });
    await change(id, { name: "B", status: "paused", tags: ["x"] });
    const [first] = await entriesOf(id);
    const after = await change(id, { name: "C", tags: [] });
    expect(await refusal(first?.id ?? "")).toContain("name and tags changed since");
    expect(await read(id)).toEqual(after);
    const [second, , created] = await entriesOf(id);
    await revert(second?.id ?? "");
    await revert(first?.id ?? "");
    expect(await read(id)).toMatchObject({ name: "A", status: "active", tags: [] });
    await client.send("DELETE", at(id));
    expect(await refusal(first?.id ?? "")).toContain("deleted changed since");
    const [deletion] = await entriesOf(id);
    await revert(deletion?.id ?? "");
    expect(await refusal(deletion?.id ?? "")).toContain("deleted changed since");
    await change(id, { name: "D" });
    expect(await refusal(created?.id ?? "")).toContain("name changed since");
  });

  it("is refused for a blocked host, a deleted page, at the plan's cap and in a suspended workspace", async () => {
    const service = harness.service;
    const moved = await create({ data: { type: "url", url: "https://blocked-since.example/" } });
    await change(moved.id, { data: { type: "url", url: "https://example.org/" } });
    const host = { host: "blocked-since.example", reason: "r" };
    await service.operator.send("POST", "/operator/blocked-hosts", host);
    harness.clock.advance(20_000);
    expect(await refusal((await entriesOf(moved.id))[0]?.id ?? "")).toContain(
      "data.url leads to a blocked host",
    );

    const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "P" });
    const next = await session.expect(201, Page, "POST", "/developer/pages", { title: "Q" });
    const shown = (pageId: string) => ({ data: { type: "servicepage" as const, pageId } });
    const code = await create({ qrType: "servicepage", ...shown(page.id) });
    await change(code.id, shown(next.id));
    await session.send("DELETE", `/developer/pages/${page.id}`);
    expect(await refusal((await entriesOf(code.id))[0]?.id ?? "")).toContain("data.pageId");

    const gone = await create();
    await client.send("DELETE", at(gone.id));
    const deletion = (await entriesOf(gone.id))[0]?.id ?? "";
    const suspension = `/operator/workspaces/${client.workspaceId}/suspension`;
    await service.operator.send("PUT", suspension, { reason: "r" });
    await refusal(deletion, 403, "forbidden");
    await service.operator.send("DELETE", suspension);
    await env.DB.prepare("UPDATE workspaces SET creations = 1000000 WHERE id = ?")
      .bind(client.workspaceId)
      .run();
    await refusal(deletion, 402, "plan_limit");
    expect(await scan(gone.hash)).toBe(404);
  });

  it("waits outside a folder that is deleted meanwhile, and returns with it", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const other = await client.expect(201, Folder, "POST", "/folders", { name: "G" });
    const { id } = await create({ folderId: folder.id });
    await client.send("DELETE", `/folders/${folder.id}`);
    await change(id, { folderId: other.id });
    expect((await entriesOf(id))[0]?.changes).toEqual({ folderId: { before: folder.id, after: other.id } });
    await undo(id);
    expect((await read(id)).folderId).toBeNull();
    await client.send("POST", `/folders/${folder.id}/restore`);
    expect((await read(id)).folderId).toBe(folder.id);
  });

  it("takes a code out of a folder that is deleted meanwhile, which can be undone, too", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const { id } = await create();
    await change(id, { folderId: folder.id });
    await client.send("DELETE", `/folders/${folder.id}`);
    const out = await undo(id);
    expect(out.entry?.changes).toEqual({ folderId: { before: folder.id, after: null } });
    const back = await undo(id);
    expect(back.entry?.changes).toEqual({ folderId: { before: null, after: folder.id } });
    await client.send("POST", `/folders/${folder.id}/restore`);
    expect((await read(id)).folderId).toBe(folder.id);
  });

  it("isn't found for another workspace, and not possible once the values are erased or for a suspension", async () => {
    const service = harness.service;
    const { id, hash } = await create({ name: "A" });
    await change(id, { name: "B" });
    const entry = (await entriesOf(id))[0]?.id ?? "";
    const theirs = await service.session();
    const path = `/developer/history/${entry}/revert`;
    await expectError(await theirs.send("POST", path), 404, "not_found");
    await refusal(crypto.randomUUID(), 404, "not_found");
    await service.operator.send("PUT", `/operator/qr/${hash}/suspension`, { reason: "r" });
    const suspended = (await entriesOf(id))[0];
    expect(suspended?.action).toBe("code.suspended");
    expect(await refusal(suspended?.id ?? "")).toContain("can't be undone");
    expect(await scan(hash)).toBe(403);
    await expectError(await session.send("POST", `${path}?scope=job`), 400, "invalid_input");
  });
});

describe("undoing a change of a folder, template or page", () => {
  const folders = () => client.expect(200, FolderList, "GET", "/folders");
  const templates = () => session.expect(200, TemplateList, "GET", "/developer/templates");
  const pages = () => session.expect(200, PageList, "GET", "/developer/pages");

  it("puts a folder's name back, with its codes after a deletion, unless it was renamed again", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "A" });
    const qr = await create({ folderId: folder.id });
    const rename = (name: string) => client.send("PATCH", `/folders/${folder.id}`, { name });
    await rename("B");
    const [first] = await entriesOf(folder.id);
    await rename("C");
    expect(await refusal(first?.id ?? "")).toContain("name changed since");
    await undo(folder.id);
    expect((await undo(folder.id)).entry).toMatchObject({ action: "folder.updated" });
    expect((await folders()).folders[0]?.name).toBe("C");
    await revert((await entriesOf(folder.id))[0]?.id ?? "");
    await revert(first?.id ?? "");
    expect((await folders()).folders).toEqual([folder]);
    await client.send("DELETE", `/folders/${folder.id}`);
    expect((await undo(folder.id)).entry).toMatchObject({
      action: "folder.restored",
      actor: { kind: "person" },
    });
    expect((await read(qr.id)).folderId).toBe(folder.id);
    await undo(folder.id);
    expect((await folders()).folders).toEqual([]);
  });

  it("puts a template's design back, and a page's content, published", async () => {
    const template = await session.expect(201, Template, "POST", "/developer/templates", {
      name: "T",
      colorConfig: { dotsColor: "#14532d" },
      logo: "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA5IDkiLz4=",
    });
    const path = `/developer/templates/${template.id}`;
    await session.send("PATCH", path, { name: "U", colorConfig: null, shape: "circle", logo: null });
    await undo(template.id);
    expect((await templates()).templates).toEqual([template]);
    await session.send("DELETE", path);
    await undo(template.id);
    expect((await templates()).templates).toEqual([template]);

    const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "P", intro: "Hello" });
    await session.send("PATCH", `/developer/pages/${page.id}`, { title: "Q", intro: "Bye" });
    const [edit] = await entriesOf(page.id);
    await revert(edit?.id ?? "");
    expect((await pages()).items).toEqual([{ ...page, updatedAt: expect.any(String) }]);
    const shown = await new Service({ now: harness.clock.now }).fetch(`/pages/${page.id}`);
    expect(await shown.text()).toContain("Hello");
    expect(await refusal(edit?.id ?? "")).toContain("title and intro changed since");
    await session.send("DELETE", `/developer/pages/${page.id}`);
    await undo(page.id);
    expect((await pages()).items).toHaveLength(1);
  });
});

describe("undoing a bulk job", () => {
  async function bulk(body: object): Promise<BulkJobWithItems> {
    return harness.run(client, await harness.update(client, body));
  }
  /** Undoes the job that made the latest change of a code. */
  async function undoJob(id: string): Promise<BulkJobWithItems> {
    const [latest] = await entriesOf(id);
    const { job } = await revert(latest?.id ?? "", "?scope=job");
    await harness.drain();
    return harness.read(client, job?.jobId ?? "");
  }

  it("brings all codes back, with one entry each that names the one it undid; also from the ledger", async () => {
    const codes = [];
    for (let i = 0; i < 3; i += 1)
      codes.push(await create({ name: `Code ${i}`, tags: i % 2 === 0 ? ["x"] : [] }));
    const ids = codes.map(({ id }) => id);
    const replace = { host: { from: "example.com", to: "example.net" } };
    await bulk({ ids, change: { addTags: ["x"], status: "paused", replace } });
    harness.clock.advance(31_000);
    await forwardStrandedEvents(harness.service.deps);
    const job = await undoJob(ids[0] ?? "");
    expect(job).toMatchObject({ kind: "update", status: "completed", successCount: 3, failureCount: 0 });
    for (const code of codes) {
      expect(await read(code.id)).toEqual({ ...code, updatedAt: expect.any(String) });
      expect(await scan(code.hash)).toBe("https://example.com/");
      const [undone, done, created] = await entriesOf(code.id);
      expect(undone).toMatchObject({ jobId: job.jobId, revertOf: done?.id, actor: { kind: "person" } });
      expect(created?.action).toBe("code.created");
    }
    await undoJob(ids[0] ?? "");
    expect(await read(ids[1] ?? "")).toMatchObject({ status: "paused", tags: ["x"] });
  });

  it("fails codes that have changed since, naming the fields, and undoes the others", async () => {
    const [a, b] = [await create(), await create()];
    await bulk({ ids: [a.id, b.id], change: { addTags: ["x"], status: "paused" } });
    await change(a.id, { status: "active" });
    const job = await undoJob(b.id);
    expect(job.items.map(({ qrId, error }) => [qrId, error])).toEqual([
      [a.id, expect.stringContaining("status changed since")],
      [b.id, null],
    ]);
    expect((await read(a.id)).tags).toEqual(["x"]);
    expect(await read(b.id)).toMatchObject({ tags: [], status: "active" });
  });

  it("restores deleted codes within the plan, deletes created ones, and can be undone", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push(await create({ folderId: folder.id }));
    const ids = codes.map(({ id }) => id);
    await bulk({ ids, change: { delete: true } });
    await client.send("DELETE", `/folders/${folder.id}`);
    await env.DB.prepare("UPDATE workspaces SET creations = 999999 WHERE id = ?")
      .bind(client.workspaceId)
      .run();
    const job = await undoJob(ids[0] ?? "");
    expect(job).toMatchObject({ successCount: 1, failureCount: 2 });
    expect(job.items.filter(({ error }) => error?.includes("a day"))).toHaveLength(2);
    harness.clock.advance(86_400_000);
    session = await harness.service.sessionIn(client.workspaceId);
    const restored = job.items.find(({ error }) => error === null)?.qrId ?? "";
    expect(await scan(codes.find(({ id }) => id === restored)?.hash ?? "")).toBe("https://example.com/");
    await client.send("POST", `/folders/${folder.id}/restore`);
    expect((await read(restored)).folderId).toBe(folder.id);
    expect((await undoJob(restored)).successCount).toBe(1);

    const made = await harness.run(client, await harness.json(client, goodItems(3)));
    const created = made.items.map(({ createdQrId }) => createdQrId ?? "");
    expect((await undoJob(created[0] ?? "")).successCount).toBe(3);
    for (const id of created) expect((await client.send("GET", at(id))).status).toBe(404);
    expect((await undoJob(created[0] ?? "")).successCount).toBe(3);
    for (const id of created) expect((await client.send("GET", at(id))).status).toBe(200);
  });

  it("isn't possible while the job runs", async () => {
    const { id } = await create();
    await change(id, { name: "A" });
    const { jobId } = await harness.accepted(
      await harness.update(client, { ids: [id], change: { status: "paused" } }),
    );
    await harness.drain();
    const [entry] = await entriesOf(id);
    expect(entry?.jobId).toBe(jobId);
    await env.DB.prepare("UPDATE bulk_jobs SET completed_at = NULL WHERE id = ?").bind(jobId).run();
    const path = `/developer/history/${entry?.id}/revert?scope=job`;
    expect(await expectError(await session.send("POST", path), 400, "invalid_input")).toContain(
      "still running",
    );
  });
});
