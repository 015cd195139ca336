import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import images from "../../../../docs/images.md?raw";
import { presets } from "../../../../src/contract/presets.ts";
import {
  Scannability,
  type ScannabilityInput,
} from "../../../../src/contract/resources/images/scannability.ts";
import { lookScores } from "../../../../src/public-pages/welcome/looks.ts";
import { valuesOf } from "../../../support/images/designs.ts";
import { sample } from "../../../support/runner/runs.ts";
import { type Client, Service } from "../../../support/service.ts";

/** Addresses have 31 characters. */
const settings = { scanOrigin: "https://qr.example.com" };
const service = new Service({ images: env.IMAGES, settings });
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

/** The row of a design in the documentation. */
const rowOf = (name: string) =>
  images.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? `no row of ${name}`;

describe("the score", () => {
  it.each(sample(presets, presets.length, 6))(
    "of the preset $name is at least 90, and documented with its sizes in print",
    async ({ name, colorConfig, advanced }) => {
      const { id, scanUrl } = await client.createQr({ colorConfig, advanced });
      expect(scanUrl).toHaveLength(31);
      const { score, modules, print } = await client.expect(
        200,
        Scannability,
        "GET",
        `/qr/${id}/scannability`,
      );
      const sizes = print.map(({ widthMillimeters }) => widthMillimeters);
      expect(`| ${[name, score, modules, ...sizes].join(" | ")} |`).toBe(rowOf(name));
      expect(score).toBeGreaterThanOrEqual(90);
    },
  );

  it("of the presets on the welcome page is documented", () => {
    for (const [name, score] of Object.entries(lookScores)) {
      expect(rowOf(name)).toMatch(new RegExp(`^\\| ${name} \\| ${score} \\| `));
    }
  });

  const gradient = { to: "#0e7490", angle: 45 } as const;
  const parts: readonly [part: string, advanced: ScannabilityInput["advanced"]][] = [
    ...valuesOf.modules.map((modules): (typeof parts)[number] => [`modules: ${modules}`, { modules }]),
    ...valuesOf.eyeFrame.flatMap((eyeFrame) =>
      valuesOf.eyeCenter.map((eyeCenter): (typeof parts)[number] => [
        `eyes: ${eyeFrame}, ${eyeCenter}`,
        { eyeFrame, eyeCenter },
      ]),
    ),
    ...(["line", "label", "solid", "round"] as const).flatMap((style): (typeof parts)[number][] => [
      [`frame: ${style}`, { frame: { style } }],
      [`frame with a text: ${style}`, { frame: { style, text: "Scan me" } }],
    ]),
    ["a linear gradient", { gradient: { type: "linear", ...gradient } }],
    ["a radial gradient", { gradient: { type: "radial", ...gradient } }],
    ["a round background", { backgroundRadius: 12 }],
  ];

  it.each(sample(parts, parts.length))(
    "is at least 85 with each part of a design: %s",
    async (_, advanced) => {
      const body = { colorConfig: { dotsColor: "#0c4a6e" }, advanced };
      // Measurements of one workspace are limited by the minute.
      const session = await service.session();
      const { score } = await session.expect(200, Scannability, "POST", "/developer/scannability", body);
      expect(score).toBeGreaterThanOrEqual(85);
    },
  );
});
