import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { buildDeps } from "../../src/composition.ts";
import { limits } from "../../src/contract/limits.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { convertSvg } from "../../src/images/svg/convert-svg.ts";
import { readSvg } from "../../src/images/svg/read-svg.ts";
import { logoSvg } from "../../src/lib/image/logo-drawing.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { expectError } from "../support/endpoints.ts";
import { rasterise } from "../support/images/decode.ts";
import { exportedSvgs } from "../support/images/exported-svgs.ts";
import {
  dataUri,
  imageHeader,
  join,
  type PngKind,
  plainPng,
  pngChunk,
  pngHead,
  svg,
  svgBytes,
} from "../support/images/logos.ts";
import { readPdf } from "../support/images/pdf.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { type Client, Service, type SessionClient } from "../support/service.ts";

const service = new Service();
let session: SessionClient;
let client: Client;

beforeAll(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
});

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** A code with a logo. */
async function codeWith(logo: Uint8Array): Promise<Qr> {
  const { id } = await session.expect(201, Template, "POST", "/developer/templates", {
    name: "Logo",
    logo: dataUri(logo, "image/svg+xml"),
  });
  return client.createQr({ templateId: id });
}

/** The colours of an SVG at these points, of a picture of 200 × 100 pixels. */
async function colorsOf(source: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { data } = await rasterise("svg", source, 200, "#ffffff");
  const points = [
    [10, 10],
    [50, 50],
    [140, 40],
    [130, 75],
    [180, 75],
    [167, 62],
  ] as const;
  return points.map(([x, y]) => [...data.slice((y * 200 + x) * 4, (y * 200 + x) * 4 + 3)].join());
}

const white = "255,255,255";

describe("an SVG that a program exported", () => {
  it.each(Object.entries(exportedSvgs))("%s looks as it does in a browser", async (_, source) => {
    const { drawing } = convertSvg(svgBytes(source));
    const drawn = svgBytes(logoSvg({ ...drawing, pictures: [] }));
    const colors = await colorsOf(drawn);
    expect(colors).toEqual(["227,6,19", white, "0,166,81", "255,222,0", "0,0,255", white]);
    expect(colors).toEqual(await colorsOf(svgBytes(source)));
  });

  it.each(Object.entries(exportedSvgs))("%s is drawn as SVG, PNG and PDF", async (_, source) => {
    const { id } = await codeWith(svgBytes(source));
    const text = await (await client.send("GET", `/qr/${id}/image`)).text();
    const [, base64 = ""] = /image\/svg\+xml;base64,([^"]+)/.exec(text) ?? [];
    const embedded = new TextDecoder().decode(Uint8Array.fromBase64(base64));
    expect(embedded).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 20000 10000">/);
    expect((await client.send("GET", `/qr/${id}/image?format=png`)).status).toBe(200);
    const [page] = await readPdf(await bytesOf(await client.send("GET", `/qr/${id}/image?format=pdf`)));
    for (const color of ["#e30613", "#00a651", "#ffde00", "#0000ff"]) expect(page?.svg).toContain(color);
  });
});

it("what is translucent, graded and a picture is drawn, in PDFs too", async () => {
  const png = dataUri(await plainPng(new SeededRandom(3), [0, 128, 0], 4, 4));
  const { id } = await codeWith(
    svg(
      '<linearGradient id="a"><stop stop-color="red"/><stop offset="1" stop-opacity="0"/></linearGradient>' +
        '<g opacity=".5"><path d="M0 0h60v60H0z" fill="url(#a)"/><circle r="30" stroke="url(#a)" stroke-width="4"/></g>' +
        `<g opacity=".5"><path d="M0 0h9v9z"/><g opacity=".5"><path d="M0 0h9v9z"/><path d="M1 1h9v9z"/></g></g>` +
        `<image x="50" y="50" width="50" height="50" href="${png}" opacity=".9"/>`,
    ),
  );
  expect((await client.send("GET", `/qr/${id}/image?format=png`)).status).toBe(200);
  const pdf = await bytesOf(await client.send("GET", `/qr/${id}/image?format=pdf`));
  const [page] = await readPdf(pdf);
  expect(page?.svg).toContain('stroke="#ff0000"');
  expect(page?.svg).toContain('fill="#808080"');
});

describe("an SVG that would be a program", () => {
  const rgba: PngKind = { colorType: 6, depth: 8, interlaced: false, transparency: false };
  const header = (side: number) =>
    dataUri(join(pngHead, imageHeader(side, side, rgba), pngChunk("IEND", [])), "image/png");
  const image = (side: number) => `<image id="i" width="99" height="99" href="${header(side)}"/>`;
  const refused: [string, Uint8Array<ArrayBuffer>, string][] = [
    ["a picture of 5000²", svg(image(5000)), "pictures of at most 4.2 million pixels"],
    ["a picture of 2000², twice", svg(`${image(2000)}<use href="#i"/>`), "pictures of at most 4.2 million"],
    ["a picture of 1000², used 60 times", svg(image(1000) + '<use href="#i"/>'.repeat(60)), "4.2 million"],
    ["a picture of 3000², used 60 times", svg(image(3000) + '<use href="#i"/>'.repeat(60)), "4.2 million"],
    ["dashes of 0.001", svg('<path d="M0 0h99" stroke="red" stroke-dasharray="0.001"/>'), "dashed strokes"],
    [
      "a wide filter region",
      svg('<filter id="f" width="9999"><feFlood/></filter><rect width="9" height="9" filter="url(#f)"/>'),
      "has a filter, such as a shadow or a blur. Export it without effects.",
    ],
    ["a transform of one word", svg(`<g transform="${"a".repeat(250_000)}"/>`), "transform that isn't valid"],
    ["a style sheet of braces", svg(`<style>${"{".repeat(250_000)}</style>`), "isn't a list of plain rules"],
    ["a mask", svg('<mask id="m"/><g mask="url(#m)"/>'), "has a mask. Export it without effects."],
    [
      "a clip path that cuts",
      svg(
        '<clipPath id="c"><rect width="9" height="9"/></clipPath><path d="M0 0h50v50z" clip-path="url(#c)"/>',
      ),
      "has a clip path that cuts something off.",
    ],
    ["text", svg("<text>A</text>"), "has text. Convert it to paths."],
    [
      "lines from edge to edge",
      svg(`<path d="M0 0${"L0 100L100 0".repeat(2001)}"/>`),
      "takes too long to draw",
    ],
    [
      "too many curves",
      svg(`<path d="M0 0${"q1 1 0 0".repeat(20_001)}"/>`),
      "at most 20000 lines and curves",
    ],
    ["what is far away", svg('<path d="M0 0h1e9v1z"/>'), "draws far outside of its viewBox"],
    [
      "strokes that are stretched",
      svg('<path transform="scale(1 9)" d="M0 0h9" stroke="red"/>'),
      "stretched",
    ],
  ];
  it.each(refused)("%s is refused", async (_, bytes, words) => {
    expect(await readSvg(bytes, limits.logo.bytes)).toEqual({ problem: expect.stringContaining(words) });
  });

  it("a picture without a width draws nothing, and isn't read", async () => {
    const { drawing, pictures } = convertSvg(svg(image(5000).replace('width="99"', 'width="0"')));
    expect([drawing.items, pictures]).toEqual([[], []]);
  });
});

describe("a logo that was stored before there were drawings", () => {
  /** Makes a stored logo as the released version leaves it. @param bytes its file, instead of its own */
  async function forget(qr: Qr, bytes?: Uint8Array<ArrayBuffer>): Promise<string> {
    const row = await env.DB.prepare("SELECT logo_id FROM qr_codes WHERE id = ?")
      .bind(qr.id)
      .first<string>("logo_id");
    const id = row ?? "";
    await env.DB.prepare("UPDATE logos SET conversion = NULL WHERE workspace_id = ? AND id = ?")
      .bind(session.workspaceId, id)
      .run();
    const key = `logos/${session.workspaceId}/${id}`;
    await env.FILES.delete(`${key}.drawing`);
    if (bytes !== undefined) await env.FILES.put(key, bytes);
    return id;
  }
  const conversionOf = (id: string) =>
    env.DB.prepare("SELECT conversion FROM logos WHERE workspace_id = ? AND id = ?")
      .bind(session.workspaceId, id)
      .first("conversion");
  const embedded = async (qr: Qr, own = client) => {
    const text = await (await own.send("GET", `/qr/${qr.id}/image`)).text();
    return /image\/svg\+xml;base64,([^"]+)/.exec(text)?.[1] ?? "";
  };

  it("is converted when it is drawn, and looks the same", async () => {
    const qr = await codeWith(svg('<circle cx="50" cy="50" r="41"/>'));
    const before = await embedded(qr);
    const id = await forget(qr);
    expect(await embedded(qr)).toBe(before);
    expect(await conversionOf(id)).toBe('"kept"');
    await env.FILES.delete(`logos/${session.workspaceId}/${id}.drawing`);
    expect(await embedded(qr)).toBe(before);
  });

  it("is converted by the sweep, one at a time", async () => {
    const ids = [
      await forget(await codeWith(svg('<circle cx="50" cy="50" r="42"/>'))),
      await forget(await codeWith(svg('<circle cx="50" cy="50" r="43"/>'))),
    ];
    const kept = async () => (await Promise.all(ids.map(conversionOf))).filter((state) => state !== null);
    const { images } = service.deps;
    if (images === undefined) throw new Error("no images Worker");
    let calls = 0;
    const readSvg: typeof images.readSvg = (...args) => {
      calls += 1;
      return images.readSvg(...args);
    };
    const { deps } = new Service({ images: { ...images, readSvg } });
    for (let sweeps = 1; (await kept()).length < ids.length; sweeps += 1) {
      await sweep(deps);
      expect(calls).toBeLessThanOrEqual(sweeps);
    }
    expect(await kept()).toEqual(['"kept"', '"kept"']);
  });

  it("that can't be converted is shown as it is in SVGs, and refused in PNGs and PDFs", async () => {
    const qr = await codeWith(svg('<circle cx="50" cy="50" r="44"/>'));
    const old = svg('<mask id="m"/><circle cx="50" cy="50" r="44" mask="url(#m)"/>');
    await forget(qr, old);
    expect(await embedded(qr)).toBe(old.toBase64());
    const error =
      "The code's logo can't be drawn in a PNG or PDF: it has a mask. Export it without effects. Use the SVG, or another logo.";
    for (const format of ["png", "pdf"]) {
      const refused = await client.send("GET", `/qr/${qr.id}/image?format=${format}`);
      expect(await expectError(refused, 400, "invalid_input")).toBe(error);
    }
    expect((await client.send("PATCH", `/qr/${qr.id}`, { advanced: { ecc: "H" } })).status).toBe(200);
  });

  it("that fails twice isn't tried again", async () => {
    const qr = await codeWith(svg('<circle cx="50" cy="50" r="45"/>'));
    const id = await forget(qr);
    let calls = 0;
    const readSvg = () => {
      calls += 1;
      return Promise.reject(new Error("out of memory"));
    };
    const { images } = service.deps;
    if (images === undefined) throw new Error("no images Worker");
    const failing = await new Service({ images: { ...images, readSvg } }).client(session.workspaceId);
    expect((await failing.send("GET", `/qr/${qr.id}/image?format=png`)).status).toBe(503);
    expect(await conversionOf(id)).toBe('"failed"');
    expect(await embedded(qr, failing)).not.toBe("");
    const refused = await failing.send("GET", `/qr/${qr.id}/image?format=png`);
    expect(await expectError(refused, 400, "invalid_input")).toContain("it can't be read. Export it again.");
    expect(calls).toBe(2);
  });

  it("isn't blamed while the images Worker is away", async () => {
    const qr = await codeWith(svg('<circle cx="50" cy="50" r="46"/>'));
    const id = await forget(qr);
    const fail = () => Promise.reject(new Error("away"));
    const images = { png: fail, checkLogo: fail, readSvg: fail, measure: fail, disturbed: fail, pdf: fail };
    const away = await new Service({ images }).client(session.workspaceId);
    for (let i = 0; i < 3; i += 1) {
      expect(await embedded(qr, away)).toBe(svg('<circle cx="50" cy="50" r="46"/>').toBase64());
    }
    expect(await conversionOf(id)).toBeNull();
  });
});

describe("new logos", () => {
  it("are limited by person, apart from measurements; a file that was read before doesn't count", async () => {
    const keys: string[] = [];
    const limit = async ({ key }: RateLimitOptions) => {
      keys.push(key);
      return { success: keys.length <= 2 };
    };
    const limited = new Service({
      measurementLimit: { limit },
      drawings: buildDeps(env).drawings,
    });
    const own = await limited.session();
    const add = (radius: number) =>
      own.send("POST", "/developer/brand/logos", {
        name: "A",
        logo: dataUri(svg(`<circle cx="50" cy="50" r="${radius}"/>`)),
      });
    expect((await add(11)).status).toBe(201);
    expect((await add(11)).status).toBe(201);
    expect((await add(12)).status).toBe(201);
    expect((await add(13)).status).toBe(429);
    expect((await add(12)).status).toBe(201);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^logo\//);
  });
});
