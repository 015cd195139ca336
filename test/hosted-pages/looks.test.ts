import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { PageLook, PageScheme } from "../../src/contract/resources/enums.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { resolvePalettes } from "../../src/domain/pages/palette.ts";
import { channels, contrast, type Hex, isLighter, readColor } from "../../src/lib/image/color.ts";
import { expectError } from "../support/endpoints.ts";
import { makePage, type PageMaker, pageMaker, Shown } from "../support/hosted-pages.ts";
import { Service } from "../support/service.ts";

const service = new Service();
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

const open = async (page: Page): Promise<Shown> => Shown.of(await service.fetch(page.url));
const styleOf = (shown: Shown): string => shown.texts("style")[0] ?? "";
const themesOf = (shown: Shown) =>
  shown
    .all("meta")
    .filter(({ attributes }) => attributes.name === "theme-color")
    .map(({ attributes: { content, media } }) => [content, media]);

const preferringDark = "(prefers-color-scheme: dark)";

describe("the scheme of a page", () => {
  it("follows the reader's device unless it is set, in dark colors of the same hue", async () => {
    const page = await makePage(maker, {
      colors: { background: "#fff4e0", text: "#402000", accent: "#c04000" },
    });
    expect(page.scheme).toBe("auto");
    const shown = await open(page);
    // The accent can be told from either background.
    expect(themesOf(shown)).toEqual([
      ["#c04000", undefined],
      ["#c04000", preferringDark],
    ]);
    const style = styleOf(shown);
    expect(style).toContain("color-scheme: light dark");
    const inDark = style.slice(style.indexOf(`@media ${preferringDark}`));
    expect(/--paper: (#\w+); --ink: (#\w+); --accent: #c04000/.exec(inDark)).not.toBeNull();
  });

  it("keeps a dark accent in the dark: its hue, no lighter than it must be to be seen", async () => {
    const shown = await open(await makePage(maker, { colors: { accent: "#14532d" } }));
    const [, [accent] = []] = themesOf(shown);
    const { dark } = resolvePalettes({ colors: { accent: "#14532d" }, scheme: "auto" });
    expect(accent).toBe(dark.accent);
    const [red, green, blue] = channels(dark.accent);
    // Still a deep green: #14532d has 20, 83 and 45.
    expect(green).toBeLessThan(135);
    expect([red / green, blue / green].map((part) => Math.round(part * 10))).toEqual([2, 5]);
    expect(dark.onAccent).toBe("#ffffff");
  });

  it.each(["light", "dark"] as const)("can be %s for every reader", async (scheme) => {
    const shown = await open(await makePage(maker, { scheme }));
    expect(themesOf(shown)).toHaveLength(1);
    const [, background] = /--paper: (#\w+)/.exec(styleOf(shown)) ?? [];
    expect(isLighter(background as Hex, "#808080")).toBe(scheme === "light");
    expect(styleOf(shown)).toContain(`color-scheme: ${scheme};`);
    expect(styleOf(shown)).not.toContain(preferringDark);
  });

  it.each(PageScheme.options)("leaves colors that are dark already as they are: %s", async (scheme) => {
    const colors = { background: "#101418", text: "#ffffff", accent: "#ffbf00" };
    const shown = await open(await makePage(maker, { scheme, colors }));
    expect(themesOf(shown)).toEqual([["#ffbf00", undefined]]);
    expect(styleOf(shown)).toContain("--paper: #101418");
    expect(styleOf(shown)).toContain("color-scheme: dark;");
  });

  it("is readable in the dark with every color of the page", () => {
    const color = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(([r, g, b]) => `rgb(${r}, ${g}, ${b})`);
    fc.assert(
      fc.property(fc.record({ background: color, text: color, accent: color }), (colors) => {
        const background = readColor(colors.background) as Hex;
        const text = readColor(colors.text) as Hex;
        fc.pre(isLighter(background, text));
        const { dark } = resolvePalettes({ colors, scheme: "auto" });
        expect(isLighter(dark.text, dark.background)).toBe(true);
        expect(contrast(dark.text, dark.background)).toBeGreaterThanOrEqual(7);
        expect(contrast(dark.accent, dark.background)).toBeGreaterThanOrEqual(3);
        const accent = readColor(colors.accent) as Hex;
        const isVisible = contrast(accent, dark.background) >= 3;
        if (isVisible) expect(dark.accent).toBe(accent);
        else expect(contrast(dark.accent, dark.background)).toBeLessThan(3.5);
        expect(contrast(dark.onAccent, dark.accent)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

describe("the look of a page", () => {
  it("is plain unless it is chosen, and each has rules of its own", async () => {
    expect((await makePage(maker)).look).toBe("plain");
    const pages = await Promise.all(PageLook.options.map((look) => makePage(maker, { look })));
    const shown = await Promise.all(pages.map(open));
    expect(pages.map(({ look }) => look)).toEqual(PageLook.options);
    expect(new Set(shown.map(styleOf)).size).toBe(PageLook.options.length);
  });

  it("changes with the next request, with the scheme", async () => {
    const page = await makePage(maker);
    const before = styleOf(await open(page));
    const path = `/developer/pages/${page.id}`;
    const changed = await maker.session.expect(200, Page, "PATCH", path, { look: "bold", scheme: "dark" });
    expect(changed).toMatchObject({ look: "bold", scheme: "dark", title: page.title });
    expect(styleOf(await open(page))).not.toBe(before);
  });

  it.each([
    [{ look: "fancy" }, "look"],
    [{ scheme: "sepia" }, "scheme"],
    [{ header: { url: "http://example.com/a.png" } }, "header.url"],
    [{ header: { alt: "x" } }, "header.url"],
  ])("names the field that is wrong in %o", async (input, field) => {
    const response = await maker.session.send("POST", "/developer/pages", { title: "x", ...input });
    expect(await expectError(response, 400, "invalid_input")).toContain(field);
  });
});

describe("the header image of a page", () => {
  it("is shown above the title, loaded through this service, and removed by null", async () => {
    const header = { url: "https://example.com/wide.png", alt: "A fair at night" };
    const fetched: string[] = [];
    const own = new Service({
      fetch: async (input) => {
        fetched.push(String(input));
        return new Response("png", { headers: { "content-type": "image/png" } });
      },
    });
    const page = await makePage(maker, { header });
    expect(page.header).toEqual(header);
    const shown = await open(page);
    const [image] = shown.all("img");
    expect(image?.attributes).toMatchObject({ alt: header.alt });
    const tags = shown.elements.map(({ tag }) => tag);
    expect(tags.indexOf("img")).toBeLessThan(tags.indexOf("h1"));
    const response = await own.fetch(image?.attributes.src ?? "");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(fetched).toEqual([header.url]);
    const path = `/developer/pages/${page.id}`;
    expect(await maker.session.expect(200, Page, "PATCH", path, { header: null })).toMatchObject({
      header: null,
    });
    expect((await open(page)).all("img")).toEqual([]);
  });
});
