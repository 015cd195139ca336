import { beforeAll, describe, expect, it } from "vitest";
import { presets } from "../../src/contract/presets.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { compactAddress } from "../../src/domain/images/address.ts";
import { rasterise, readFromAfar, readWithZxing } from "../support/images/decode.ts";
import { valuesOf } from "../support/images/designs.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { sample } from "../support/runner/runs.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;
let logoId: string;

beforeAll(async () => {
  client = await service.workspace();
  const session = await service.sessionIn(client.workspaceId);
  const logo = dataUri(svg('<rect width="100" height="100" fill="#e11d48"/>'));
  const made = await session.expect(201, Template, "POST", "/developer/templates", { name: "Logo", logo });
  logoId = made.logo?.id ?? "";
});

const draw = async (id: string, size: number) => {
  const response = await client.send("GET", `/qr/${id}/image?size=${size}`);
  expect({ status: response.status, error: response.ok ? "" : await response.text() }).toEqual({
    status: 200,
    error: "",
  });
  return new Uint8Array(await response.arrayBuffer());
};

describe("a design", () => {
  it("of every combination of modules and eyes is read, also small", async () => {
    const combinations = valuesOf.modules.flatMap((modules) =>
      valuesOf.eyeFrame.flatMap((eyeFrame) =>
        valuesOf.eyeCenter.map((eyeCenter) => ({ modules, eyeFrame, eyeCenter })),
      ),
    );
    const unread: object[] = [];
    const { id, scanUrl } = await client.createQr();
    for (const advanced of sample(combinations, 23)) {
      expect((await client.send("PATCH", `/qr/${id}`, { advanced })).status).toBe(200);
      for (const size of [180, 600]) {
        const read = await readWithZxing(await rasterise("svg", await draw(id, size), size));
        if (read.join() !== scanUrl) unread.push({ advanced, size, read });
      }
    }
    expect(unread).toEqual([]);
  });
});

describe("a logo", () => {
  it("with as much space around it as may be is drawn on the smallest code", async () => {
    const advanced = { compact: true, ecc: "L", logo: { id: logoId, padding: 4 } } as const;
    const { id, scanUrl } = await client.createQr({ advanced });
    const read = await readWithZxing(await rasterise("svg", await draw(id, 512), 512));
    expect(read).toEqual([compactAddress(scanUrl)]);
  });
});

describe("a preset", () => {
  it.each(sample(presets, 4))("is read small and large: $name", async ({ colorConfig, advanced }) => {
    const { id, scanUrl } = await client.createQr({ colorConfig, advanced });
    for (const size of [240, 600]) {
      const drawing = await draw(id, size);
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
    const drawing = new TextDecoder().decode(await draw(id, 600));
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
      logo: { id: logoId, cutout: "circle" },
    } as const;
    for (let i = 0; i < 4; i += 1) {
      const { id } = await client.createQr({ advanced });
      const drawing = new TextDecoder().decode(await draw(id, 300));
      const own = [...drawing.matchAll(/ id="([^"]+)"/g)].map(([, name = ""]) => name);
      expect(own).toHaveLength(3);
      const used = [...drawing.matchAll(/url\(#([^)]+)\)/g)].map(([, name = ""]) => name);
      expect(used.toSorted()).toEqual(own.toSorted());
      for (const name of own) names.add(name);
    }
    expect(names.size).toBe(12);
  });
});
