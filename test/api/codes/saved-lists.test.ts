import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { Deleted } from "../../../src/contract/resources/codes/qr.ts";
import { SavedList, SavedLists } from "../../../src/contract/resources/codes/saved-lists.ts";
import { BinList } from "../../../src/contract/resources/history/bin.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { Reverted } from "../../../src/contract/resources/history/revert.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const lists = "/developer/lists";
let key: Client;
let owner: SessionClient;
let editor: SessionClient;
let viewer: SessionClient;

beforeEach(async () => {
  key = await service.workspace("business");
  owner = await service.sessionIn(key.workspaceId);
  editor = await service.sessionIn(key.workspaceId, "editor");
  viewer = await service.sessionIn(key.workspaceId, "viewer");
});

const save = (by: Client | SessionClient, body: object = {}) =>
  by.expect(201, SavedList, "POST", lists, { name: "Paused", ...body });

const namesOf = async (by: Client | SessionClient) =>
  (await by.expect(200, SavedLists, "GET", lists)).lists.map(({ name }) => name);

describe("a saved list", () => {
  it("has a filter, an order and columns, as they were given or as usual", async () => {
    const usual = await save(key, { name: "All" });
    expect(usual).toMatchObject({
      ...{ name: "All", shared: true, filter: {}, sort: "createdAt", order: "desc" },
      columns: ["destination", "folder", "tags", "status", "scans30d"],
    });
    const filter = { tag: " Café ", status: "paused", destinationHost: "SHOP.example", q: "menu" };
    const given = await save(key, { filter, sort: "name", columns: ["scanUrl", "destination", "scanUrl"] });
    expect(given).toMatchObject({
      filter: { tag: "Café", status: "paused", destinationHost: "shop.example", q: "menu" },
      ...{ sort: "name", order: "asc", columns: ["destination", "scanUrl"] },
    });
    expect(await key.expect(200, SavedList, "GET", `${lists}/${given.id}`)).toEqual(given);
    clock.advance(1000);
    const changed = await key.expect(200, SavedList, "PATCH", `${lists}/${given.id}`, { sort: "updatedAt" });
    expect(changed).toEqual({
      ...given,
      ...{ sort: "updatedAt", order: "desc", updatedAt: new Date(clock.now()).toISOString() },
    });
  });

  it("refuses what it doesn't know, by name", async () => {
    for (const [body, field] of [
      [{ filter: { tags: "menu" } }, "filter"],
      [{ filter: { folderId: "menus" } }, "filter.folderId must be the id of a folder"],
      [{ filter: { destinationHost: "a b" } }, "destinationHost must be a host"],
      [{ sort: "tags" }, "sort must be"],
      [{ columns: ["name"] }, "columns"],
      [{ name: "" }, "name"],
      [{ shared: false }, "shared must be true for a list that a key saves"],
    ] as const) {
      const answer = await key.send("POST", lists, { name: "A", ...body });
      expect(await expectError(answer, 400, "invalid_input")).toContain(field);
    }
  });

  it("is listed by name: those of the workspace, and one's own", async () => {
    for (const name of ["List 10", "list 9", "A"]) await save(owner, { name });
    await save(viewer, { name: "Mine", shared: false });
    await save(editor, { name: "Theirs", shared: false });
    expect(await namesOf(key)).toEqual(["A", "list 9", "List 10"]);
    expect(await namesOf(viewer)).toEqual(["A", "list 9", "List 10", "Mine"]);
    expect(await namesOf(editor)).toEqual(["A", "list 9", "List 10", "Theirs"]);
    const others = await service.workspace("business");
    expect(await namesOf(others)).toEqual([]);
  });
});

describe("who may change a saved list", () => {
  it("of the workspace: editors, and keys that write codes", async () => {
    const { id } = await save(editor);
    const path = `${lists}/${id}`;
    await expectError(await viewer.send("POST", lists, { name: "A" }), 403, "forbidden");
    await expectError(await viewer.send("PATCH", path, { name: "A" }), 403, "forbidden");
    await expectError(await viewer.send("DELETE", path), 403, "forbidden");
    await key.expect(200, SavedList, "PATCH", path, { name: "B" });
    await key.expect(200, Deleted, "DELETE", path);
    await expectError(await viewer.send("POST", `${path}/restore`), 403, "forbidden");
    expect(await editor.expect(200, SavedList, "POST", `${path}/restore`)).toMatchObject({ name: "B" });
  });

  it("of a person: only they, whatever their role; to others it doesn't exist", async () => {
    const { id } = await save(viewer, { shared: false });
    const path = `${lists}/${id}`;
    for (const by of [owner, editor, key]) {
      await expectError(await by.send("GET", path), 404, "not_found");
      await expectError(await by.send("PATCH", path, { name: "A" }), 404, "not_found");
      await expectError(await by.send("DELETE", path), 404, "not_found");
    }
    await viewer.expect(200, SavedList, "PATCH", path, { name: "C" });
    await expectError(await viewer.send("PATCH", path, { shared: true }), 403, "forbidden");
    await viewer.expect(200, Deleted, "DELETE", path);
    await expectError(await owner.send("POST", `${path}/restore`), 404, "not_found");
    const bin = async (by: SessionClient) =>
      (await by.expect(200, BinList, "GET", "/developer/bin")).items.map((item) => item.id);
    expect(await bin(owner)).toEqual([]);
    expect(await bin(viewer)).toEqual([id]);
    await viewer.expect(200, SavedList, "POST", `${path}/restore`);
  });

  it("becomes shared and one's own again", async () => {
    const { id } = await save(editor, { shared: false });
    const path = `${lists}/${id}`;
    await editor.expect(200, SavedList, "PATCH", path, { shared: true });
    expect(await namesOf(viewer)).toEqual(["Paused"]);
    await owner.expect(200, SavedList, "PATCH", path, { shared: false });
    expect([await namesOf(editor), await namesOf(owner)]).toEqual([[], ["Paused"]]);
  });

  it("is deleted with its owner's membership", async () => {
    await save(viewer, { shared: false });
    const kept = await save(editor, { shared: false });
    await owner.expect(200, Deleted, "DELETE", `/developer/members/${viewer.userId}`);
    const { results } = await env.DB.prepare("SELECT id FROM saved_lists WHERE workspace_id = ?")
      .bind(key.workspaceId)
      .all();
    expect(results).toEqual([{ id: kept.id }]);
  });
});

describe("the history of a saved list", () => {
  it("has every change, each of which can be undone", async () => {
    const { id } = await save(editor, { filter: { tag: "menu" } });
    const path = `${lists}/${id}`;
    await editor.expect(200, SavedList, "PATCH", path, { name: "Menus", filter: {}, columns: [] });
    const newest = async () => {
      const { items } = await editor.expect(200, HistoryList, "GET", `/developer/history?object=${id}`);
      return items[0] ?? expect.fail("no entry");
    };
    const update = await newest();
    expect(update).toMatchObject({
      action: "saved_list.updated",
      object: { kind: "saved_list", name: "Menus" },
    });
    expect(Object.keys(update.changes).sort()).toEqual(["columns", "filter", "name"]);
    await editor.expect(200, Reverted, "POST", `/developer/history/${update.id}/revert`);
    expect(await editor.expect(200, SavedList, "GET", path)).toMatchObject({
      ...{ name: "Paused", filter: { tag: "menu" } },
      columns: ["destination", "folder", "tags", "status", "scans30d"],
    });
    await editor.expect(200, Deleted, "DELETE", path);
    const deletion = await newest();
    expect(deletion.action).toBe("saved_list.deleted");
    await editor.expect(200, Reverted, "POST", `/developer/history/${deletion.id}/revert`);
    expect((await newest()).action).toBe("saved_list.restored");
    const sharing = await editor.expect(200, SavedList, "PATCH", path, { shared: false });
    expect(sharing.shared).toBe(false);
    const refused = await owner.send("POST", `/developer/history/${(await newest()).id}/revert`);
    await expectError(refused, 404, "not_found");
  });
});

describe("the limits of saved lists", () => {
  const { savedLists } = limits;
  afterEach(() => {
    Object.assign(limits, { savedLists });
  });

  it("count those of the workspace and of each person apart, and hold for restoring and sharing", async () => {
    const { results } = await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO saved_lists (id, workspace_id, owner_id, name, name_order, filter, sort, direction, columns, created_at, updated_at)
       SELECT substr(?2, 1, 24) || printf('%012x', i), ?2, '', 'List', 'LIST', '{}', 'name', 'asc', '[]', 1, 1 FROM n RETURNING id`,
    )
      .bind(savedLists.workspace, key.workspaceId)
      .all<{ id: string }>();
    const full = /can have at most 100 shared lists/;
    expect(await expectError(await key.send("POST", lists, { name: "A" }), 409, "invalid_input")).toMatch(
      full,
    );
    const own = await save(editor, { shared: false });
    const sharing = await editor.send("PATCH", `${lists}/${own.id}`, { shared: true });
    expect(await expectError(sharing, 409, "invalid_input")).toMatch(full);
    const path = `${lists}/${results[0]?.id}`;
    await key.expect(200, Deleted, "DELETE", path);
    await editor.expect(200, SavedList, "PATCH", `${lists}/${own.id}`, { shared: true });
    expect(await expectError(await key.send("POST", `${path}/restore`), 409, "invalid_input")).toMatch(full);
    for (let i = 0; i < savedLists.person; i += 1) await save(viewer, { name: `Own ${i}`, shared: false });
    const another = await viewer.send("POST", lists, { name: "A", shared: false });
    expect(await expectError(another, 409, "invalid_input")).toContain("at most 50 lists of your own");
    await save(editor, { shared: false });
  });

  it("delete what was deleted thirty days ago", async () => {
    const { id } = await save(key);
    await key.expect(200, Deleted, "DELETE", `${lists}/${id}`);
    clock.advance((limits.deletedDays + 1) * 86_400_000);
    await expectError(await key.send("POST", `${lists}/${id}/restore`), 404, "not_found");
    await sweep(service.deps);
    expect(await env.DB.prepare("SELECT 1 FROM saved_lists WHERE id = ?").bind(id).first()).toBeNull();
  });
});
