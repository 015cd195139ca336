import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { BulkHarness } from "../support/bulk.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { origin, Service } from "../support/service.ts";
import { meterDatabase } from "../support/world/wrapped-database.ts";

const metered = meterDatabase(env.DB);
const harness = new BulkHarness();
const { service } = harness;

/** A workspace with so many folders, in the order `Folder 1`, `Folder 2`. */
async function withFolders(count: number): Promise<SignedInBrowser> {
  const me = await signedIn(service);
  const { workspaceId } = me.client;
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO folders (id, workspace_id, name, name_order, created_at)
     SELECT ${idOf("?2", "i")}, ?2, 'Folder ' || i, printf('FOLDER %03d%d', length(i), i), 0 FROM n`,
  )
    .bind(count, workspaceId)
    .run();
  return me;
}

const idOf = (workspaceId: string, i: string) => `substr(${workspaceId}, 1, 23) || printf('-%012x', ${i})`;
const folderId = ({ client }: SignedInBrowser, i: number) =>
  `${client.workspaceId.slice(0, 23)}-${i.toString(16).padStart(12, "0")}`;

/** The texts of a select's options. */
function optionsOf(page: string, name: string): string[] {
  const [, select = ""] = new RegExp(`<select[^>]* name="${name}"[^>]*>(.*?)</select>`, "s").exec(page) ?? [];
  return [...select.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text = ""]) => text);
}

describe("pages of a workspace with many folders", () => {
  it("read and show as much with 4000 as with 400", async () => {
    const few = await withFolders(400);
    const many = await withFolders(4000);
    const paths = async (me: SignedInBrowser) => {
      const { id } = await me.client.createQr({ folderId: folderId(me, 7) });
      const own = ["", "/edit"].map((page) => `/codes/${id}${page}`);
      return [
        "",
        "/folders",
        "/codes",
        "/codes?q=folder:%22Folder+7%22",
        "/codes/new",
        "/codes/bulk?q=",
        ...own,
      ];
    };
    const counting = new Service({ db: metered.db, now: harness.clock.now });
    const read = async (me: SignedInBrowser, path: string) => {
      metered.rows.read = 0;
      const answer = await counting.fetch(`/dashboard${path}`, { headers: { cookie: me.browser.cookie } });
      expect(answer.status).toBe(200);
      return { rows: metered.rows.read, bytes: (await answer.text()).length };
    };
    const pathsOfMany = await paths(many);
    for (const [i, path] of (await paths(few)).entries()) {
      const [small, large] = [await read(few, path), await read(many, pathsOfMany[i] ?? "")];
      // Only the folders' numbers have more digits. At the end of an index, each search reads a row less.
      expect([path, Math.abs(large.rows - small.rows) <= 10]).toEqual([path, true]);
      expect([path, large.bytes < 1.05 * small.bytes + 300]).toEqual([path, true]);
      expect(small.bytes).toBeLessThan(125_000);
    }
  });
});

describe("a choice among many folders", () => {
  let me: SignedInBrowser;
  beforeAll(async () => {
    me = await withFolders(400);
  });
  const entries = { type: "url", "data.url": "menu.example" };
  const codesIn = async (i: number) =>
    (await me.client.expect(200, QrList, "GET", `/qr?folderId=${folderId(me, i)}`)).items;

  it("has the newest, and finds others by their names, also without scripts", async () => {
    const page = await pageAt(me.browser, "/dashboard/codes/new");
    const options = optionsOf(page, "folderId");
    expect([options.length, options[0], options[1], options.at(-1)]).toEqual([
      51,
      "None",
      "Folder 351",
      "Folder 400",
    ]);
    expect(fieldsOf(page).findFolder).toBe("");

    const several = await me.browser.submit("/dashboard/codes/new", { ...entries, findFolder: "39" });
    const again = await several.text();
    expect(several.status).toBe(400);
    expect(again).toContain('<a href="#findFolder">Folder by name matches 14 folders. Choose one');
    expect(optionsOf(again, "folderId")).toEqual([
      "None",
      ...[39, 139, 239, 339].map((i) => `Folder ${i}`),
      ...Array.from({ length: 10 }, (_, i) => `Folder ${390 + i}`),
    ]);
  });

  it("takes the one whose name is entered, and the only one that has the words", async () => {
    for (const [text, i] of [
      ["folder 39", 39],
      ["  FOLDER 7 ", 7],
      ["351 folder", 351],
    ] as const) {
      const created = await me.browser.submit("/dashboard/codes/new", { ...entries, findFolder: text });
      expect(created.status).toBe(303);
      expect(await codesIn(i)).toHaveLength(1);
    }
  });

  it("says that none matches, and keeps the form", async () => {
    const refused = await me.browser.submit("/dashboard/codes/new", { ...entries, findFolder: "nowhere" });
    const page = await refused.text();
    expect(refused.status).toBe(400);
    expect(page).toContain("Folder by name matches no folder");
    expect(fieldsOf(page)).toMatchObject({ "data.url": "menu.example", findFolder: "nowhere" });
  });

  it("works for a code that is edited, whose folder is always there", async () => {
    const { id } = await me.client.createQr({ folderId: folderId(me, 3) });
    const form = await pageAt(me.browser, `/dashboard/codes/${id}/edit`);
    expect(optionsOf(form, "folderId").slice(0, 3)).toEqual(["None", "Folder 3", "Folder 351"]);
    expect(fieldsOf(form).folderId).toBe(folderId(me, 3));
    const saved = await me.browser.submit(`/dashboard/codes/${id}/edit`, {
      ...fieldsOf(form),
      findFolder: "Folder 5",
    });
    expect(saved.status).toBe(303);
    const page = await pageAt(me.browser, `/dashboard/codes/${id}`);
    expect(page).toContain(">Folder 5</a>");
  });

  it("works for many codes at once, and for imported ones", async () => {
    const qr = await me.client.createQr();
    const look = { ids: qr.id, step: "look", findFolder: "Folder 11" };
    const review = await me.browser.submit("/dashboard/codes/bulk", look);
    const page = await review.text();
    expect(page).toContain("Folder 11");
    expect(
      (await me.browser.submit("/dashboard/codes/bulk", { ...fieldsOf(page), step: "start" })).status,
    ).toBe(303);
    await harness.drain();
    expect((await me.client.expect(200, Qr, "GET", `/qr/${qr.id}`)).folderId).toBe(folderId(me, 11));

    const checked = await me.browser.submit("/dashboard/codes/import", {
      text: "url,folder\na.example,Folder 12\nb.example,",
    });
    const form = fieldsOf(await checked.text());
    expect(form).toHaveProperty("findFolder");
    const started = await me.browser.submit("/dashboard/codes/import", {
      ...form,
      findFolder: "Folder 13",
      step: "start",
    });
    expect(started.status).toBe(303);
    await harness.drain();
    expect([(await codesIn(12)).length, (await codesIn(13)).length]).toEqual([1, 1]);
  });

  it("filters the list of codes and the overview", async () => {
    await me.client.createQr({ name: "Lunch", folderId: folderId(me, 7) });
    const found = await me.browser.open("/dashboard/codes/search?q=lunch&findFolder=folder+7");
    const list = found.headers.get("location") ?? "";
    expect(new URL(list).searchParams.get("q")).toBe('folder:"Folder 7" lunch');
    expect(await pageAt(me.browser, list)).toContain(">Lunch</a>");
    const several = await me.browser.open("/dashboard/codes/search?findFolder=39");
    expect(several.headers.get("location")).toBe(`${origin}/dashboard/folders?q=39`);

    const report = await pageAt(me.browser, "/dashboard?findFolder=Folder+7");
    expect(report).toContain(`<option value="${folderId(me, 7)}" selected=""`);
    const unclear = await pageAt(me.browser, "/dashboard?findFolder=39");
    expect(unclear).toContain("Folder by name matches 14 folders. Choose one from the list.");
    expect(optionsOf(unclear, "folder")).toHaveLength(15);
  });

  it("is a list of pages, which a search narrows", async () => {
    const page = await pageAt(me.browser, "/dashboard/folders");
    const names = (text: string) =>
      [...text.matchAll(/class="name"[^>]*>.*?<span>([^<]*)</gs)].map(([, name]) => name);
    expect(names(page)).toEqual(Array.from({ length: 50 }, (_, i) => `Folder ${i + 1}`));
    const [, next = ""] = /rel="next" href="([^"]*)"/.exec(page) ?? [];
    expect(names(await pageAt(me.browser, next))[0]).toBe("Folder 51");
    const narrow = await pageAt(me.browser, "/dashboard/folders?q=39+folder");
    expect(names(narrow)).toHaveLength(14);
    expect(linksOf(narrow, "name")[0]).toBe("/dashboard/codes?q=folder%3A%22Folder%2039%22");
    expect(await pageAt(me.browser, "/dashboard/folders?q=nowhere")).toContain("No results");
    expect((await me.browser.open("/dashboard/folders?cursor=nonsense")).status).toBe(400);
  });
});

describe("a choice among many hosted pages", () => {
  it("finds them by their titles, in every script, and keeps the one that is chosen", async () => {
    const me = await signedIn(service);
    const session = await service.sessionIn(me.client.workspaceId);
    const menu = await session.expect(201, Page, "POST", "/developer/pages", {
      title: "Ölmühle, Speisekarte",
    });
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
       INSERT INTO pages (id, workspace_id, version, content, title_folded, created_at, updated_at)
       SELECT 'f' || substr(${idOf("?1", "i")}, 2), ?1, 1, json_object('title', 'Table ' || i), 'TABLE ' || i, 0, 0 FROM n`,
    )
      .bind(me.client.workspaceId)
      .run();
    const path = "/dashboard/codes/new?type=servicepage";
    const options = optionsOf(await pageAt(me.browser, path), "data.pageId");
    expect([options.length, options[1]]).toEqual([51, "Table 251"]);
    const entries = { type: "servicepage" };
    const several = await me.browser.submit(path, { ...entries, findPage: "able 29" });
    expect(await several.text()).toContain("Page by title matches 13 pages. Choose one");
    const none = await me.browser.submit(path, { ...entries, findPage: "nowhere" });
    expect(await none.text()).toContain("Page by title matches no page");
    const created = await me.browser.submit(path, { ...entries, findPage: "ÖLMÜHLE" });
    expect(created.status).toBe(303);
    const edit = `${new URL(created.headers.get("location") ?? "").pathname}/edit`;
    expect(fieldsOf(await pageAt(me.browser, edit))["data.pageId"]).toBe(menu.id);
    await session.expect(200, Page, "PATCH", `/developer/pages/${menu.id}`, { title: "Wein" });
    const renamed = await me.browser.submit(path, { ...entries, findPage: "wein" });
    expect(renamed.status).toBe(303);
  });
});
