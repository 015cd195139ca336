import { beforeEach, expect, it } from "vitest";
import type { Browser } from "../support/browser.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
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
    [...part.matchAll(/<a href="([^"]*)"[^>]*role="option"[^>]*>([^<]*) </g)].map(
      ([, href = "", name = ""]) => [name, href],
    ),
  );
}

it("codes, folders, pages and actions are found by what they are called", async () => {
  const qr = await me.client.createQr({ name: "Söndags meny", tags: ["lunch"] });
  await me.client.send("POST", "/folders", { name: "Menyer" });
  expect(await find("MENY")).toEqual({
    "Söndags meny": `/dashboard/codes/${qr.id}`,
    Menyer: "/dashboard/codes?q=folder%3AMenyer",
  });
  expect(await find("tag:lunch")).toEqual({ "Söndags meny": `/dashboard/codes/${qr.id}` });
  expect(await find("sett")).toEqual({ Settings: "/dashboard/settings" });
  expect(await find("scanned most")).toEqual({ "Most scanned codes": "/dashboard/codes?order=scans" });
  expect(await find("contact create")).toEqual({
    "Create a code: Contact": "/dashboard/codes/new?type=vcard",
  });
  expect(await find("create templ")).toEqual({ "Create a template": "/dashboard/templates/new" });
  expect(await find("many codes")).toEqual({ "Create many codes from a table": "/dashboard/codes/import" });
  expect(await find("change all")).toEqual({ "Change all codes": "/dashboard/codes/bulk?q=" });
  expect(await find("bulk jobs")).toEqual({ "Bulk jobs": "/dashboard/jobs" });
  expect(await find("create a page")).toMatchObject({ "Create a page": "/dashboard/pages/new" });
  expect(Object.keys(await find("")).slice(0, 2)).toEqual(["Söndags meny", "Menyer"]);
});

it("nothing else is: not what the plan lacks, nor what another workspace has", async () => {
  await me.client.createQr({ name: "Mine" });
  const other = await signedIn(service, "free");
  expect(await find("mine", other.browser)).toEqual({});
  expect(await find("contact", other.browser)).toEqual({});
  expect(await find("create templ", other.browser)).toEqual({});
  const part = await pageAt(other.browser, "/dashboard/go/results?q=mine");
  expect(part).toContain("Nothing is called that.");
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
  expect(page).toContain(`<a href="/dashboard/codes/${qr.id}">Poster `);
  expect(page).toContain('name="q" aria-label="Go to a code, folder, page or action" value="post"');
  expect(await pageAt(browser, "/dashboard/go?q=nothing+of+the+kind")).toContain("Nothing is called that.");
});
