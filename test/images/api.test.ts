import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ErrorBody } from "../../src/contract/errors.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;
let qr: Qr;

beforeAll(async () => {
  client = await service.workspace();
  qr = await client.createQr();
});

const image = (query = "", id = qr.id, headers: Record<string, string> = {}) =>
  client.send("GET", `/qr/${id}/image${query}`, undefined, headers);

async function refusal(response: Response): Promise<string> {
  const { error, code } = ErrorBody.strict().parse(await response.json());
  expect({ status: response.status, code, error }).toEqual({ status: 400, code: "invalid_input", error });
  return error;
}

/** The fills of an SVG's paths, in order. @throws if the SVG contains anything else */
function fillsOf(svg: string): string[] {
  const whole =
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox="0 0 \d+ \d+">((?:<path fill="#[0-9a-f]{6}" d="[MhvazZ0-9. -]+"\/>)+)<\/svg>\n$/;
  const paths = whole.exec(svg)?.[1];
  if (paths === undefined) throw new Error(`not as it must be: ${svg.slice(0, 300)}`);
  return [...paths.matchAll(/fill="([^"]+)"/g)].map(([, fill = ""]) => fill);
}

describe("an image without any options", () => {
  it("is an SVG of 512 px with a margin of 4 modules, black on white, for its caller alone", async () => {
    const response = await image();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
    expect(response.headers.get("content-disposition")).toBeNull();
    expect(response.headers.get("x-ratelimit-remaining")).not.toBeNull();
    const svg = await response.text();
    expect(fillsOf(svg)).toEqual(["#ffffff", "#000000"]);
    expect(svg).toContain('width="512" height="512" viewBox="0 0 37 37"');
    expect(svg).toContain('d="M0 0h37v37h-37z"');
    // The first finder pattern begins after the margin, and consists of a ring and a square.
    expect(svg).toContain("M4 4h7v7h-7z");
    expect(svg).toContain("M6 6h3v3h-3z");
  });
});

describe("options", () => {
  it("are followed", async () => {
    const svg = await (await image("?size=64&margin=0&ecc=H")).text();
    expect(svg).toContain('width="64" height="64" viewBox="0 0 33 33"');
    const png = new Uint8Array(await (await image("?format=png&size=333")).arrayBuffer());
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const view = new DataView(png.buffer);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([333, 333]);
  });

  it.each(["64", "4096"])("may ask for %s px", async (size) => {
    for (const format of ["svg", "png"] as const) {
      const response = await image(`?format=${format}&size=${size}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe({ svg: "image/svg+xml", png: "image/png" }[format]);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (format === "png" && size === "4096") {
        expect(new DataView(bytes.buffer).getUint32(16)).toBe(4096);
        continue;
      }
      const picture = await rasterise(format, bytes, Math.min(Number(size), 1000));
      expect(await readWithZxing(picture)).toEqual([qr.scanUrl]);
    }
  });

  const refused = [
    ...["0", "63", "4097", "NaN", "", "-64", "64.5", "1e3", "0x40", " 64", "512px", "9".repeat(400)].map(
      (size) => ["size", size],
    ),
    ...["21", "-1", "NaN", "", "4.5", "999999"].map((margin) => ["margin", margin]),
    ...["X", "m", ""].map((ecc) => ["ecc", ecc]),
    ...["gif", "", "PNG", "svg,png"].map((format) => ["format", format]),
    ...["maybe", "2"].map((download) => ["download", download]),
  ] as const;
  it.each(refused)("are refused by name: %s=%s", async (name = "", value = "") => {
    expect(await refusal(await image(`?${new URLSearchParams({ [name]: value })}`))).toContain(`${name} `);
  });

  it("are refused without an empty alternative", async () => {
    expect(await refusal(await image("?download=maybe"))).toBe("download must be 0, 1, true or false.");
  });

  it("are refused when given twice", async () => {
    expect(await refusal(await image("?size=64&size=128"))).toContain("size ");
  });

  it("must leave a PNG at least one pixel per module, unlike an SVG", async () => {
    expect(await refusal(await image("?format=png&size=64&margin=20"))).toContain("size must be at least 69");
    expect((await image("?format=png&size=69&margin=20")).status).toBe(200);
    expect((await image("?size=64&margin=20")).status).toBe(200);
  });

  it.each([
    ["?download", true],
    ["?download=1", true],
    ["?download=true&format=png", true],
    ["?download=0", false],
    ["?download=false", false],
  ])("%s: an attachment? %s", async (query, attached) => {
    const ending = query.includes("png") ? "-512.png" : ".svg";
    expect((await image(query)).headers.get("content-disposition")).toBe(
      attached ? `attachment; filename="${qr.hash}${ending}"` : null,
    );
  });

  it.each([
    ["Summer menu, on the tables!", 'filename="summer-menu-on-the-tables-64.png"'],
    ["../../etc/passwd\\", 'filename="etc-passwd-64.png"'],
    ['"; filename="evil.exe', 'filename="filename-evil-exe-64.png"'],
    ["Menü", "filename=\"menu-64.png\"; filename*=UTF-8''men%C3%BC-64.png"],
    [
      "夏のメニュー",
      "filename=\"64.png\"; filename*=UTF-8''%E5%A4%8F%E3%81%AE%E3%83%A1%E3%83%8B%E3%83%A5%E3%83%BC-64.png",
    ],
  ])("the file of %s is named after it, with its size", async (name, expected) => {
    const { id } = await client.createQr({ name });
    const file = await client.send("GET", `/qr/${id}/image?format=png&size=64&download`);
    expect(file.headers.get("content-disposition")).toBe(`attachment; ${expected}`);
  });

  it("the file of a code without a letter in its name has its short name", async () => {
    const { id, hash } = await client.createQr({ name: "!!!" });
    const file = await client.send("GET", `/qr/${id}/image?download`);
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${hash}.svg"`);
  });
});

describe("an image's tag", () => {
  const tagOf = async (query = "") => (await image(query)).headers.get("etag") ?? "";

  it("changes only with the design and the options", async () => {
    const first = await tagOf();
    expect(first).toMatch(/^"[0-9a-f]{32}"$/);
    await client.send("PATCH", `/qr/${qr.id}`, { name: "Another", status: "paused", tags: ["x"] });
    expect(await tagOf()).toBe(first);
    const seen = new Set([first]);
    for (const query of ["?format=png", "?size=64", "?margin=5", "?ecc=L"]) seen.add(await tagOf(query));
    for (const design of [
      { shape: "circle" },
      { colorConfig: { dotsColor: "navy" } },
      { colorConfig: { dotsColor: "navy", cornerColor: "maroon" } },
      { colorConfig: { dotsColor: "navy", backgroundColor: "#fffffe" } },
      { colorConfig: { dotsColor: "navy", backgroundColor: "transparent" } },
    ]) {
      expect((await client.send("PATCH", `/qr/${qr.id}`, design)).status).toBe(200);
      seen.add(await tagOf());
    }
    expect(seen.size).toBe(10);
    // The same colours in another notation yield the same image.
    const before = await tagOf();
    const same = { colorConfig: { dotsColor: "#000080", backgroundColor: "rgba(1, 2, 3, 0)" } };
    await client.send("PATCH", `/qr/${qr.id}`, same);
    expect(await tagOf()).toBe(before);
  });

  it("answers 304 without a body when the client has it", async () => {
    const tag = await tagOf();
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await image("", qr.id, { "if-none-match": known });
      expect({ known, status: response.status }).toEqual({ known, status: 304 });
      expect(await response.text()).toBe("");
      expect(response.headers.get("etag")).toBe(tag);
    }
    expect((await image("", qr.id, { "if-none-match": '"other"' })).status).toBe(200);
  });
});

describe("an image of a code", () => {
  it("is 404 for deleted codes, and answers HEAD without a body", async () => {
    const { id } = await client.createQr();
    const head = await client.send("HEAD", `/qr/${id}/image`);
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(await head.text()).toBe("");
    await client.send("DELETE", `/qr/${id}`);
    expect((await image("", id)).status).toBe(404);
  });

  it("has corners in their own colour on Starter and higher plans", async () => {
    const own = await service.workspace();
    const { id, hash } = await own.createQr({ colorConfig: { dotsColor: "navy", cornerColor: "maroon" } });
    const fills: Record<string, string[]> = {};
    const tags = new Set<string | null>();
    for (const plan of ["free", "starter", "pro", "business"]) {
      await env.DB.prepare("UPDATE workspaces SET plan = ? WHERE id = ?").bind(plan, own.workspaceId).run();
      const response = await service.fetch(`/${hash}.svg`);
      tags.add(response.headers.get("etag"));
      fills[plan] = fillsOf(await response.text());
    }
    const full = ["#ffffff", "#000080", "#800000"];
    expect(fills).toEqual({ free: ["#ffffff", "#000080"], starter: full, pro: full, business: full });
    expect(tags.size).toBe(2);
    expect(fillsOf(await (await own.send("GET", `/qr/${id}/image`)).text())).toEqual(full);
  });
});
