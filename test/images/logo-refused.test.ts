import { beforeAll, describe, expect, it } from "vitest";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { expectError } from "../support/endpoints.ts";
import {
  blueJpeg,
  dataUri,
  deflate,
  imageHeader,
  join,
  makePng,
  type PngKind,
  plainPng,
  pngChunk,
  pngHead,
  svg,
  svgBytes,
} from "../support/images/logos.ts";
import { refusedLogo } from "../support/images/refused-logo.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { Service, type SessionClient } from "../support/service.ts";

const service = new Service();
const random = new SeededRandom(2);
const path = "/developer/templates";
let session: SessionClient;

beforeAll(async () => {
  session = await service.session();
});

const refusal = (logo: unknown) => refusedLogo(session, logo);

const rgba: PngKind = { colorType: 6, depth: 8, interlaced: false, transparency: false };

/** A PNG with the given header and data. */
const rawPng = async (width: number, height: number, kind: PngKind, data: Uint8Array<ArrayBuffer>) =>
  join(
    pngHead,
    imageHeader(width, height, kind),
    pngChunk("IDAT", await deflate(data)),
    pngChunk("IEND", []),
  );

it("a logo is refused on a change as it is on creation, and the template keeps what it has", async () => {
  const own = await service.session();
  const { id } = await own.expect(201, Template, "POST", path, { name: "None", logo: dataUri(svg("<g/>")) });
  const { logo } = await own.expect(200, Template, "GET", `${path}/${id}`);
  for (const refused of [
    "",
    dataUri(join(pngHead)),
    dataUri(blueJpeg.slice(0, 20), "image/jpeg"),
    dataUri(svg("<x")),
  ]) {
    const change = await own.send("PATCH", `${path}/${id}`, { logo: refused });
    expect(await expectError(change, 400, "invalid_input")).toBe(await refusal(refused));
  }
  expect((await own.expect(200, Template, "GET", `${path}/${id}`)).logo).toEqual(logo);
});

describe("a logo that is not a data URI of a supported type", () => {
  it.each([
    7,
    {},
    "",
    "https://example.com/logo.png",
    "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    "data:text/html;base64,PGI+",
    "data:image/png,%89PNG",
    "data:image/svg+xml;utf8,<svg/>",
    "DATA:image/png;base64,iVBORw0KGgo=",
    " data:image/png;base64,iVBORw0KGgo=",
  ])("is refused: %j", async (logo) => {
    await refusal(logo);
  });

  it.each(["?", "iVBORw0KGgo", "iVBO Rw0K", "iVBO\nRw0K", "=", "iVB=Rw0K", "iVBORw0KGg-_", "é"])(
    "is refused with %j for base64",
    async (base64) => {
      expect(await refusal(`data:image/png;base64,${base64}`)).toContain("base64");
    },
  );
});

describe("a logo that is too large", () => {
  it("is more than 256 KiB", async () => {
    const filled = (bytes: number) => {
      const text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><!----></svg>';
      return svgBytes(text.replace("<!---->", `<!--${"x".repeat(bytes - text.length)}-->`));
    };
    expect(filled(256 * 1024)).toHaveLength(262_144);
    expect(await refusal(dataUri(filled(256 * 1024 + 1)))).toContain("at most 256 KiB");
    // The largest logo is accepted: the limit of JSON bodies must allow it.
    const own = await service.session();
    const taken = await own.send("POST", path, { name: "Large", logo: dataUri(filled(256 * 1024)) });
    expect(taken.status).toBe(201);
    const id = ((await taken.json()) as { id: string }).id;
    const file = await own.send("GET", `${path}/${id}/logo`);
    expect((await file.arrayBuffer()).byteLength).toBe(262_144);
  });

  it("is a PNG of more than 1024 pixels a side", async () => {
    for (const [width, height] of [
      [1025, 1],
      [1, 1025],
      [4_294_967_295, 4_294_967_295],
    ] as const) {
      const png = await rawPng(width, height, rgba, new Uint8Array(10));
      expect(await refusal(dataUri(png))).toContain("at most 1024 pixels a side");
    }
  });

  it("is a JPEG of more than 2048 pixels a side", async () => {
    for (const [width, height] of [
      [2049, 1],
      [65_535, 65_535],
    ] as const) {
      const jpeg = blueJpeg.slice();
      const view = new DataView(jpeg.buffer);
      // The frame's header: its marker, length and precision, then height and width.
      const at = jpeg.findIndex((byte, i) => byte === 0xff && jpeg[i + 1] === 0xc0);
      view.setUint16(at + 5, height);
      view.setUint16(at + 7, width);
      expect(await refusal(dataUri(jpeg, "image/jpeg"))).toContain("at most 2048 pixels a side");
    }
  });

  it("is a PNG that inflates to more than its pixels", async () => {
    const bomb = await rawPng(8, 8, rgba, new Uint8Array(10_000_000));
    expect(bomb.length).toBeLessThan(20_000);
    expect(await refusal(dataUri(bomb))).toContain("intact");
  });
});

describe("a JPEG that is broken", () => {
  it.each([3, 4, 20, 200, 300, 420])("has only its first %i bytes", async (length) => {
    expect(await refusal(dataUri(blueJpeg.slice(0, length), "image/jpeg"))).toContain("intact");
  });

  it("is not a JPEG at all", async () => {
    const png = await plainPng(random, [1, 2, 3], 8, 8);
    expect(await refusal(dataUri(png, "image/jpeg"))).toBe("logo must be a JPEG, as its media type says.");
  });
});

describe("a PNG that is broken", () => {
  const line = new Uint8Array(8 * 4 * 8 + 8).map((_, i) => (i % 33 === 0 ? 0 : 255));
  const idat = async () => pngChunk("IDAT", await deflate(line));
  const header = imageHeader(8, 8, rgba);
  const end = pngChunk("IEND", []);
  const palette: PngKind = { colorType: 3, depth: 8, interlaced: false, transparency: false };
  const cases: [string, () => Promise<Uint8Array>][] = [
    ["only its first bytes", async () => join(pngHead)],
    ["no header", async () => join(pngHead, await idat(), end)],
    ["two headers", async () => join(pngHead, header, header, await idat(), end)],
    ["no data", async () => join(pngHead, header, end)],
    ["data that is no zlib", async () => join(pngHead, header, pngChunk("IDAT", [1, 2, 3]), end)],
    ["too little data", async () => rawPng(9, 9, rgba, line)],
    ["no width", async () => rawPng(0, 8, rgba, line)],
    ["a depth there is not", async () => rawPng(8, 8, { ...rgba, depth: 4 }, line)],
    ["a colour type there is not", async () => rawPng(8, 8, { ...rgba, colorType: 5 as never }, line)],
    ["a filter there is not", async () => rawPng(8, 8, rgba, line.slice().fill(5))],
    ["a palette that is missing", async () => rawPng(8, 8, palette, new Uint8Array(72))],
    [
      "a wrong check sum",
      async () => {
        const png = await plainPng(random, [1, 2, 3], 8, 8);
        png[30] = (png[30] ?? 0) ^ 1;
        return png;
      },
    ],
  ];
  it.each(cases)("has %s", async (_, broken) => {
    expect(await refusal(dataUri(await broken(), "image/png"))).toMatch(/intact/);
  });

  it("is not a PNG at all", async () => {
    for (const bytes of [svg(""), new Uint8Array(), new Uint8Array([0xff, 0xd8, 0xff, 0xe0])]) {
      expect(await refusal(dataUri(bytes, "image/png"))).toContain("must be a PNG");
    }
    expect(await refusal(dataUri(await makePng(random, rgba, 3, 3), "image/svg+xml"))).toContain("UTF-8");
  });
});
