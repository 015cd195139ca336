import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Browser } from "../support/browser.ts";
import { withoutCodes } from "../support/bulk.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { makePage } from "../support/hosted-pages.ts";
import { Service } from "../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;
beforeAll(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});
beforeEach(() => withoutCodes(me.client));

const markup = "<img src=x onerror=alert(1)>";

/** The results of a search in the dialog: the names of the options, and where they lead. */
async function find(text: string, own = browser): Promise<Record<string, string>> {
  const part = await pageAt(own, `/dashboard/go/results?q=${encodeURIComponent(text)}&whole=`);
  expect(part).not.toContain("<html");
  return Object.fromEntries(
    [...part.matchAll(/<a href="([^"]*)"[^>]*role="option"[^>]*>.*?<span>([^<]*)<\/span>/gs)].map(
      ([, href = "", name = ""]) => [name, href],
    ),
  );
}

it("codes, folders, tags, pages, templates and areas are found by what they are called", async () => {
  const qr = await me.client.createQr({ name: "Söndags meny", hash: "sunday", tags: ["lunch", "Menü"] });
  await me.client.send("POST", "/folders", { name: "Menyer" });
  const session = await service.sessionIn(me.client.workspaceId);
  const page = await makePage({ client: me.client, session }, { title: "Menu of the week" });
  const template = await session.send("POST", "/developer/templates", { name: "Navy menu" });
  const { id } = (await template.json()) as { id: string };
  expect(await find("MENY")).toEqual({
    "Söndags meny": `/dashboard/codes/${qr.id}`,
    Menyer: "/dashboard/codes?q=folder%3AMenyer",
  });
  expect(await find("menu")).toEqual({
    // By its tag.
    "Söndags meny": `/dashboard/codes/${qr.id}`,
    "Menu of the week": `/dashboard/pages/${page.id}`,
    "Navy menu": `/dashboard/templates/${id}/edit`,
  });
  expect(await find("MENÜ")).toMatchObject({ Menü: "/dashboard/codes?q=tag%3AMen%C3%BC" });
  for (const text of ["tag:lunch", "sunday", qr.scanUrl, "example.com"]) {
    expect(await find(text)).toEqual({ "Söndags meny": `/dashboard/codes/${qr.id}` });
  }
  expect(await find("sett")).toMatchObject({ Settings: "/dashboard/settings" });
  expect(await find("scanned most")).toEqual({ "Most scanned codes": "/dashboard/codes?order=scans" });
});

it("while one types, codes are found by index, and others once one stops", async () => {
  await me.client.createQr({ name: "Zebra crossing" });
  await me.client.createQr({ name: "The zebra" });
  const typed = await pageAt(browser, "/dashboard/go/results?q=zebra");
  expect([typed.includes("Zebra crossing"), typed.includes("The zebra")]).toEqual([true, false]);
  expect(Object.keys(await find("zebra"))).toEqual(["Zebra crossing", "The zebra"]);
  const none = await pageAt(browser, "/dashboard/go/results?q=ebra+cros");
  expect([none.includes("No results"), none.includes("Searching…")]).toEqual([false, true]);
  expect(Object.keys(await find("ebra cros"))).toEqual(["Zebra crossing"]);
});

it("codes whose names match come before those with a tag that matches, however many there are", async () => {
  await me.client.createQr({ name: "Summer menu" });
  for (let i = 0; i < 8; i += 1) await me.client.createQr({ name: `Tram ${i}`, tags: ["summer"] });
  const names = Object.keys(await find("summer"));
  expect(names.slice(0, 2)).toEqual(["Summer menu", "Tram 7"]);
});

it("pages are found by what one does there", async () => {
  expect(await find("invite")).toMatchObject({ Members: "/dashboard/settings/members" });
  expect(await find("dark")).toMatchObject({ Account: "/dashboard/settings/account" });
  expect(await find("password")).toMatchObject({ Passkeys: "/dashboard/settings/passkeys" });
});

it("a verb and a name lead to what one wants to do", async () => {
  const qr = await me.client.createQr({ name: "Easter menu" });
  const path = `/dashboard/codes/${qr.id}`;
  const results = (text: string) =>
    pageAt(browser, `/dashboard/go/results?q=${encodeURIComponent(text)}&whole=`);
  for (const text of ["pause easter", "Easter, PAUSE"]) {
    expect(await results(text)).toMatch(
      new RegExp(`<form method="post" action="${path}/pause".*?<span>Pause Easter menu</span>`, "s"),
    );
  }
  expect(await find("easter, download PDF")).toEqual({
    "Download PDF of Easter menu": `${path}/image?format=pdf&amp;download`,
  });
  expect(Object.keys(await find("download easter"))).toHaveLength(3);
  expect(await find("edit easter")).toEqual({ "Edit Easter menu": `${path}/edit` });
  await browser.submit(`${path}/pause`, {});
  const whilePaused = await results("pause easter");
  expect(whilePaused).not.toContain("Pause Easter menu");
  expect(whilePaused).toContain("Resume Easter menu");
  expect(await results("resume easter")).toContain("Resume Easter menu");
  // A verb alone is a word like any other.
  expect(await results("pause")).not.toContain("Easter menu");
});

it("actions come first, and are found by other words for them", async () => {
  await me.client.createQr({ name: "Import of coffee" });
  expect(Object.keys(await find("import")).slice(0, 2)).toEqual(["Import codes", "Import of coffee"]);
  // Each word must be one of an action's.
  for (const text of ["CSV", "import upload csv spreadsheet create many excel"]) {
    expect([text, await find(text)]).toMatchObject([text, { "Import codes": "/dashboard/codes/import" }]);
  }
  expect(await find("colour color new template design")).toEqual({
    "New template": "/dashboard/templates/new",
  });
  expect(await find("contact create")).toEqual({ "New code: Contact": "/dashboard/codes/new?type=vcard" });
  expect(await find("edit all")).toEqual({ "Edit all codes": "/dashboard/codes/bulk?q=" });
  expect(await find("create page")).toMatchObject({ "New page": "/dashboard/pages/new" });
  expect(await find("restore")).toEqual({ Bin: "/dashboard/bin" });
});

it("without a text, the codes that were updated last come first", async () => {
  const first = await me.client.createQr({ name: "First" });
  await me.client.createQr({ name: "Second" });
  await me.client.send("PATCH", `/qr/${first.id}`, { name: "First, changed" });
  const names = Object.keys(await find(""));
  expect(names.slice(0, 2).sort()).toEqual(["First, changed", "Second"]);
  expect(names).toContain("New code");
  expect(names).toContain("Settings");
});

it("nothing else is: not what the plan lacks, nor what another workspace has", async () => {
  await me.client.createQr({ name: "Mine" });
  const other = await signedIn(service, "free");
  expect(await find("mine", other.browser)).toEqual({});
  expect(await find("contact", other.browser)).toEqual({});
  expect(await find("create templ", other.browser)).toEqual({});
  const part = await pageAt(other.browser, "/dashboard/go/results?q=mine&whole=");
  expect(part).toContain("No results");
});

it("names with markup are text, in the dialog and on the page", async () => {
  await me.client.createQr({ name: markup });
  await me.client.send("POST", "/folders", { name: markup });
  for (const path of ["/go", "/go/results"]) {
    const page = await pageAt(browser, `/dashboard${path}?q=${encodeURIComponent("<img")}`);
    expect(page).not.toContain("<img src=x");
    expect(page.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBeGreaterThanOrEqual(2);
  }
});

it("is a page where there are no scripts, to which every page links", async () => {
  const qr = await me.client.createQr({ name: "Poster" });
  expect(await pageAt(browser, "/dashboard/settings")).toContain('href="/dashboard/go" data-open="#go"');
  const page = await pageAt(browser, "/dashboard/go?q=post");
  expect(page).toMatch(new RegExp(`<a href="/dashboard/codes/${qr.id}">.*?<span>Poster</span>`, "s"));
  expect(page).toContain('name="q" aria-label="Search or go to" value="post"');
  expect(await pageAt(browser, "/dashboard/go?q=nothing+of+the+kind")).toContain("No results");
});
