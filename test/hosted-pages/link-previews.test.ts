import { beforeAll, describe, expect, it } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import { makePage, type PageMaker, pageMaker, Shown } from "../support/hosted-pages.ts";
import { pictureSize } from "../support/images/pictures.ts";
import { FakeClock, origin, Service } from "../support/service.ts";
import { setSuspension } from "../support/suspension.ts";

const clock = new FakeClock(Date.now());
const service = new Service({ now: clock.now });
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

const pathOf = (page: Page) => `/pages/${page.id}/og.png`;

/** The metadata of a page's link preview, by its name. */
async function metadata(by: Service, { url }: Page): Promise<Record<string, string>> {
  const shown = await Shown.of(await by.fetch(url));
  const tags = shown.all("meta").map(({ attributes: { property, name, content } }) => {
    return [property ?? name ?? "", content ?? ""] as const;
  });
  return Object.fromEntries(tags.filter(([name]) => /^(og|twitter):/.test(name)));
}

describe("the picture of a hosted page for link previews", () => {
  it("is drawn in the page's words and colours, and again when they change", async () => {
    const page = await makePage(maker, { colors: { background: "navy", text: "white", accent: "gold" } });
    expect(await metadata(service, page)).toEqual({
      "og:title": "Summer fair",
      "og:image": `${origin}${pathOf(page)}`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": "Summer fair",
      "twitter:card": "summary_large_image",
    });
    const first = await service.fetch(pathOf(page));
    let tag = first.headers.get("etag") ?? "";
    expect(await pictureSize(first)).toEqual([1200, 630]);
    const again = await service.fetch(pathOf(page), { headers: { "if-none-match": tag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    for (const change of [{ title: "Winter fair" }, { colors: null }, { look: "bold" }]) {
      await maker.session.expect(200, Page, "PATCH", `/developer/pages/${page.id}`, change);
      clock.advance(1001);
      const changed = await service.fetch(pathOf(page), { headers: { "if-none-match": tag } });
      expect(changed.status).toBe(200);
      expect(await pictureSize(changed)).toEqual([1200, 630]);
      tag = changed.headers.get("etag") ?? "";
    }
  });

  it.each(["🎪", "夏祭り", "Fair 🎪 fair", "x".repeat(200), "A fair ".repeat(28).trim()])(
    "is drawn for the title %s",
    async (title) => {
      const page = await makePage(maker, { title });
      expect(await pictureSize(await service.fetch(pathOf(page)))).toEqual([1200, 630]);
    },
  );

  it("is the header image of a page that has one, unless it is an SVG", async () => {
    const header = { url: "https://example.com/top.jpg", alt: "The stalls" };
    const { "og:image": image, ...others } = await metadata(service, await makePage(maker, { header }));
    expect(image).toMatch(/\/pages\/[0-9a-f-]{36}\/images\/[0-9a-f]{16}$/);
    expect(others).toEqual({
      "og:title": "Summer fair",
      "og:image:alt": "The stalls",
      "twitter:card": "summary_large_image",
    });
    const page = await makePage(maker, { header: { ...header, url: "https://example.com/top.svg" } });
    expect((await metadata(service, page))["og:image"]).toBe(`${origin}${pathOf(page)}`);
  });

  it("is gone with its page", async () => {
    const page = await makePage(maker);
    await setSuspension({ service, clock }, "pages", page.id);
    expect((await service.fetch(pathOf(page))).status).toBe(403);
    await setSuspension({ service, clock }, "pages", page.id, null);
    expect((await service.fetch(pathOf(page))).status).toBe(200);
    await maker.session.send("DELETE", `/developer/pages/${page.id}`);
    clock.advance(1001);
    expect((await service.fetch(pathOf(page))).status).toBe(404);
  });

  it("is not announced without the images Worker, and its address says why", async () => {
    const page = await makePage(maker);
    const without = new Service({ now: clock.now, images: undefined });
    expect(await metadata(without, page)).toEqual({ "og:title": "Summer fair" });
    const answer = await without.fetch(pathOf(page));
    expect([answer.status, await answer.text()]).toEqual([
      503,
      "The picture for link previews needs the images Worker, which isn't installed here. The page itself works without it.\n",
    ]);
  });

  it("is drawn a limited number of times for each network", async () => {
    const limited = new Service({
      now: clock.now,
      drawingLimit: { limit: async () => ({ success: false }) },
    });
    const answer = await limited.fetch(pathOf(await makePage(maker)));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
  });
});
