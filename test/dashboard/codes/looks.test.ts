import { beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, newestCode, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { svg } from "../../support/images/logos.ts";
import { logosOf } from "../../support/images/templates.ts";
import { Service } from "../../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;
beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const path = "/dashboard/codes/new";
const disc = svg('<circle cx="50" cy="50" r="40" fill="teal"/>');

type Fields = Record<string, string>;

describe("the looks", () => {
  const looksIn = (page: string) =>
    [
      ...page.matchAll(
        /<button class="tile preset look"[^>]*value="([^"]*)"[^>]*aria-pressed="(\w+)".*?<\/button>/gs,
      ),
    ].map(([html, fill = "", pressed]) => ({
      fill: fill.replaceAll("&amp;", "&"),
      isShown: pressed === "true",
      name: /<span>([^<]*)/.exec(html)?.[1],
      picture: (/src="([^"]*)/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&"),
      score: (/hx-get="([^"]*)/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&"),
    }));

  it("of a workspace without a brand are ready-made, and none is chosen but the plain one", async () => {
    const page = await pageAt(browser, path);
    expect(looksIn(page).map(({ name, isShown }) => [name, isShown])).toEqual([
      ["Plain", true],
      ["Soft", false],
      ["Dots", false],
      ["Ocean", false],
    ]);
    await browser.submit(path, { ...fieldsOf(page), "data.url": "example.com" });
    const qr = await newestCode(me);
    expect([qr.colorConfig, qr.advanced]).toEqual([null, null]);
  });

  it("are of the brand's dark colours and its logo, the first of them chosen", async () => {
    for (const [hex, name] of [
      ["#14532d", "Leaf"],
      ["#fde68a", "Straw"],
      ["#1e3a5f", "Navy"],
    ]) {
      await browser.submit("/dashboard/settings/brand", { hex: hex ?? "", name: name ?? "" });
    }
    await browser.upload("/dashboard/codes/logo", {
      ...fieldsOf(await pageAt(browser, path)),
      logo: disc,
    });
    const page = await pageAt(browser, path);
    const looks = looksIn(page);
    expect(looks.map(({ name, isShown }) => [name, isShown])).toEqual([
      ["Your brand", true],
      ["Navy", false],
      ["On Straw", false],
      ["Plain", false],
    ]);
    const [first, navy] = looks;
    const drawing = await pageAt(browser, `${first?.picture}&hash=autumn-menu`);
    expect(drawing).toContain("#14532d");
    expect(drawing).toContain("data:image/svg+xml");
    expect(await pageAt(browser, `${first?.picture}&hash=winter-menu`)).not.toBe(drawing);
    expect(await pageAt(browser, navy?.score ?? "")).toMatch(/^\d+ of 100$/);

    const pressed = await browser.submit(path, { ...fieldsOf(page), name: "Mine", change: navy?.fill ?? "" });
    const after = await pressed.text();
    expect(looksIn(after).map(({ isShown }) => isShown)).toEqual([false, true, false, false]);
    const answer = await browser.submit(path, { ...fieldsOf(after), "data.url": "example.com" });
    expect(answer.status).toBe(303);
    expect(await newestCode(me)).toMatchObject({
      name: "Mine",
      colorConfig: { dotsColor: "#1e3a5f" },
      advanced: { modules: "connected", logo: { id: expect.any(String) } },
    });
  });

  it("of the free plan have two colours", async () => {
    const small = await signedIn(service, "free");
    const page = await pageAt(small.browser, path);
    expect(looksIn(page).map(({ name }) => name)).toEqual(["Navy", "Navy, dots", "Dots", "Plain"]);
    const fields = Object.fromEntries(new URLSearchParams(looksIn(page)[1]?.fill.slice(5)));
    const form = { ...fieldsOf(page), ...fields, "data.url": "example.com" };
    const to = (await small.browser.submit(path, form)).headers.get("location") ?? "";
    expect(fieldsOf(await pageAt(small.browser, `${to}/edit`))).toMatchObject({
      "colorConfig.dotsColor": "#1e3a5f",
      "advanced.modules": "dots",
    });
  });
});

describe("a logo from the form of a code", () => {
  const upload = async (logo: Uint8Array<ArrayBuffer>, entries: Fields = {}) =>
    browser.upload("/dashboard/codes/logo", {
      ...fieldsOf(await pageAt(browser, path)),
      ...entries,
      logo,
    });

  it("is kept in the brand and chosen, and all entries stay", async () => {
    const page = await (await upload(disc, { name: "Menu", "data.url": "example.com" })).text();
    const [logo] = await logosOf(me);
    expect(fieldsOf(page)).toMatchObject({
      name: "Menu",
      "data.url": "example.com",
      "advanced.logo.id": logo,
    });
  });

  it("is refused with the reason, and all entries stay", async () => {
    const answer = await upload(new Uint8Array([1, 2, 3]), { name: "Menu" });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('href="#logo">Logo file');
    expect(fieldsOf(page).name).toBe("Menu");
    expect(await logosOf(me)).toEqual([]);
  });
});
