import { beforeAll, describe, expect, it } from "vitest";
import { presets } from "../../src/contract/presets.ts";
import { Template } from "../../src/contract/resources/templates.ts";
import { rasterise, readFromAfar, readWithZxing } from "../support/decode.ts";
import { someDesign, valuesOf } from "../support/designs.ts";
import { dataUri, plainPng, svg } from "../support/logos.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { runs, sample } from "../support/runner/runs.ts";
import { type Client, Service } from "../support/service.ts";

/** How many designs are drawn, each at two sizes as SVG, and as PNG. */
const designs = runs(30, 500);
const sizes = [320, 400, 512, 700, 1024];

const service = new Service();
let client: Client;
let logoIds: string[];

beforeAll(async () => {
  client = await service.workspace();
  const session = await service.sessionIn(client.workspaceId);
  const random = new SeededRandom(28);
  const files = [
    svg('<rect width="100" height="100" fill="#e11d48"/>'),
    svg('<circle cx="50" cy="50" r="50" fill="#111"/><circle cx="50" cy="50" r="20" fill="#fff"/>'),
    await plainPng(random, [20, 60, 160], 60, 20),
    await plainPng(random, [0, 0, 0], 20, 50),
  ];
  logoIds = [];
  for (const file of files) {
    const made = await session.expect(201, Template, "POST", "/developer/templates", {
      name: "Logo",
      logo: dataUri(file),
    });
    logoIds.push(made.logo?.id ?? "");
  }
});

const draw = async (id: string, format: "svg" | "png", size: number) => {
  const response = await client.send("GET", `/qr/${id}/image?format=${format}&size=${size}`);
  expect({ status: response.status, error: response.ok ? "" : await response.text() }).toEqual({
    status: 200,
    error: "",
  });
  return new Uint8Array(await response.arrayBuffer());
};

/** The address that a code holds. */
const addressOf = (scanUrl: string, advanced: object | null | undefined) =>
  advanced && "compact" in advanced && advanced.compact === true ? scanUrl.toUpperCase() : scanUrl;

describe("every design that is drawn", () => {
  it("is read as its address by two decoders that are not ours", async () => {
    const random = new SeededRandom(20261123);
    const unread: object[] = [];
    const misread: object[] = [];
    const missed: object[] = [];
    for (let i = 0; i < designs; i += 1) {
      const design = someDesign(random, logoIds);
      const { id, scanUrl } = await client.createQr(design);
      const address = addressOf(scanUrl, design.advanced);
      for (const format of ["svg", "png"] as const) {
        const size = random.pick(sizes);
        const bytes = await draw(id, format, size);
        // A transparent image, or the outside of a frame, is laid on white paper.
        const zxing = await readWithZxing(await rasterise(format, bytes, size));
        if (zxing.join() !== address) unread.push({ i, design, format, size, zxing });
        // jsQR measures eyes along their diagonals, too, where a ring and a centre of different forms don't match.
        const { eyeFrame = "square", eyeCenter = "square" } = design.advanced ?? {};
        if (eyeFrame !== eyeCenter && eyeCenter !== "rounded") continue;
        const jsqr = await readFromAfar(format, bytes, size);
        if (jsqr === undefined) missed.push({ i, design, format, size });
        else if (jsqr !== address) misread.push({ i, design, format, size, jsqr });
      }
    }
    expect({ unread, misread }).toEqual({ unread: [], misread: [] });
    // jsQR fails to read a few correct images at any distance.
    expect(missed.slice(Math.ceil(designs / 50))).toEqual([]);
  });

  it("has every combination of modules and eyes read, also small", async () => {
    const combinations = valuesOf.modules.flatMap((modules) =>
      valuesOf.eyeFrame.flatMap((eyeFrame) =>
        valuesOf.eyeCenter.map((eyeCenter) => ({ modules, eyeFrame, eyeCenter })),
      ),
    );
    const unread: object[] = [];
    const { id, scanUrl } = await client.createQr();
    for (const advanced of sample(combinations, 11)) {
      expect((await client.send("PATCH", `/qr/${id}`, { advanced })).status).toBe(200);
      for (const size of [180, 600]) {
        const read = await readWithZxing(await rasterise("svg", await draw(id, "svg", size), size));
        if (read.join() !== scanUrl) unread.push({ advanced, size, read });
      }
    }
    expect(unread).toEqual([]);
  });
});

describe("a preset", () => {
  it.each(presets)("is read small and large: $name", async ({ colorConfig, advanced }) => {
    const { id, scanUrl } = await client.createQr({ colorConfig, advanced });
    for (const size of [240, 900]) {
      const drawing = await draw(id, "svg", size);
      expect(await readWithZxing(await rasterise("svg", drawing, size))).toEqual([scanUrl]);
      expect(await readFromAfar("svg", drawing, size)).toBe(scanUrl);
    }
  });
});

/** A square in a drawing. */
const square = (x: number, y: number, side: number, fill: string) =>
  `<path fill="${fill}" d="M${x} ${y}h${side}v${side}h-${side}z"/>`;

const quietZone = 4;

/** Changes of a drawing after which phones can't read it: decoders that read these as well would prove nothing. */
const controls: [name: string, spoil: (modules: number) => string][] = [
  [
    "with its eyes inverted",
    (modules) => {
      const [near, far] = [quietZone, quietZone + modules - 7];
      return [
        [near, near],
        [far, near],
        [near, far],
      ]
        .map(
          ([x = 0, y = 0]) =>
            square(x, y, 7, "#ffffff") +
            square(x + 1, y + 1, 5, "#111111") +
            square(x + 2, y + 2, 3, "#ffffff"),
        )
        .join("");
    },
  ],
  [
    "with three fifths of its sides covered",
    (modules) => {
      const side = Math.round(modules * 0.6);
      const from = quietZone + (modules - side) / 2;
      return square(from, from, side, "#ffffff");
    },
  ],
];

describe("a drawing", () => {
  it.each(controls)("%s is not read", async (_, spoil) => {
    const { id, scanUrl } = await client.createQr({ colorConfig: { dotsColor: "#111111" } });
    const drawing = new TextDecoder().decode(await draw(id, "svg", 600));
    const read = async (text: string) =>
      readWithZxing(await rasterise("svg", Uint8Array.from(new TextEncoder().encode(text)), 600));
    expect(await read(drawing)).toEqual([scanUrl]);
    const [, width = "0"] = /viewBox="0 0 (\d+)/.exec(drawing) ?? [];
    const spoiled = drawing.replace("</svg>", `${spoil(Number(width) - 2 * quietZone)}</svg>`);
    expect(await read(spoiled)).toEqual([]);
  });

  it("of several codes in one page has names of its own for its parts", async () => {
    const names = new Set<string>();
    const advanced = {
      gradient: { type: "linear", to: "navy" },
      eyeGradient: { type: "radial", to: "maroon" },
      logo: { id: logoIds[0], cutout: "circle" },
    } as const;
    for (let i = 0; i < 4; i += 1) {
      const { id } = await client.createQr({ advanced });
      const drawing = new TextDecoder().decode(await draw(id, "svg", 300));
      const own = [...drawing.matchAll(/ id="([^"]+)"/g)].map(([, name = ""]) => name);
      expect(own).toHaveLength(3);
      const used = [...drawing.matchAll(/url\(#([^)]+)\)/g)].map(([, name = ""]) => name);
      expect(used.toSorted()).toEqual(own.toSorted());
      for (const name of own) names.add(name);
    }
    expect(names.size).toBe(12);
  });
});
