import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { buildDeps } from "../../src/composition.ts";
import { DisturbanceName, Scannability } from "../../src/contract/resources/images/scannability.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import type { Deps } from "../../src/domain/deps.ts";
import { designOf } from "../../src/domain/images/design.ts";
import { drawCode } from "../../src/lib/image/drawing.ts";
import { qrSymbol } from "../../src/lib/image/qr-symbol.ts";
import { svgOf } from "../../src/lib/image/svg.ts";
import type { Measurement } from "../../src/protocol/images.ts";
import { BulkHarness, item } from "../support/bulk.ts";
import { expectError } from "../support/endpoints.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { type Client, measurementOf, Service, type SessionClient } from "../support/service.ts";

const unlimited: RateLimit = { limit: async () => ({ success: true }) };

/** Methods of the images Worker itself, apart from how it measures. */
const withMeasure = (measure: NonNullable<Deps["images"]>["measure"]): NonNullable<Deps["images"]> => ({
  png: (...args) => env.IMAGES.png(...args),
  checkLogo: (...args) => env.IMAGES.checkLogo(...args),
  readSvg: (...args) => env.IMAGES.readSvg(...args),
  pdf: (...args) => env.IMAGES.pdf(...args),
  disturbed: (...args) => env.IMAGES.disturbed(...args),
  measure,
});

/** Measures the first address of a design. Others are said to be read as well, because each takes long. */
function measuringOne(): NonNullable<Deps["images"]> {
  let first: Measurement;
  return withMeasure(async (drawings, modules, seed) => {
    if (seed === 0) first = await env.IMAGES.measure(drawings, modules, seed);
    return first;
  });
}

/** The images Worker, and the cache. */
const real = { measurementLimit: unlimited, images: measuringOne(), drawings: buildDeps(env).drawings };
const service = new Service(real);
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
});

/** The images Worker with measurements that the test chooses. */
function measuring(share: number) {
  const calls: Parameters<NonNullable<Deps["images"]>["measure"]>[] = [];
  const images = withMeasure(async (...args) => {
    calls.push(args);
    return measurementOf(args[0].length, share);
  });
  return { images, asked: calls, calls: () => calls.length };
}

const measureQr = (id: string, who = client) =>
  who.expect(200, Scannability.strict(), "GET", `/qr/${id}/scannability`);

/** A design that is measured when it is saved. */
const fancy = (quietZone: number) => ({ advanced: { modules: "rounded" as const, quietZone } });

describe("a plain code", () => {
  it("is read in nearly every picture, and says how small it may be printed", async () => {
    const { id } = await client.createQr();
    const measured = await measureQr(id);
    expect(measured.score).toBeGreaterThanOrEqual(95);
    expect(measured).toMatchObject({ isReadable: true, addresses: 16, reasons: [], changes: [] });
    expect(measured.verdict).toBe(
      `Scans well from ${Math.ceil(measured.print[1]?.widthMillimeters ?? 0)} mm`,
    );
    expect(measured.disturbances.map(({ name }) => name)).toEqual(DisturbanceName.options);
    // At least 4 dots of the printer, and 2 pixels of 0.11 mm: the picture of the lowest resolution.
    for (const [i, moduleMillimeters] of [0.508, 0.339, 0.22].entries()) {
      const width = Math.ceil(measured.modules * ([0.508, (4 * 25.4) / 300, 0.22][i] ?? 0) * 10) / 10;
      expect(measured.print[i]).toEqual({
        dpi: [200, 300, 600][i],
        moduleMillimeters: Number(moduleMillimeters.toFixed(2)),
        widthMillimeters: width,
        distanceMillimeters: Math.round(width * 10),
      });
    }
  });
});

describe("a design that is not saved", () => {
  const measure = (body: object, by = session) =>
    by.expect(200, Scannability.strict(), "POST", "/developer/scannability", body);

  it("is measured with four addresses of the length that is asked for", async () => {
    const { images, asked } = measuring(0.9);
    const counting = await new Service({ ...real, images }).sessionIn(session.workspaceId);
    const advanced = { quietZone: 7 };
    const short = await measure({ advanced }, counting);
    expect([short.addresses, asked.map(([, , seed]) => seed)]).toEqual([4, [0, 1, 2, 3]]);
    const addresses = asked.flatMap(([drawings]) => drawings.map(({ text }) => text));
    expect(new Set(addresses).size).toBe(4);
    const long = await measure({ advanced, hashLength: 32 }, counting);
    expect(long.modules).toBeGreaterThan(short.modules);
  });

  it("says what makes it hard to read", async () => {
    // All four addresses are measured, because some of them are read well.
    const whole = await new Service({ ...real, images: env.IMAGES }).sessionIn(session.workspaceId);
    const pale = await measure({ colorConfig: { dotsColor: "#949494" } }, whole);
    expect(pale.score).toBeLessThan(100);
    expect(pale.reasons).toContain("It is hard to read in dim light.");
    expect(pale.changes[0]).toMatch(
      /^Use darker colors on a lighter background: the contrast is 3\.\d+:1\.$/,
    );
  });

  it("is measured with the logo of a template", async () => {
    const logo = dataUri(svg('<rect width="100" height="100" fill="#ff0000"/>'));
    const input = { name: "Logo", logo };
    const template = await session.expect(201, Template, "POST", "/developer/templates", input);
    expect((await measure({ templateId: template.id })).isReadable).toBe(true);
  });

  it("is hard to read on a dark surface without a quiet zone", async () => {
    // With one, a plain code has nothing to change.
    const { disturbances, changes } = await measure({ advanced: { quietZone: 0 } });
    expect(disturbances.find(({ name }) => name === "darkSurroundings")?.read).toBeLessThan(0.9);
    expect(changes[0]).toBe("Leave more empty space around the code: a quiet zone of 4 modules.");
  });

  it("is refused if it can't be drawn", async () => {
    const refused = await session.send("POST", "/developer/scannability", {
      colorConfig: { dotsColor: "#ddd" },
    });
    expect(await expectError(refused, 400, "invalid_input")).toMatch(/^colorConfig\.dotsColor /);
  });
});

describe("saving", () => {
  const low = measuring(0.5);
  const strict = new Service({ ...real, images: low.images });

  it("refuses a design below 70, with what to change; nothing is stored", async () => {
    const own = await strict.workspace();
    const refused = await own.send("POST", "/qr", { ...item(1), ...fancy(4) });
    const error = await expectError(refused, 400, "invalid_input");
    expect(error).toBe(
      "advanced makes a design that phones can't read reliably. Its score is 50, and it needs 70. Use a shorter address, which makes larger modules.",
    );
    const { id } = await own.createQr();
    const change = await own.send("PATCH", `/qr/${id}`, fancy(4));
    expect(await expectError(change, 400, "invalid_input")).toBe(error);
    const members = await strict.sessionIn(own.workspaceId);
    const template = { name: "x", ...fancy(4) };
    const saved = await members.send("POST", "/developer/templates", template);
    expect(await expectError(saved, 400, "invalid_input")).toMatch(/^advanced makes a design/);
    const stored = env.DB.prepare(
      "SELECT count(*) AS n FROM qr_codes WHERE workspace_id = ? AND advanced IS NOT NULL",
    );
    expect(await stored.bind(own.workspaceId).first("n")).toBe(0);
  });

  it("measures shape and colours, too, until an address is read too rarely", async () => {
    const before = low.calls();
    const own = await strict.workspace();
    const plain = { shape: "circle", colorConfig: { dotsColor: "navy" } };
    await expectError(await own.send("POST", "/qr", { ...item(1), ...plain }), 400, "invalid_input");
    expect(low.calls()).toBe(before + 1);
  });

  it("ends when the addresses of the designer are read well, and else goes on", async () => {
    for (const [share, quietZone, addresses] of [
      [0.9, 11, 4],
      [0.8, 12, 16],
    ] as const) {
      const counted = measuring(share);
      const own = await new Service({ ...real, images: counted.images }).workspace();
      expect((await own.createQr(fancy(quietZone))).readability).toBeNull();
      expect(counted.calls()).toBe(addresses);
    }
  });

  it("measures neither codes without a design, nor other changes, nor rows of a bulk job", async () => {
    const before = low.calls();
    const own = await strict.workspace();
    const { id } = await own.createQr({ advanced: { own: true } });
    await own.send("PATCH", `/qr/${id}`, { name: "Another" });
    const harness = new BulkHarness();
    const rows = await harness.service.client(own.workspaceId);
    const job = await harness.run(rows, await harness.json(rows, [{ ...item(1), ...fancy(5) }]));
    expect([job.successCount, low.calls()]).toEqual([1, before]);
  });
});

describe("a measurement", () => {
  it("is made once for a design and length, by whoever asks", async () => {
    const counted = measuring(0.9);
    const one = new Service({ ...real, images: counted.images });
    const own = await one.workspace();
    const codes = [await own.createQr(fancy(7)), await own.createQr(fancy(7))];
    for (const { id } of codes) expect((await measureQr(id, own)).score).toBe(90);
    expect(counted.calls()).toBe(16);
    // Another isolate has it from the cache.
    const other = new Service({ ...real, images: counted.images });
    await measureQr(codes[0]?.id ?? "", await other.client(own.workspaceId));
    expect(counted.calls()).toBe(16);
  });

  it("is limited per person; a design is saved without one then", async () => {
    const keys: string[] = [];
    const limit = async ({ key }: RateLimitOptions) => ({ success: keys.push(key) <= 1 });
    const limited = new Service({ ...real, measurementLimit: { limit }, images: measuring(0.1).images });
    const own = await limited.workspace();
    expect((await own.send("POST", "/qr", { ...item(1), ...fancy(8) })).status).toBe(400);
    const { id } = await own.createQr(fancy(9));
    const refused = await own.send("GET", `/qr/${id}/scannability`);
    await expectError(refused, 429, "rate_limited");
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(new Set(keys)).toEqual(new Set([own.keyId]));
  });

  it("needs the images Worker; a design is saved without it", async () => {
    const missing = new Service({ ...real, images: undefined });
    const own = await missing.workspace();
    const { id } = await own.createQr(fancy(10));
    const refused = await own.send("GET", `/qr/${id}/scannability`);
    expect(await expectError(refused, 503, "internal")).toBe(
      "Scannability needs the images Worker, which isn't installed here. Print a code and scan it.",
    );
  });
});

describe("the controls", () => {
  const scoreOf = async (change: (drawing: string, side: number) => string) => {
    const text = "https://qr.example.com/0a1b2c3d";
    const symbol = qrSymbol(text, "H");
    if (symbol === undefined) throw new Error("no symbol");
    const modules = symbol.side + 8;
    const drawing = svgOf(drawCode(symbol, designOf({}, "business"), { quietZone: 4 }), modules);
    const { shares } = await env.IMAGES.measure([{ svg: change(drawing, symbol.side), text }], modules);
    return 100 * Math.min(...shares);
  };
  const over = (drawing: string, shape: string) => drawing.replace("</svg>", `${shape}</svg>`);

  it("pass with a logo over an eighth", async () => {
    const logo = (side: number) => {
      const width = side * Math.sqrt(1 / 8);
      const at = 4 + (side - width) / 2;
      return `<rect x="${at}" y="${at}" width="${width}" height="${width}" fill="#c00"/>`;
    };
    expect(await scoreOf((drawing, side) => over(drawing, logo(side)))).toBeGreaterThanOrEqual(70);
  });

  it.each<[string, (drawing: string, side: number) => string]>([
    ["a contrast of 1.2:1", (drawing) => drawing.replaceAll("#000000", "#e9e9e9")],
    [
      "a logo over 40 %",
      (drawing, side) => {
        const width = side * Math.sqrt(0.41);
        const at = 4 + (side - width) / 2;
        return over(drawing, `<rect x="${at}" y="${at}" width="${width}" height="${width}" fill="#c00"/>`);
      },
    ],
    [
      "inverted eyes",
      (drawing, side) =>
        [
          [4, 4],
          [4 + side - 7, 4],
          [4, 4 + side - 7],
        ].reduce(
          (drawn, [x = 0, y = 0]) =>
            over(
              drawn,
              `<path fill="#000" d="M${x} ${y}h7v7h-7z"/><path fill="#fff" d="M${x} ${y}h7v7h-7z"/><path fill="#000" d="M${x + 1} ${y + 1}h5v5h-5z"/><path fill="#fff" d="M${x + 2} ${y + 2}h3v3h-3z"/>`,
            ),
          drawing,
        ),
    ],
  ])("fail with %s", async (_, change) => {
    expect(await scoreOf(change)).toBeLessThan(70);
  });
});
