import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { version as released } from "../../package.json";
import { limits } from "../../src/contract/limits.ts";
import type { Settings } from "../../src/domain/deps.ts";
import { beginRegistration } from "../../src/domain/identity/passkeys.ts";
import {
  disturbedMargin,
  disturbedPictures,
  disturbedSide,
  sampleText,
} from "../../src/public-pages/welcome/looks.ts";
import { Shown } from "../support/hosted-pages.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import type { Picture } from "../support/images/decoders.ts";
import { origin, Service } from "../support/service.ts";
import { noProvider } from "../support/settings.ts";

const service = new Service();

/** Returns a square in the middle row of a picture, four times as large, on white paper. */
function cut({ width, height, data }: Picture, from: number, side: number): Picture {
  const [scale, border, top] = [4, 40, (height - side) / 2];
  const whole = side * scale + 2 * border;
  const pixels = new Uint8ClampedArray(whole * whole * 4).fill(255);
  for (let y = 0; y < side * scale; y += 1) {
    for (let x = 0; x < side * scale; x += 1) {
      const at = ((top + Math.floor(y / scale)) * width + from + Math.floor(x / scale)) * 4;
      pixels.set(data.subarray(at, at + 4), ((y + border) * whole + x + border) * 4);
    }
  }
  return { width: whole, height: whole, data: pixels };
}

const closed = { passkeys: true, provider: noProvider, signUp: "closed", defaultPlan: "" } as const;

describe("the root of the scan origin", () => {
  it("welcomes visitors, and leads to the dashboard, the reference and the report form", async () => {
    const response = await service.fetch("/");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("content-security-policy")).toMatch(
      new RegExp(
        "^default-src 'none'; style-src 'sha256-[^ ']+'; script-src 'self'; img-src 'self'; font-src 'self'; " +
          `form-action ${origin}; base-uri 'none'; frame-ancestors 'none'$`,
      ),
    );
    const shown = await Shown.of(response);
    expect([shown.status, shown.texts("h1")]).toEqual([200, ["Print it once. Change it any time."]]);
    const links = shown.all("a").map(({ attributes }) => attributes.href);
    expect(links).toEqual([`${origin}/api/v1/docs`, `${origin}/dashboard`, "/report"]);
    expect(shown.texts("p").slice(-2)).toEqual([
      "Scanned a code and landed here? Its owner decides where it leads. Report a code",
      `Version ${released} · MIT`,
    ]);
  });

  it("shows it uncached at other hosts, which may become domains", async () => {
    const response = await service.fetch("http://other.example/");
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  it("has a field where newcomers can get in, and only a link to sign in where they can't", async () => {
    const cases: [Partial<Settings>, boolean][] = [
      [closed, false],
      [{ ...closed, signUp: "open" }, true],
      [{ ...closed, signUp: "open", defaultPlan: "business" }, false],
      [{ passkeys: false }, true],
      [{ passkeys: false, provider: noProvider }, false],
    ];
    for (const [settings, isOpen] of cases) {
      const own = new Service({ settings });
      const shown = await Shown.of(await own.fetch("/"));
      const [form] = shown.all("form");
      const given = { settings, action: form?.attributes.action, scripts: shown.all("script").length };
      const action = isOpen ? `${origin}/dashboard/start` : undefined;
      expect(given).toEqual({ settings, action, scripts: isOpen ? 1 : 0 });
      expect(shown.texts("a")).toEqual(["API", "Sign in", ...(isOpen ? [] : ["Sign in"]), "Report a code"]);
    }
  });

  it("serves its files, which browsers keep", async () => {
    const html = await (await service.fetch("/")).text();
    const paths = [...new Set(html.match(/\/assets\/[\w.-]+/g))];
    expect(paths.map((path) => path.replace(/-[0-9a-f]{12}/, "")).sort()).toEqual(
      ["disturbed.png", "draw.js", "encoder.js", "inter.woff2", "looks.svg", "plex-mono.woff2"].map(
        (name) => `/assets/${name}`,
      ),
    );
    for (const path of paths) {
      const file = await service.fetch(path);
      expect([file.status, file.headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    }
    expect((await service.fetch("/assets/none.js")).status).toBe(404);
  });

  it("shows pictures in which the code can be read, disturbed as it says", async () => {
    const html = await (await service.fetch("/")).text();
    const [path = ""] = /\/assets\/disturbed[\w.-]+/.exec(html) ?? [];
    const file = new Uint8Array(await (await service.fetch(path)).arrayBuffer());
    expect(file.length).toBeLessThan(20_000);
    const step = disturbedSide + disturbedMargin;
    const strip = await rasterise("png", file, disturbedPictures.length * step - disturbedMargin);
    for (const [i, { words }] of disturbedPictures.entries()) {
      const picture = cut(strip, i * step, disturbedSide);
      expect({ words, read: await readWithZxing(picture) }).toEqual({ words, read: [sampleText] });
    }
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

  it("goes by BRAND_NAME everywhere, or by its own name if that is empty or unusable", async () => {
    const namesOf = async (brandName: string) => {
      const named = new Service({ settings: { ...noProvider, brandName } });
      const { key } = await named.workspace();
      const titles = ["/", "/dashboard/sign-in", "/operator/sign-in", "/shared/none", "/api/v1/docs"].map(
        async (path) => {
          const [, title] = /<title>([^<]*)<\/title>/.exec(await (await named.fetch(path)).text()) ?? [];
          return title?.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        },
      );
      const params = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "a", version: "1" },
      };
      const agents = await named.fetch("/mcp", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
      });
      const { result } = await agents.json<{ result: { serverInfo: { name: string; title: string } } }>();
      const { options } = await beginRegistration(named.deps, "join", {
        userId: crypto.randomUUID(),
        name: "Ines",
      });
      const llms = (await (await named.fetch("/llms.txt")).text()).split("\n")[0];
      return [...(await Promise.all(titles)), result.serverInfo.title, options.rp.name, llms];
    };
    const own = await namesOf("");
    expect(own).toEqual([
      "QR codes",
      "Sign in – QR codes",
      "Operator sign-in – QR codes",
      "This report isn&#39;t available – QR codes",
      "QR Code Management Service: API reference",
      "QR Code Management Service",
      "QR codes",
      "# QR Code Management Service",
    ]);
    const brand = "Codes <of> Harbour & Co";
    expect(await namesOf(brand)).toEqual(
      own.map((text) => text?.replace(/QR codes|QR Code Management Service/, brand)),
    );
    for (const unusable of ["x".repeat(limits.serviceName + 1), "two\nlines", "c\u202eod"]) {
      expect(await namesOf(unusable)).toEqual(own);
    }
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
