import { beforeAll, describe, expect, it } from "vitest";
import { NewBlockedHost } from "../../src/contract/resources/operations/blocked-hosts.ts";
import type { Page } from "../../src/contract/resources/pages.ts";
import { makePage, type PageMaker, pageMaker, Shown } from "../support/hosted-pages.ts";
import { Service } from "../support/service.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);

/** The responses of image hosts by URL. Other URLs are unreachable. */
const hosts: Record<string, () => Response> = {
  "https://a.example/good.png": () => new Response(png, { headers: { "content-type": "image/png" } }),
  "https://a.example/drawing.svg": () =>
    new Response("<svg/>", { headers: { "content-type": "image/svg+xml; charset=utf-8" } }),
  "https://a.example/moved.png": () => redirect("/good.png"),
  "https://a.example/moved.svg": () => redirect("/drawing.svg"),
  "https://a.example/inward.png": () => redirect("http://169.254.169.254/latest/meta-data"),
  "https://a.example/detour.png": () => redirect("https://a.example/outward.png"),
  "https://a.example/outward.png": () => redirect("https://blocked.example/good.png"),
  "https://blocked.example/good.png": () => new Response(png, { headers: { "content-type": "image/png" } }),
  "https://a.example/loop.png": () => redirect("https://a.example/loop.png"),
  "https://a.example/page.html": () => new Response("<h1>", { headers: { "content-type": "text/html" } }),
  "https://a.example/gone.png": () => new Response("gone", { status: 404 }),
  "https://a.example/huge.png": () =>
    new Response(png, { headers: { "content-type": "image/png", "content-length": "6000000" } }),
  "https://a.example/endless.png": () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }), {
      headers: { "content-type": "image/png" },
    }),
};
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

const requested: string[] = [];
const network: typeof fetch = async (input) => {
  const url = String(input);
  requested.push(url);
  const answer = hosts[url];
  if (answer === undefined) throw new Error(`${url} is unreachable`);
  return answer();
};

const service = new Service({ fetch: network });
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

const pageOf = (url: string) => makePage(maker, { blocks: [{ type: "image", url, alt: "A fair" }] });
const sourceOf = async (page: Page) =>
  (await Shown.of(await service.fetch(page.url))).all("img")[0]?.attributes.src ?? "";

it("images of hosted pages are fetched so often a minute for a network, whatever it has drawn", async () => {
  const counted: string[] = [];
  const limited = new Service({
    fetch: network,
    drawingLimit: {
      limit: async ({ key }) => ({ success: counted.push(key) <= 2 }),
    },
  });
  const source = await sourceOf(await pageOf("https://a.example/good.png"));
  const ask = () => limited.fetch(source, { headers: { "cf-connecting-ip": "192.0.2.8" } });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  requested.length = 0;
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after"), requested]).toEqual([429, "60", []]);
  expect(counted).toEqual(Array(3).fill("page image 192.0.2.8"));
});

describe("an image of a hosted page", () => {
  it.each([
    ["https://a.example/good.png", "image/png", null],
    ["https://a.example/drawing.svg", "image/svg+xml", "attachment"],
    ["https://a.example/moved.png", "image/png", null],
    ["https://a.example/moved.svg", "image/svg+xml", "attachment"],
  ])("is served by this service, an SVG as a download: %s", async (url, type, disposition) => {
    const source = await sourceOf(await pageOf(url));
    expect(source).toMatch(/^\/pages\/[0-9a-f-]{36}\/images\/[0-9a-f]{16}$/);
    const response = await service.fetch(source);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("content-disposition")).toBe(disposition);
    expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*sandbox$/);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  });

  it("has another URL here when the page shows another image", async () => {
    const page = await pageOf("https://a.example/good.png");
    const before = await sourceOf(page);
    const blocks = [{ type: "image", url: "https://a.example/drawing.svg" }];
    await maker.session.send("PATCH", `/developer/pages/${page.id}`, { blocks });
    expect(await sourceOf(page)).not.toBe(before);
    expect((await service.fetch(before)).status).toBe(404);
  });

  it.each([
    "https://a.example/inward.png",
    "https://a.example/loop.png",
    "https://a.example/page.html",
    "https://a.example/gone.png",
    "https://a.example/huge.png",
    "https://unreachable.example/a.png",
  ])("that its host does not deliver is missing, while the page is still shown: %s", async (url) => {
    const page = await pageOf(url);
    requested.length = 0;
    const response = await service.fetch(await sourceOf(page));
    expect(response.status).toBe(502);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).not.toContain("example");
    expect(requested.length).toBeLessThanOrEqual(4);
    expect(requested.every((each) => each.startsWith("https://"))).toBe(true);
    expect((await Shown.of(await service.fetch(page.url))).all("img")[0]?.attributes.alt).toBe("A fair");
  });

  it("is not fetched from a blocked host, however many redirects lead there", async () => {
    for (const url of ["https://a.example/outward.png", "https://a.example/detour.png"]) {
      const source = await sourceOf(await pageOf(url));
      expect((await service.fetch(source)).status).toBe(200);
      const body = { host: "blocked.example", reason: "Phishing" };
      const blocked = await service.operator.expect(
        201,
        NewBlockedHost,
        "POST",
        "/operator/blocked-hosts",
        body,
      );
      requested.length = 0;
      expect((await service.fetch(source)).status).toBe(502);
      expect(requested).not.toContain("https://blocked.example/good.png");
      await service.operator.send("DELETE", `/operator/blocked-hosts/${blocked.id}`);
    }
  });

  it("is aborted when it grows too large", async () => {
    const source = await sourceOf(await pageOf("https://a.example/endless.png"));
    const response = await service.fetch(source);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it("must be on the page: no other URL can be requested through it", async () => {
    const page = await pageOf("https://a.example/good.png");
    requested.length = 0;
    for (const key of ["x", "0000000000000000", encodeURIComponent("https://a.example/good.png")]) {
      expect((await service.fetch(`/pages/${page.id}/images/${key}`)).status).toBe(404);
    }
    expect(requested).toEqual([]);
  });
});
