import { beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { BrandLogo } from "../../src/contract/resources/images/brand.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { BulkHarness, item } from "../support/bulk.ts";
import { expectError } from "../support/endpoints.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { oneOfEach } from "../support/runner/runs.ts";
import { type Client, Service, type SessionClient } from "../support/service.ts";

const harness = new BulkHarness();
const { service } = harness;
/** Without it, nothing is measured when a design is saved. */
const unmeasured = new Service({ images: undefined });
let client: Client;
let session: SessionClient;
let id: string;

beforeAll(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
  const logo = dataUri(svg('<rect width="100" height="100" fill="#ff0000"/>'));
  const input = { name: "Square", logo };
  ({ id } = await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", input));
});

const templates = "/developer/templates";
const refusal = (response: Response) => expectError(response, 400, "invalid_input");

/** The size that an error names. */
const sizeIn = (error: string) => Number(/^advanced\.logo\.size must be at most (0\.\d+)/.exec(error)?.[1]);

describe("a logo that covers too much of every code", () => {
  const large = { advanced: { logo: { size: 0.4, padding: 4 } } };
  const withLogo = () => ({ advanced: { logo: { ...large.advanced.logo, id } } });
  const error =
    /^advanced\.logo\.size must be at most 0\.\d+ with a padding of 4\. A larger logo covers more of the code than phones can restore\.$/;

  it("is refused when it is saved, with the largest size, which can be saved and drawn", async () => {
    for (const who of [service, unmeasured]) {
      const key = await who.client(session.workspaceId);
      const refused = await refusal(await key.send("POST", "/qr", { ...item(1), ...withLogo() }));
      expect(refused).toMatch(error);
      const size = sizeIn(refused);
      const logo = { id, size, padding: 4 };
      const qr = await key.createQr({ advanced: { logo } });
      expect((await key.send("GET", `/qr/${qr.id}/image`)).status).toBe(200);
      const more = await key.send("PATCH", `/qr/${qr.id}`, { advanced: { logo: { size: size + 0.01 } } });
      expect(sizeIn(await refusal(more))).toBe(size);
    }
  });

  it("is refused in each part: the logo by a template, the size by the code, and the other way round", async () => {
    const make = (advanced: object) =>
      session.expect(201, Template, "POST", templates, { name: "T", advanced });
    // Without a logo, the size means nothing.
    const sized = await make(large.advanced);
    const plain = await make({ logo: { id } });
    const code = await client.createQr({ ...large });
    for (const answer of [
      await session.send("POST", templates, { name: "T", ...withLogo() }),
      await session.send("PATCH", `${templates}/${sized.id}`, { advanced: { logo: { id } } }),
      await session.send("PATCH", `${templates}/${plain.id}`, large),
      await client.send("POST", "/qr", { ...item(1), templateId: plain.id, ...large }),
      await client.send("POST", "/qr", {
        ...item(1),
        templateId: sized.id,
        advanced: { logo: { id } },
      }),
      await client.send("PATCH", `/qr/${code.id}`, { templateId: plain.id, ...large }),
      await client.send("PATCH", `/qr/${code.id}`, { advanced: { logo: { id } } }),
    ]) {
      expect(await refusal(answer)).toMatch(error);
    }
    // The other values of a code that has neither are still changed.
    await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, { name: "Named", shape: "circle" });
    expect((await client.send("GET", `/qr/${code.id}/image`)).status).toBe(200);
  });

  it("is refused in the rows of a bulk job", async () => {
    const rows = [
      { ...item(1), ...withLogo() },
      { ...item(2), advanced: { logo: { id, size: 0.2 } } },
      item(3),
    ];
    const job = await harness.run(client, await harness.json(client, rows));
    expect(job.items.map((row) => row.error)).toEqual([expect.stringMatching(error), null, null]);
  });

  it("depends on its padding and its cutout: over the modules, the largest size fits", async () => {
    const save = (logo: object) =>
      client.send("POST", "/qr", { ...item(1), advanced: { logo: { id, size: 0.4, ...logo } } });
    expect((await save({ padding: 4, cutout: "none" })).status).toBe(201);
    const [square, round] = [
      sizeIn(await refusal(await save({ padding: 4 }))),
      sizeIn(await refusal(await save({ padding: 4, cutout: "circle" }))),
    ];
    expect(round).toBeGreaterThanOrEqual(square);
  });
});

it("a logo of no given size fits every code, also the smallest with the widest padding", async () => {
  const codes = [false, true].flatMap((compact) =>
    [4, 8, 32].flatMap((length) =>
      (["square", "circle", "none"] as const).map((cutout) => ({ compact, length, cutout })),
    ),
  );
  // Every cutout on the smallest codes, where there is the least room.
  const tried = oneOfEach(codes, ({ compact, length, cutout }) =>
    [compact, length, length === 4 ? cutout : ""].join(),
  );
  for (const { compact, length, cutout } of tried) {
    const hash = crypto.randomUUID().slice(0, length).padEnd(length, "x");
    const advanced = { compact, ecc: "L" as const, logo: { id, padding: 4, cutout } };
    const qr = await client.createQr({ hash: `${hash.slice(0, -1)}q`, advanced });
    expect((await service.fetch(`/${qr.hash}.svg`)).status).toBe(200);
  }
});
