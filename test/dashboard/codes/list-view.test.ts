import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { insertCodes } from "../../support/bulk.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let other: SignedInBrowser;
let code: Qr;

beforeAll(async () => {
  me = await signedIn(service);
  code = await me.client.createQr({
    name: "Lunch",
    externalId: "SKU-7",
    status: "paused",
    hash: "view-lunch",
  });
  await me.client.createQr({ name: "Dinner", externalId: "SKU-3", tags: ["evening"] });
  await me.client.createQr({ name: "Breakfast", externalId: "SKU-5" });
  other = await signedIn(service);
});

const names = (page: string) =>
  [...page.matchAll(/<a class="name"[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);

/** The headings of the table, without those of checkboxes and menus. */
const headings = (page: string) =>
  [...page.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)]
    .map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, ""))
    .filter((text) => !/Select|Actions/.test(text));

/** The links and fields of a page that lead to the list. */
const sortLink = (page: string, heading: string) =>
  new RegExp(`<a class="sort" href="([^"]*)"[^>]*>${heading}`).exec(page)?.[1]?.replaceAll("&amp;", "&") ??
  "";

const codes = "/dashboard/codes";

describe("how the list is shown", () => {
  it("is by default as before, with the usual columns", async () => {
    const page = await pageAt(other.browser, codes);
    expect(page).toContain("No codes yet");
    const mine = await pageAt(me.browser, codes);
    expect(headings(mine)).toEqual(["Code", "Folder", "Tags", "Status", "Last 30 days", "Scans"]);
    expect(names(mine)).toEqual(["Breakfast", "Dinner", "Lunch"]);
    expect(me.browser.cookies.get("dashboard-codes")).toBeUndefined();
  });

  it("has the columns of the address, with what is in them", async () => {
    const page = await pageAt(
      me.browser,
      `${codes}?sort=name&columns=externalId,scanUrl,qrType,createdAt,updatedAt,domain`,
    );
    expect(headings(page)).toEqual([
      "Code",
      "Short link",
      "Type",
      "Created",
      "Last changed",
      "Own ID",
      "Domain",
    ]);
    expect(page).toContain(code.scanUrl.replace(/^https?:\/\//, ""));
    expect(page).toContain(">SKU-7</td>");
    expect(page).toContain(`datetime="${code.createdAt}"`);
    expect(page).not.toContain('class="where');
    expect(page).not.toContain('class="sparkline');
  });

  it("is sorted by headings, in one direction and then in the other", async () => {
    let page = await pageAt(me.browser, `${codes}?sort=createdAt&columns=externalId`);
    page = await pageAt(me.browser, sortLink(page, "Own ID"));
    expect(names(page)).toEqual(["Dinner", "Breakfast", "Lunch"]);
    expect(page).toMatch(/<th scope="col"[^>]*aria-sort="ascending"[^>]*><a class="sort"[^>]*>Own ID/);
    page = await pageAt(me.browser, sortLink(page, "Own ID"));
    expect(names(page)).toEqual(["Lunch", "Breakfast", "Dinner"]);
    expect(page).toMatch(/aria-sort="descending"[^>]*><a class="sort"[^>]*>Own ID/);
    expect(headings(page)).toEqual(["Code", "Own ID"]);
  });

  it("is remembered for this browser, unless the address says it, and an earlier address isn't", async () => {
    await pageAt(me.browser, `${codes}?sort=name&columns=status&rows=50`);
    expect(headings(await pageAt(me.browser, codes))).toEqual(["Code", "Status"]);
    expect(names(await pageAt(me.browser, codes))).toEqual(["Breakfast", "Dinner", "Lunch"]);
    expect(headings(await pageAt(me.browser, `${codes}?q=tag:evening`))).toEqual(["Code", "Status"]);
    const byDefault = await pageAt(me.browser, `${codes}?order=oldest`);
    expect(names(byDefault)).toEqual(["Lunch", "Dinner", "Breakfast"]);
    expect(headings(byDefault)).toEqual(["Code", "Status"]);
    expect(names(await pageAt(me.browser, codes))).toEqual(["Breakfast", "Dinner", "Lunch"]);
    await pageAt(me.browser, `${codes}?sort=createdAt`);
    expect(names(await pageAt(me.browser, codes))).toEqual(["Breakfast", "Dinner", "Lunch"]);
    expect(headings(await pageAt(me.browser, codes))).toHaveLength(6);
  });

  it("reads addresses and cookies with what it doesn't know as by default", async () => {
    const page = await pageAt(me.browser, `${codes}?sort=nonsense&order=up&columns=status,nonsense&rows=7`);
    expect(headings(page)).toEqual(["Code", "Status"]);
    me.browser.cookies.set("dashboard-codes", "sort=%FF&rows=1e9&columns=<b>");
    expect(headings(await pageAt(me.browser, codes))).toEqual(["Code"]);
    me.browser.cookies.delete("dashboard-codes");
  });

  it("is chosen in a form, which keeps the search, and kept by the forms of filters", async () => {
    const chosen = await me.browser.follow(
      `${codes}/search?q=tag:evening&sort=name&order=desc&columns=&columns=tags&columns=externalId&rows=100`,
    );
    expect(chosen).toBe(
      `${origin}${codes}?q=tag%3Aevening&sort=name&order=desc&columns=tags%2CexternalId&rows=100`,
    );
    const page = await pageAt(me.browser, chosen.slice(origin.length));
    expect(page).toContain('<input type="hidden" name="columns" value="tags,externalId"/>');
    const none = await me.browser.follow(`${codes}/search?q=&sort=createdAt&order=desc&columns=&rows=25`);
    expect(headings(await pageAt(me.browser, none.slice(origin.length)))).toEqual(["Code"]);
    me.browser.cookies.delete("dashboard-codes");
  });

  it("says what to complete a bare address with before it changes", async () => {
    const bare = await pageAt(me.browser, `${codes}?q=tag:evening`);
    expect(bare).toContain(`data-place="${codes}?q=tag%3Aevening&amp;sort=createdAt"`);
    expect(await pageAt(me.browser, `${codes}?sort=createdAt`)).not.toContain("data-place");
  });

  it("has up to 200 codes per page, and pages by link in every order", async () => {
    const many = await signedIn(service);
    await insertCodes(many.client, 230);
    for (const sort of ["createdAt", "name", "updatedAt", "destination"]) {
      const first = await pageAt(many.browser, `${codes}?sort=${sort}&columns=&rows=200`);
      expect([sort, names(first).length]).toEqual([sort, 200]);
      const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
      const second = names(await pageAt(many.browser, next));
      expect(new Set([...names(first), ...second]).size).toBe(230);
    }
  });
});

describe("more codes than are sorted", () => {
  const { sortedCodes } = limits;
  afterEach(() => {
    Object.assign(limits, { sortedCodes });
  });

  it("are listed newest first, which the page says, until a filter leaves few", async () => {
    Object.assign(limits, { sortedCodes: 2 });
    const page = await pageAt(me.browser, `${codes}?sort=externalId&columns=externalId`);
    expect(names(page)).toEqual(["Breakfast", "Dinner", "Lunch"]);
    expect(page.replaceAll(/<[^>]*>/g, "")).toContain(
      "These are more than 2 codes, newest first. Filter them to sort by own id",
    );
    expect(page).not.toContain("aria-sort");
    const few = await pageAt(me.browser, `${codes}?q=status:active&sort=externalId&columns=externalId`);
    expect(names(few)).toEqual(["Dinner", "Breakfast"]);
    expect(few).not.toContain("These are more than");
    const byName = await pageAt(me.browser, `${codes}?sort=name&order=desc`);
    expect(names(byName)).toEqual(["Lunch", "Dinner", "Breakfast"]);
    const scanned = await pageAt(me.browser, `${codes}?q=status:active+status:active+e&sort=scans30d`);
    expect(scanned).not.toContain("These are more than");
  });
});
