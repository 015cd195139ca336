import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { brand, codes } from "../../../../scripts/company/company.ts";
import { BrandLogo } from "../../../../src/contract/resources/images/brand.ts";
import { Scannability } from "../../../../src/contract/resources/images/scannability.ts";
import { sample } from "../../../support/runner/runs.ts";
import { type Client, Service } from "../../../support/service.ts";

const service = new Service({
  images: env.IMAGES,
  settings: { scanOrigin: "https://qr.harbour.example" },
});
const designed = codes.filter(({ input }) => input.advanced !== undefined);
let client: Client;
const logos = new Map<string, string>();

beforeAll(async () => {
  client = await service.workspace();
  const session = await service.sessionIn(client.workspaceId);
  for (const logo of brand.logos) {
    const { id } = await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", logo);
    logos.set(logo.name, id);
  }
});

describe("the example company", () => {
  it("has designs on most of its codes: logos, frames and gradients among them", () => {
    const parts = designed.flatMap(({ input, logo }) => [
      ...Object.keys(input.advanced ?? {}),
      ...(logo === undefined ? [] : ["logo"]),
    ]);
    expect(designed.length).toBe(8);
    expect(parts).toEqual(expect.arrayContaining(["logo", "frame", "gradient", "eyeFrame", "modules"]));
  });

  it.each(sample(designed, 4))(
    "has a design on $input.hash that scans at 95 or more",
    async ({ input: { hash, shape, colorConfig, advanced }, logo }) => {
      const withLogo = logo === undefined ? advanced : { ...advanced, logo: { id: logos.get(logo) } };
      const { id } = await client.createQr({ hash, shape, colorConfig, advanced: withLogo });
      const path = `/qr/${id}/scannability`;
      const { score, addresses } = await client.expect(200, Scannability, "GET", path);
      expect(addresses).toBe(16);
      expect(score).toBeGreaterThanOrEqual(95);
    },
  );
});
