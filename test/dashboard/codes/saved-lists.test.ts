import { beforeAll, describe, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { SavedLists } from "../../../src/contract/resources/codes/saved-lists.ts";
import { Browser } from "../../support/browser.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let viewer: Browser;
let folderId: string;

const codes = "/dashboard/codes";
const text = (page: string) => page.replaceAll(/<[^>]*>/g, "");
const names = (page: string) =>
  [...page.matchAll(/<a class="name"[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
/** The saved lists in the navigation. */
const inNavigation = (page: string) => {
  const [, list = ""] = /<ul class="plain saved-lists">(.*?)<\/ul>/s.exec(page) ?? [];
  const own = list.replace(/<li class="rail-only">.*?<\/li>/s, "");
  return [...own.matchAll(/<span>([^<]*)<\/span>/g)].map(([, name]) => name);
};

beforeAll(async () => {
  me = await signedIn(service);
  ({ id: folderId } = await me.client.expect(201, Folder, "POST", "/folders", { name: "Old menus" }));
  await me.client.createQr({ name: "Lunch", folderId, status: "paused", externalId: "B" });
  await me.client.createQr({ name: "Dinner", folderId, externalId: "A" });
  await me.client.createQr({ name: "Desk" });
  const session = await service.sessionIn(me.client.workspaceId, "viewer");
  viewer = new Browser(service);
  viewer.cookies.set("session", session.cookie.replace("session=", ""));
});

/** Saves a list of an address by the form. @returns its address */
async function save(browser: Browser, query: string, fields: Record<string, string>): Promise<string> {
  const form = await pageAt(browser, `/dashboard/lists/new?${query}`);
  const kept = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"')] as const,
  );
  const answer = await browser.submit("/dashboard/lists/new", { ...Object.fromEntries(kept), ...fields });
  expect(answer.status).toBe(303);
  return answer.headers.get("location")?.slice(origin.length) ?? "";
}

const filter = new URLSearchParams({ q: 'folder:"Old menus"', sort: "externalId", columns: "externalId" });

describe("a saved list", () => {
  it("is offered for a list with a filter or an order, and shown as it was saved, in the navigation", async () => {
    expect(await pageAt(me.browser, codes)).not.toContain('chip add" href="/dashboard/lists/new');
    const filtered = await pageAt(me.browser, `${codes}?${filter}`);
    expect(filtered).toContain('<a class="chip add" href="/dashboard/lists/new?');
    const address = await save(me.browser, `${filter}`, { name: "Menus", shared: "everyone" });
    const page = await pageAt(me.browser, address);
    expect(page).toContain("<h1>Menus</h1>");
    expect(names(page)).toEqual(["Dinner", "Lunch"]);
    expect(text(page)).toContain("Folder: Old menus");
    expect(page).toMatch(/aria-current="page"[^>]*><svg[^>]*><use href="#i-bookmark"\/><\/svg><span>Menus/);
    expect(inNavigation(page)).toEqual(["Menus"]);
    expect(text(page)).not.toContain("how the list is saved");
  });

  it("follows the folder's name, and leaves how other lists are shown as it was", async () => {
    const address = await save(me.browser, `${filter}`, { name: "Renamed", shared: "me" });
    await pageAt(me.browser, `${codes}?sort=createdAt`);
    await me.client.send("PATCH", `/folders/${folderId}`, { name: "Menus of 2019" });
    expect(names(await pageAt(me.browser, address))).toEqual(["Dinner", "Lunch"]);
    expect(names(await pageAt(me.browser, codes))).toEqual(["Desk", "Dinner", "Lunch"]);
    await me.client.send("PATCH", `/folders/${folderId}`, { name: "Old menus" });
  });

  it("can be changed, saved again and undone", async () => {
    const address = await save(me.browser, "q=status:paused&sort=name", {
      name: "Paused",
      shared: "everyone",
    });
    const id = address.split("=")[1];
    const changed = await pageAt(me.browser, `${codes}?q=status:active&sort=name&list=${id}`);
    expect(text(changed)).toContain("how the list is saved");
    expect(changed).toContain(`action="/dashboard/lists/${id}/save"`);
    const chip = /class="chip" href="([^"]*)"/.exec(changed)?.[1]?.replaceAll("&amp;", "&");
    expect(chip).toBe(`${codes}?sort=name&list=${id}`);
    const fields = { q: "status:active", sort: "name" };
    const saved = await me.browser.submit(`/dashboard/lists/${id}/save`, fields);
    expect(saved.headers.get("location")).toBe(`${origin}${address}`);
    const page = await pageAt(me.browser, address);
    expect(names(page)).toEqual(["Desk", "Dinner"]);
    const [, request = ""] = /name="request" value="([^"]*)"/.exec(page) ?? [];
    await me.browser.submit("/dashboard/history/undo", { object: id ?? "", request, back: address });
    expect(names(await pageAt(me.browser, address))).toEqual(["Lunch"]);
    const history = text(await pageAt(me.browser, `/dashboard/history?kind=saved_list`));
    expect(history).toContain("saved the list");
  });

  it("is deleted, restored from the bin, and gone from the navigation meanwhile", async () => {
    const address = await save(me.browser, "q=&sort=name", { name: "By name", shared: "everyone" });
    const id = address.split("=")[1];
    await me.browser.submit(`/dashboard/lists/${id}/delete`, {});
    await pageAt(me.browser, address, 404);
    expect(inNavigation(await pageAt(me.browser, codes))).not.toContain("By name");
    expect(await pageAt(me.browser, "/dashboard/bin?kind=saved_list")).toContain(
      `/dashboard/lists/${id}/restore`,
    );
    await me.browser.submit(`/dashboard/lists/${id}/restore`, {});
    expect(names(await pageAt(me.browser, address))).toEqual(["Desk", "Dinner", "Lunch"]);
  });

  it("is shared by editors; viewers save their own, and are offered no changes of others", async () => {
    const form = await pageAt(viewer, "/dashboard/lists/new?q=status:paused");
    expect(form).not.toContain('name="shared"');
    const own = await save(viewer, "q=status:paused", { name: "Mine" });
    const lists = await pageAt(viewer, "/dashboard/lists");
    expect(names(lists)).toHaveLength(0);
    expect(text(lists)).toContain("Mine");
    expect(lists).toContain(`/dashboard/lists/${own.split("=")[1]}/delete`);
    const shared = (await me.client.expect(200, SavedLists, "GET", "/developer/lists")).lists;
    for (const { id, name } of shared) {
      expect(text(lists)).toContain(name);
      expect(lists).not.toContain(`/dashboard/lists/${id}/delete`);
    }
    await pageAt(me.browser, own, 404);
    expect(inNavigation(await pageAt(me.browser, codes))).not.toContain("Mine");
    expect((await viewer.submit("/dashboard/lists/new", { name: "A", shared: "everyone" })).status).toBe(403);
  });

  it("names what is wrong in its form, and keeps what was entered", async () => {
    const answer = await me.browser.submit("/dashboard/lists/new", {
      q: "status:paused",
      sort: "name",
      name: "",
    });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('<input type="hidden" name="q" value="status:paused"/>');
    expect(text(page)).toContain("Name");
  });
});
