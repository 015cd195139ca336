import { beforeEach, describe, expect, it } from "vitest";
import { Folder, FolderList } from "../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { Browser } from "../support/browser.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { origin, Service } from "../support/service.ts";

const service = new Service();
const path = "/dashboard/folders";
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const create = (name: string, { client } = me) => client.expect(201, Folder, "POST", "/folders", { name });
const names = async () =>
  (await me.client.expect(200, FolderList, "GET", "/folders")).folders.map(({ name }) => name);

describe("the list of folders", () => {
  it("leads on to the first folder", async () => {
    const page = await pageAt(browser, path);
    expect(page).toContain("No folders yet");
    const answer = await browser.submit(path, { ...fieldsOf(page), name: "  Menus " });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}${path}`]);
    expect(await names()).toEqual(["Menus"]);
    expect(await pageAt(browser, path)).toContain("Folder created.");
  });

  it("shows them by name with their live codes, and leads to these", async () => {
    const [ten, two, marked] = [await create("Table 10"), await create("Table 2"), await create(markup)];
    await me.client.createQr({ name: "Lunch", folderId: two.id });
    await me.client.createQr({ name: "Dinner", folderId: two.id });
    const gone = await me.client.createQr({ name: "Gone", folderId: ten.id });
    await me.client.send("DELETE", `/qr/${gone.id}`);
    await me.client.createQr({ name: "Marked", folderId: marked.id });
    await create("Theirs", await signedIn(service));
    const page = await pageAt(browser, path);
    expect(page).not.toContain("<img src=x");
    const rows = [...page.matchAll(/class="name"[^>]*>.*?<span>([^<]*)<.*?class="number">(\d+)</gs)];
    expect(rows.map(([, name, codes]) => [name, codes])).toEqual([
      ["&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;", "1"],
      ["Table 2", "2"],
      ["Table 10", "0"],
    ]);
    const [ofMarked = "", ofTwo = ""] = linksOf(page, "name");
    expect(await pageAt(browser, ofTwo)).toMatch(/>Dinner<.*>Lunch</s);
    expect(await pageAt(browser, ofMarked)).toContain(">Marked</a>");
    expect(await pageAt(browser, ofTwo)).not.toContain(">Marked</a>");
  });

  it("leads to the codes of each of two folders with the same name", async () => {
    for (const code of ["First", "Second"]) {
      const { id } = await create("Menus");
      await me.client.createQr({ name: code, folderId: id });
    }
    const links = linksOf(await pageAt(browser, path), "name");
    const found = await Promise.all(
      links.map(async (link) => /class="name"[^>]*>([^<]*)</.exec(await pageAt(browser, link))?.[1]),
    );
    expect(found).toEqual(["First", "Second"]);
  });

  it("says what is wrong with a name, and keeps it", async () => {
    const long = "x".repeat(101);
    const answer = await browser.submit(path, { name: long });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('href="#name">Name can have at most 100 characters');
    expect(fieldsOf(page).name).toBe(long);
    expect(await (await browser.submit(path, {})).text()).toContain("Enter a name.");
    expect(await names()).toEqual([]);
  });
});

describe("a folder", () => {
  it("is renamed", async () => {
    const folder = await create("Spring");
    const edit = `${path}/${folder.id}/edit`;
    expect(fieldsOf(await pageAt(browser, edit)).name).toBe("Spring");
    const refused = await browser.submit(edit, { name: " " });
    expect([refused.status, (await refused.text()).includes("Enter a name.")]).toEqual([400, true]);
    expect((await browser.submit(edit, { name: "Summer" })).status).toBe(303);
    expect(await names()).toEqual(["Summer"]);
    expect(await pageAt(browser, path)).toContain("Folder renamed.");
  });

  it("is deleted after a question that says what becomes of its codes", async () => {
    const folder = await create("Spring");
    const question = `${path}/${folder.id}/delete`;
    expect(await pageAt(browser, question)).toContain("No code is in this folder.");
    const qr = await me.client.createQr({ folderId: folder.id });
    await me.client.createQr({ folderId: folder.id });
    expect(await pageAt(browser, question)).toContain("Its 2 codes stay");
    expect(await names()).toEqual(["Spring"]);
    expect((await browser.submit(question, {})).headers.get("location")).toBe(`${origin}${path}`);
    expect(await names()).toEqual([]);
    expect((await me.client.expect(200, Qr, "GET", `/qr/${qr.id}`)).folderId).toBeNull();
    expect(await pageAt(browser, path)).toContain("Folder deleted.");
  });

  it.each(["/edit", "/delete"])("of another workspace has no page%s, like an unknown one", async (suffix) => {
    const other = await signedIn(service);
    const { id } = await create("Secret", other);
    for (const send of [
      (page: string) => browser.open(page),
      (page: string) => browser.submit(page, { name: "Mine" }),
    ]) {
      const [foreign, ...unknown] = await Promise.all(
        [id, crypto.randomUUID(), "nonsense"].map(async (each) => {
          const answer = await send(`${path}/${each}${suffix}`);
          return [answer.status, (await answer.text()).replaceAll(each, "ID")];
        }),
      );
      expect(foreign?.[0]).toBe(404);
      expect(unknown).toEqual([foreign, foreign]);
    }
    const { folders } = await other.client.expect(200, FolderList, "GET", "/folders");
    expect(folders.map(({ name }) => name)).toEqual(["Secret"]);
  });
});
