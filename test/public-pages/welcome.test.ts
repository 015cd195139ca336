import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { rasterise } from "../support/images/decode.ts";
import { Shown } from "../support/hosted-pages.ts";
import { origin, Service } from "../support/service.ts";

const service = new Service();

describe("the root of the scan origin", () => {
  it("welcomes visitors, and leads to the dashboard, the reference and the report form", async () => {
    const response = await service.fetch("/");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toContain(
      "default-src 'none'; style-src 'sha256-",
    );
    const shown = await Shown.of(response);
    expect([shown.status, shown.texts("h1")]).toEqual([200, ["QR codes you can change"]]);
    const links = shown.all("a").map(({ attributes }) => attributes.href);
    expect(links).toEqual([`${origin}/dashboard`, `${origin}/api/v1/docs`, "/report"]);
  });

  it("answers HEAD without a body, and refuses other methods", async () => {
    const head = await service.fetch("/", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await service.fetch("/", { method: "POST", body: "a=b" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("redirects to HOME_URL where that is set, and nothing else does", async () => {
    const homeUrl = "https://www.example.com/codes?a=b";
    const own = new Service({ settings: { homeUrl } });
    for (const method of ["GET", "HEAD"]) {
      const response = await own.fetch("/", { method });
      expect([response.status, response.headers.get("location")]).toEqual([302, homeUrl]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    expect((await own.fetch("/x")).status).toBe(404);
    expect(env.HOME_URL).toBe("");
  });
});

describe("the icon of the site", () => {
  let icons: Response[];
  beforeAll(async () => {
    icons = await Promise.all(["/favicon.ico", "/favicon.svg"].map((path) => service.fetch(path)));
  });

  it("is named by the service's own pages", async () => {
    for (const path of ["/", "/report"]) {
      const [link] = (await Shown.of(await service.fetch(path))).all("link");
      expect(link?.attributes).toMatchObject({ rel: "icon", href: "/favicon.svg" });
    }
  });

  it("is cached for a week", () => {
    const headers = icons.map(({ status, headers: found }) => [
      status,
      found.get("content-type"),
      found.get("cache-control"),
    ]);
    expect(headers).toEqual([
      [200, "image/x-icon", "public, max-age=604800"],
      [200, "image/svg+xml", "public, max-age=604800"],
    ]);
  });

  it("is a well-formed file", async () => {
    const [ico, svg] = icons;
    const bytes = new Uint8Array((await ico?.arrayBuffer()) ?? []);
    const view = new DataView(bytes.buffer);
    const [size, offset] = [view.getUint32(14, true), view.getUint32(18, true)];
    expect([view.getUint16(2, true), bytes.length]).toEqual([1, offset + size]);
    const [width, height] = [16, 20].map((at) => view.getUint32(offset + at));
    const { data } = await rasterise("png", bytes.slice(offset), width ?? 0);
    expect(data.some((value) => value < 255)).toBe(true);
    expect([width, height]).toEqual([bytes[6], bytes[7]]);
    expect(await svg?.text()).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>$/);
  });
});
