import { beforeAll, expect, it } from "vitest";
import { Folder, FolderList } from "../../../src/contract/resources/codes/folders.ts";
import { Deleted, Qr } from "../../../src/contract/resources/codes/qr.ts";
import { type Client, Service } from "../../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

it("creates, lists, renames", async () => {
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "  Spring  " });
  expect(folder.name).toBe("Spring");
  const renamed = await client.expect(200, Folder, "PATCH", `/folders/${folder.id}`, { name: "Summer" });
  expect(renamed).toEqual({ ...folder, name: "Summer" });
  expect((await client.expect(200, FolderList, "GET", "/folders")).folders).toEqual([renamed]);
});

it("lists folders in pages if asked to", async () => {
  const own = await service.workspace();
  const created: Folder[] = [];
  for (const name of ["C", "B", "A"])
    created.push(await own.expect(201, Folder, "POST", "/folders", { name }));
  expect(await own.expect(200, FolderList, "GET", "/folders")).toEqual({ folders: created });
  const first = await own.expect(200, FolderList, "GET", "/folders?limit=2");
  expect(first.folders).toEqual(created.slice(0, 2));
  for (const query of ["limit=2&cursor=", "cursor="]) {
    const last = await own.expect(200, FolderList, "GET", `/folders?${query}${first.nextCursor}`);
    expect(last).toEqual({ folders: created.slice(2), nextCursor: null });
  }
  for (const query of ["limit=0", "limit=two", "cursor=odd"]) {
    expect((await own.send("GET", `/folders?${query}`)).status).toBe(400);
  }
});

it("unfiles the codes of a deleted folder", async () => {
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "Short-lived" });
  const qr = await client.createQr({ folderId: folder.id });
  expect(await client.expect(200, Deleted, "DELETE", `/folders/${folder.id}`)).toEqual({ success: true });
  expect((await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).folderId).toBeNull();
  expect((await client.send("DELETE", `/folders/${folder.id}`)).status).toBe(404);
});

it("refuses a folder of another workspace, whatever is done with it", async () => {
  const other = await service.workspace();
  const foreign = await other.expect(201, Folder, "POST", "/folders", { name: "Theirs" });
  const mine = await client.createQr();
  const create = { qrType: "url", data: { type: "url", url: "example.com" }, folderId: foreign.id };
  for (const response of [
    await client.send("POST", "/qr", create),
    await client.send("PATCH", `/qr/${mine.id}`, { folderId: foreign.id }),
  ]) {
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining("folderId") });
  }
  expect((await client.send("PATCH", `/folders/${foreign.id}`, { name: "Mine" })).status).toBe(404);
  expect((await client.send("DELETE", `/folders/${foreign.id}`)).status).toBe(404);
  expect((await other.expect(200, FolderList, "GET", "/folders")).folders).toEqual([foreign]);
});
