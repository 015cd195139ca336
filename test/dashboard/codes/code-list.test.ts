import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../support/browser.ts";
import { insertCodes, withoutCodes } from "../../support/bulk.ts";
import { linksOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { makePage } from "../../support/hosted-pages.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;

beforeAll(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});
beforeEach(() => withoutCodes(me.client));

const markup = `<img src=x onerror=alert(1)>"'&`;

describe("the list", () => {
  it("leads on to the first code", async () => {
    const page = await pageAt(browser, "/dashboard/codes");
    expect(page).toContain("No codes yet");
    expect(page).toContain('href="/dashboard/codes/new"');
  });

  it("shows names, tags and folders with markup as text", async () => {
    const folder = await me.client.send("POST", "/folders", { name: markup });
    const { id: folderId } = (await folder.json()) as { id: string };
    const qr = await me.client.createQr({ name: markup, tags: [markup], folderId });
    for (const path of ["/dashboard/codes", `/dashboard/codes/${qr.id}`, `/dashboard/codes/${qr.id}/edit`]) {
      const page = await pageAt(browser, path);
      expect(page).not.toContain("<img src=x");
      expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    }
  });

  it("counts scans, and asks the ledger for all of them at once", async () => {
    const qr = await me.client.createQr({ name: "Scanned" });
    await me.client.createQr({ name: "Never scanned" });
    await service.scan(qr.hash);
    const calls: string[] = [];
    const counting = new Service({
      ledger: (id) =>
        new Proxy(service.deps.ledger(id), {
          get: (target, name) => {
            if (typeof name === "string") calls.push(name);
            return Reflect.get(target, name, target);
          },
        }),
    });
    await expect
      .poll(async () => {
        calls.length = 0;
        const answer = await counting.fetch("/dashboard/codes", { headers: { cookie: browser.cookie } });
        return (await answer.text()).includes("1 scan in the last 30 days");
      })
      .toBe(true);
    // The other call reads the notices of the frame.
    expect(calls.sort()).toEqual(["notices", "sparklines"]);
  });

  it("is searched by words and typed filters, which are in the address", async () => {
    const { id: folderId } = (await (
      await me.client.send("POST", "/folders", { name: "Old menus" })
    ).json()) as { id: string };
    await me.client.createQr({ name: "Lunch", tags: ["summer"], folderId });
    await me.client.createQr({ name: "Dinner", status: "paused", data: { type: "url", url: "b.example" } });
    await me.client.createQr({ name: "Desk", qrType: "email", data: { type: "email", to: "a@b.example" } });
    const found = async (search: string) => {
      const page = await pageAt(browser, `/dashboard/codes?q=${encodeURIComponent(search)}`);
      return ["Lunch", "Dinner", "Desk"].filter((name) => page.includes(`>${name}</a>`));
    };
    expect(await found("n")).toEqual(["Lunch", "Dinner"]);
    expect(await found("tag:summer")).toEqual(["Lunch"]);
    expect(await found('folder:"old MENUS"')).toEqual(["Lunch"]);
    expect(await found("type:email")).toEqual(["Desk"]);
    expect(await found("status:paused")).toEqual(["Dinner"]);
    expect(await found("to:B.example")).toEqual(["Dinner"]);
    expect(await found("status:active n")).toEqual(["Lunch"]);
    expect(await found("type:nonsense")).toEqual([]);
    expect(await found("folder:unknown")).toEqual([]);
    const filtered = await browser.follow(
      "/dashboard/codes/search?q=tag:summer+lunch&type=url&status=&sort=createdAt&order=asc",
    );
    expect(filtered).toBe(
      `${origin}/dashboard/codes?q=tag%3Asummer+type%3Aurl+lunch&sort=createdAt&order=asc`,
    );
  });

  it("finds words in names, short names, destinations, tags and titles of pages, in any case and order", async () => {
    const session = await service.sessionIn(me.client.workspaceId);
    const page = await makePage({ client: me.client, session }, { title: "Späte Ernte" });
    const url = (address: string) => ({ type: "url" as const, url: address });
    await me.client.createQr({ name: "Menu", hash: "summer-menu", data: url("https://a.example/Speisen") });
    await me.client.createQr({ name: "Ölmühle", tags: ["Öffnung", "lisbon"], data: url("b.example") });
    await me.client.createQr({
      name: "Contact",
      qrType: "vcard",
      data: { type: "vcard", firstName: "Ana", lastName: "Duarte", phones: ["+351912345678"] },
    });
    await me.client.createQr({
      name: "Tasting",
      qrType: "servicepage",
      data: { type: "servicepage", pageId: page.id },
    });
    await (await signedIn(service)).client.createQr({ name: "Menu" });
    const found = async (search: string) => {
      const list = await pageAt(browser, `/dashboard/codes?q=${encodeURIComponent(search)}`);
      return [...list.matchAll(/<a class="name"[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
    };
    for (const search of ["menu", "SUMMER-M", "speisen", "EXAMPLE/spei", "speisen men"]) {
      expect([search, await found(search)]).toEqual([search, ["Menu"]]);
    }
    for (const search of ["ölmü", "ÖFFNUNG", "öffnung", "Lisbon öl"]) {
      expect([search, await found(search)]).toEqual([search, ["Ölmühle"]]);
    }
    expect(await found("duarte ana")).toEqual(["Contact"]);
    expect(await found("späte ERNTE")).toEqual(["Tasting"]);
    expect(await pageAt(browser, "/dashboard/codes")).toContain("Späte Ernte");
    expect(await found("menu duarte")).toEqual([]);
    expect(await found("' OR 1=1 --")).toEqual([]);
    expect(await found(Array.from({ length: 99 }, (_, i) => `ß${i}`).join(" "))).toEqual([]);
  });

  it("finds the code of a short link that is pasted, and puts the one with a short name first", async () => {
    const qr = await me.client.createQr({ name: "Old", hash: "menu" });
    await me.client.createQr({ name: "New menu" });
    const theirs = await (await signedIn(service)).client.createQr({ name: "Theirs" });
    const found = async (search: string) => {
      const list = await pageAt(browser, `/dashboard/codes?q=${encodeURIComponent(search)}`);
      return [...list.matchAll(/<a class="name"[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
    };
    const { host } = new URL(qr.scanUrl);
    for (const search of [
      qr.scanUrl,
      `${qr.scanUrl}.svg?size=9`,
      `${host}/MENU`,
      `status:active ${qr.scanUrl}`,
    ]) {
      expect([search, await found(search)]).toEqual([search, ["Old"]]);
    }
    expect(await found("menu")).toEqual(["Old", "New menu"]);
    expect(await found("MENU status:active")).toEqual(["Old", "New menu"]);
    expect(await found(theirs.scanUrl)).toEqual([]);
    expect(await found(`${qr.scanUrl}/more`)).toEqual([]);
  });

  it("says how many codes a search finds of how many", async () => {
    await insertCodes(me.client, 27, ["t"]);
    await me.client.createQr({ name: "Last" });
    expect(await pageAt(browser, "/dashboard/codes")).toContain("28 codes");
    for (const search of ["tag:t", "tag:t status:active", "com/1", "nothing"]) {
      const count = { "com/1": 11, nothing: 0 }[search] ?? 27;
      const page = await pageAt(browser, `/dashboard/codes?q=${encodeURIComponent(search)}`);
      expect(page.replaceAll(/<[^>]*>/g, "")).toContain(`${count} of 28 codes`);
    }
  });

  it("takes filters from a form, which keeps the others, and removes them by a link each", async () => {
    const search = (query: string) => browser.follow(`/dashboard/codes/search?${query}`);
    const list = (q: string) =>
      `${origin}/dashboard/codes${q === "" ? "" : `?${new URLSearchParams({ q })}`}`;
    expect(await search("q=tag:summer+lunch&words=dinner")).toBe(list("tag:summer dinner"));
    expect(await search("q=tag:summer+lunch&words=status:paused+x")).toBe(list("tag:summer status:paused x"));
    expect(await search("q=tag:summer+lunch&words=")).toBe(list("tag:summer"));
    expect(await search("q=tag:summer+lunch&tag=&to=b.example")).toBe(list("to:b.example lunch"));
    expect(await search("q=&type=&status=")).toBe(list(""));
    await me.client.createQr({ tags: ["summer"], name: "Lunch" });
    const page = await pageAt(browser, "/dashboard/codes?q=tag:summer+status:active+lunch");
    expect(linksOf(page, "chip")).toEqual([
      "/dashboard/codes?q=status%3Aactive+lunch",
      "/dashboard/codes?q=tag%3Asummer+lunch",
      "/dashboard/lists/new?q=tag%3Asummer+status%3Aactive+lunch&sort=createdAt",
    ]);
  });

  it("has a menu for each code, whose changes lead back to the list", async () => {
    const { id } = await me.client.createQr({ name: "Poster" });
    const list = "/dashboard/codes?q=poster&order=name";
    const page = await pageAt(browser, list);
    for (const path of [
      "/edit",
      "/delete",
      "/image?format=png&amp;size=1024&amp;download",
      "/edit#folderId",
    ]) {
      expect(page).toContain(`href="/dashboard/codes/{id}${path}"`);
    }
    expect(page).toContain('href="/dashboard/codes/new?from={id}"');
    // Scripts draw a menu when it is opened, from the template for its status.
    const menu = /data-template="([^"]*)" data-values="([^"]*)"/.exec(page);
    expect(menu?.[1]).toBe("menu-active");
    expect(JSON.parse(menu?.[2]?.replaceAll("&quot;", '"') ?? "{}")).toMatchObject({ id });
    const pause = (back: string) => browser.submit(`/dashboard/codes/${id}/pause`, { back });
    expect((await pause(list)).headers.get("location")).toBe(`${origin}${list}`);
    for (const back of ["https://evil.example/", "//evil.example", "/dashboard/codes/../sign-out", ""]) {
      expect((await pause(back)).headers.get("location")).toBe(`${origin}/dashboard/codes/${id}`);
    }
    const paused = await pageAt(browser, list);
    expect(paused).toContain('data-template="menu-paused"');
    const [, template = ""] = /<template id="menu-paused">(.*?)<\/template>/s.exec(paused) ?? [];
    expect(template).toContain('action="/dashboard/codes/{id}/resume"');
  });

  it("is ordered by name in every script, page by page, also within a tag; codes without one come last", async () => {
    const named = ["äpfel", "Äpfel", "apfel", "Birne", "zebra", "Ωmega", "same", "same", "Same"];
    for (const name of [...named, null, null]) {
      await me.client.createQr({ ...(name === null ? {} : { name }), tags: ["t"] });
    }
    await insertCodes(me.client, 20, ["t"]);
    await me.client.createQr({ name: "Not tagged" });
    for (const [search, count] of [
      ["", 32],
      ["q=tag:t&", 31],
    ] as const) {
      const names: string[] = [];
      let next = `/dashboard/codes?${search}order=name`;
      while (next !== "") {
        const page = await pageAt(browser, next);
        names.push(...[...page.matchAll(/<a class="name"[^>]*>([^<]*)<\/a>/g)].map(([, name = ""]) => name));
        next = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
      }
      expect(names).toHaveLength(count);
      expect(names.slice(-2)).toEqual(["example.com", "example.com"]);
      const folded = names.slice(0, -2).map((name) => name.toUpperCase());
      expect(folded).toEqual([...folded].sort());
    }
    expect(await browser.follow("/dashboard/codes/search?q=&sort=name")).toBe(
      `${origin}/dashboard/codes?sort=name`,
    );
  });

  it("refuses a cursor of another order", async () => {
    await insertCodes(me.client, 26);
    const page = await pageAt(browser, "/dashboard/codes?sort=name");
    const next = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    await pageAt(browser, next);
    await pageAt(browser, next.replace("sort=name", "sort=createdAt"), 400);
    await pageAt(browser, "/dashboard/codes?sort=name&cursor=nonsense", 400);
  });

  it("has pages by link, in both orders", async () => {
    await insertCodes(me.client, 30);
    const names = (page: string) => [...page.matchAll(/>(Item \d+)<\/a>/g)].map(([, name]) => name);
    for (const [query, first, last] of [
      ["?sort=createdAt", "Item 29", "Item 0"],
      ["?sort=createdAt&order=asc", "Item 0", "Item 29"],
    ] as const) {
      const page = await pageAt(browser, `/dashboard/codes${query}`);
      const next = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
      const second = await pageAt(browser, next);
      expect([...names(page), ...names(second)]).toHaveLength(30);
      expect([names(page)[0], names(second).at(-1)]).toEqual([first, last]);
      expect(second).toContain("First page");
    }
  });
});
