import { beforeEach, expect, it } from "vitest";
import type { Browser } from "../support/browser.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { makePage } from "../support/hosted-pages.ts";
import { Service } from "../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;
beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const markup = "<img src=x onerror=alert(1)>";

/** The results of a search in the dialog: the names of the options, and where they lead. */
async function find(text: string, own = browser): Promise<Record<string, string>> {
  const part = await pageAt(own, `/dashboard/go/results?q=${encodeURIComponent(text)}`);
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

it("actions come first, and are found by other words for them", async () => {
  await me.client.createQr({ name: "Import of coffee" });
  expect(Object.keys(await find("import")).slice(0, 2)).toEqual(["Import codes", "Import of coffee"]);
  for (const text of ["import", "upload csv", "CSV", "spreadsheet", "create many", "excel"]) {
    expect([text, await find(text)]).toMatchObject([text, { "Import codes": "/dashboard/codes/import" }]);
  }
  for (const text of ["colour", "color", "new template", "design"]) {
    expect([text, await find(text)]).toMatchObject([text, { "New template": "/dashboard/templates/new" }]);
  }
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
  const part = await pageAt(other.browser, "/dashboard/go/results?q=mine");
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
