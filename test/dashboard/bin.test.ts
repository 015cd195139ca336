import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { Folder } from "../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { BinList } from "../../src/contract/resources/history/bin.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { insertCodes } from "../support/bulk.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import { FakeClock, origin, Service, type SessionClient } from "../support/service.ts";

let clock: FakeClock;
let service: Service;
let me: SignedInBrowser;
let session: SessionClient;
beforeEach(async () => {
  clock = new FakeClock();
  service = new Service({ now: clock.now });
  me = await signedIn(service);
  session = await service.sessionIn(me.client.workspaceId);
});
const day = 86_400_000;
const list = (query = "") => session.expect(200, BinList.strict(), "GET", `/developer/bin${query}`);

/** One of everything, deleted a second apart. */
async function deleteAll() {
  const folder = await me.client.expect(201, Folder, "POST", "/folders", { name: "Spring" });
  const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "Menu" });
  const template = await session.expect(201, Template, "POST", "/developer/templates", { name: "House" });
  const qr = await me.client.createQr({ name: "Poster", folderId: folder.id, templateId: template.id });
  for (const path of [
    `/dashboard/codes/${qr.id}`,
    `/dashboard/folders/${folder.id}`,
    `/dashboard/pages/${page.id}`,
    `/dashboard/templates/${template.id}`,
  ]) {
    expect((await me.browser.submit(`${path}/delete`, {})).status).toBe(303);
    clock.advance(1000);
  }
  return { qr, folder, page, template };
}

it("lists everything deleted, the last first, with when it is erased, and restores it", async () => {
  expect(await pageAt(me.browser, "/dashboard/bin")).toContain("The bin is empty");
  const { qr, folder, page, template } = await deleteAll();
  const { items } = await list();
  expect(items.map(({ kind, id, name, hash }) => [kind, id, name, hash])).toEqual([
    ["template", template.id, "House", null],
    ["page", page.id, "Menu", null],
    ["folder", folder.id, "Spring", null],
    ["code", qr.id, "Poster", qr.hash],
  ]);
  for (const { deletedAt, restorableUntil } of items) {
    expect(Date.parse(restorableUntil) - Date.parse(deletedAt)).toBe(30 * day);
  }
  const shown = await pageAt(me.browser, "/dashboard/bin");
  const restored = [...shown.matchAll(/action="(\/dashboard\/[a-z]+\/[0-9a-f-]+\/restore)"/g)].map(
    ([, path = ""]) => path,
  );
  expect([...new Set(restored)]).toEqual([
    `/dashboard/templates/${template.id}/restore`,
    `/dashboard/pages/${page.id}/restore`,
    `/dashboard/folders/${folder.id}/restore`,
    `/dashboard/codes/${qr.id}/restore`,
  ]);
  const selected = [...shown.matchAll(/name="id" value="([^"]+)"/g)].map(([, value = ""]) => ["id", value]);
  const address = `/dashboard/bin/restore?${new URLSearchParams(selected)}`;
  expect(fieldsOf(await pageAt(me.browser, address))).toBeDefined();
  const answer = await me.browser.submit(address, {});
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}/dashboard/bin`]);
  expect(await pageAt(me.browser, "/dashboard/bin")).toContain("4 items restored.");
  expect(await me.client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toMatchObject({
    folderId: folder.id,
    templateId: template.id,
  });
  expect((await list()).items).toEqual([]);
});

it("says by whom, as long as the history has it, on its way to the ledger and in it", async () => {
  await env.DB.prepare("UPDATE users SET name = 'Ada <b>'").run();
  const { qr } = await deleteAll();
  await me.client.send("POST", `/qr/${qr.id}/restore`);
  clock.advance(1000);
  await me.client.send("DELETE", `/qr/${qr.id}`);
  const by = async () => (await list()).items.map(({ kind, deletedBy }) => [kind, deletedBy?.name]);
  const expected = [
    ["code", "test"],
    ["template", "Ada <b>"],
    ["page", "Ada <b>"],
    ["folder", "Ada <b>"],
  ];
  expect(await by()).toEqual(expected);
  clock.advance(120_000);
  await sweep(service.deps);
  expect(await by()).toEqual(expected);
  const page = await pageAt(me.browser, "/dashboard/bin");
  expect(page).toContain(">Ada &lt;b&gt;</td>");
  expect(page).toContain("test (API key)");
  await env.DB.prepare("UPDATE folders SET id = ? WHERE deleted_at IS NOT NULL")
    .bind(crypto.randomUUID())
    .run();
  expect((await list("?kind=folder")).items).toMatchObject([{ name: "Spring", deletedBy: null }]);
});

it("has one kind, page by page, without what others deleted or what is erased", async () => {
  const other = await signedIn(service);
  const theirs = await other.client.createQr({ name: "Theirs" });
  await other.client.send("DELETE", `/qr/${theirs.id}`);
  const { folder } = await deleteAll();
  expect((await list("?kind=folder")).items.map(({ id }) => id)).toEqual([folder.id]);
  expect(await pageAt(me.browser, "/dashboard/bin?kind=template")).not.toContain("Spring");
  const more = await insertCodes(me.client, 27);
  await env.DB.prepare("UPDATE qr_codes SET deleted_at = ? WHERE id IN (SELECT value FROM json_each(?))")
    .bind(clock.now(), JSON.stringify(more))
    .run();
  const first = await pageAt(me.browser, "/dashboard/bin?kind=code");
  const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const names = `${first}${await pageAt(me.browser, next)}`.matchAll(/<strong>(Item \d+|Poster)</g);
  expect(new Set([...names].map(([, name]) => name)).size).toBe(28);
  const ids = new Set<string>();
  for (let cursor = ""; ; ) {
    const page = await list(`?limit=7${cursor}`);
    for (const { id } of page.items) ids.add(id);
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(ids.size).toBe(31);
  const chosen = new URLSearchParams([
    ...more.slice(0, 6).map((id) => ["id", `code ${id}`]),
    ["id", `folder ${folder.id}`],
  ]);
  const asked = `/dashboard/bin/erase?${chosen}`;
  expect(await pageAt(me.browser, asked)).toMatch(/Erase 6 codes\?.*1 selected item isn/s);
  const { headers } = await me.browser.submit(asked, {});
  const others = headers.get("location")?.replace(origin, "") ?? "";
  expect(new URL(others, origin).searchParams.getAll("id")).toHaveLength(2);
  await me.browser.submit(others, {});
  await me.browser.submit(others, {});
  expect(await pageAt(me.browser, "/dashboard/bin")).toContain("0 items erased. One that couldn");
  expect((await list("?limit=100")).items).toHaveLength(25);
  await pageAt(me.browser, "/dashboard/bin/restore");
  await pageAt(me.browser, next.replace("kind=code&", ""), 400);
  await expectError(await session.send("GET", "/developer/bin?cursor=nonsense"), 400, "invalid_input");
  clock.advance(30 * day);
  session = await service.sessionIn(me.client.workspaceId);
  expect((await list()).items).toEqual([]);
});

it("offers to undo a deletion right after it", async () => {
  const { id } = await me.client.expect(201, Folder, "POST", "/folders", { name: "Spring" });
  const deleted = await me.browser.submit(`/dashboard/folders/${id}/delete`, {});
  const page = await pageAt(me.browser, new URL(deleted.headers.get("location") ?? "").pathname);
  expect(page).toContain(`action="/dashboard/folders/${id}/restore"`);
});
