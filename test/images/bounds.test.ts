import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { BrandLogo } from "../../src/contract/resources/images/brand.ts";
import type { Deps } from "../../src/domain/deps.ts";
import { Gate } from "../../src/images/gate.ts";
import { bounds } from "../../src/protocol/bounds.ts";
import { expectError } from "../support/endpoints.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { type Client, measurementOf, Service } from "../support/service.ts";

/** The images Worker as this service asks it, but for what a test replaces. */
const imagesWith = (methods: Partial<NonNullable<Deps["images"]>>): NonNullable<Deps["images"]> => ({
  png: (...args) => env.IMAGES.png(...args),
  checkLogo: (...args) => env.IMAGES.checkLogo(...args),
  readSvg: (...args) => env.IMAGES.readSvg(...args),
  pdf: (...args) => env.IMAGES.pdf(...args),
  disturbed: (...args) => env.IMAGES.disturbed(...args),
  measure: async (drawings) => measurementOf(drawings.length, 1),
  ...methods,
});

const logo = dataUri(svg('<rect width="100" height="100" fill="#ff0000"/>'));

describe("an SVG that takes long to draw", () => {
  it("is refused as a logo by what it paints, not by a clock, and not stored", async () => {
    const service = new Service();
    const session = await service.session();
    const stored = async () =>
      env.DB.prepare("SELECT count(*) AS n FROM logos WHERE workspace_id = ?")
        .bind(session.workspaceId)
        .first("n");
    const painting = (times: number) => dataUri(svg('<path d="M0 0h100v100H0z"/>'.repeat(times)));
    const input = (times: number) => ({ name: "A", logo: painting(times) });
    const error = "logo takes too long to draw. Use fewer or simpler elements.";
    for (const at of ["/developer/brand/logos", "/developer/templates"]) {
      expect(await expectError(await session.send("POST", at, input(101)), 400, "invalid_input")).toBe(error);
    }
    expect(await stored()).toBe(0);
    expect((await session.send("POST", "/developer/brand/logos", input(100))).status).toBe(201);
    expect(await stored()).toBe(1);
  });

  it("is a 503 if it takes the images Worker down, and not stored", async () => {
    const down = () => Promise.reject(new Error("the isolate exceeded its memory limit"));
    const broken = new Service({ images: imagesWith({ readSvg: down }) });
    const session = await broken.session();
    const refused = await session.send("POST", "/developer/brand/logos", { name: "A", logo });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await expectError(refused, 503, "internal")).toMatch(/^A new logo needs the images Worker/);
  });
});

describe("the images Worker at its bounds", () => {
  const { drawings, measurements } = bounds.imagesWorker;
  const gates = { drawings: new Gate(drawings), measurements: new Gate(measurements) };
  let release = () => {};
  let held = Promise.resolve();
  let waiting = 0;
  /** From now on, calls that pass a gate wait until they are released. */
  const close = () => {
    waiting = 0;
    held = new Promise((resolve) => {
      release = resolve;
    });
  };
  const hold = async <T>(result: T): Promise<T> => {
    waiting += 1;
    await held;
    return result;
  };
  const busy = new Service({
    images: imagesWith({
      png: () => gates.drawings.pass(() => hold(new Uint8Array([1]))),
      measure: (all) => gates.measurements.pass(() => hold(measurementOf(all.length, 1))),
    }),
  });
  let client: Client;

  beforeAll(async () => {
    client = await busy.workspace();
  });

  /** Answers to requests that wait at a gate, of which one is too many. @param path that of the nth request */
  async function answersAt(most: number, path: (n: number) => string) {
    close();
    const ask = (n: number) => client.send("GET", path(n));
    const pending = Array.from({ length: most }, (_, n) => ask(n));
    await expect.poll(() => waiting).toBe(most);
    const refused = await ask(most);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    return {
      error: await expectError(refused, 503, "internal"),
      end: async () => {
        release();
        for (const answer of await Promise.all(pending)) expect(answer.status).toBe(200);
        expect((await ask(most)).status).toBe(200);
      },
    };
  }

  it("draws fifty images at a time; the next is a 503 that says what to do, and nothing else waits", async () => {
    const session = await busy.sessionIn(client.workspaceId);
    const { id } = await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", {
      name: "A",
      logo,
    });
    const code = await client.createQr({ advanced: { logo: { id } } });
    const { error, end } = await answersAt(
      drawings,
      (n) => `/qr/${code.id}/image?format=png&size=${100 + n}`,
    );
    expect(error).toBe(
      "A PNG of this design needs the images Worker, which is temporarily unavailable. Try again in a few seconds. Use the SVG.",
    );
    expect((await busy.fetch(`/${code.hash}.svg`)).status).toBe(200);
    expect((await busy.scan(code.hash)).status).toBe(302);
    await end();
  });

  it("measures four designs at a time; the next is a 503, and can be saved", async () => {
    const codes = await Promise.all(
      Array.from({ length: measurements + 1 }, (_, quietZone) =>
        client.createQr({ advanced: { quietZone } }),
      ),
    );
    const { error, end } = await answersAt(measurements, (n) => `/qr/${codes[n]?.id}/scannability`);
    expect(error).toBe(
      "Scannability needs the images Worker, which is temporarily unavailable. Try again in a few seconds. Print a code and scan it.",
    );
    const saved = await client.send("PATCH", `/qr/${codes[0]?.id}`, { advanced: { modules: "rounded" } });
    expect(saved.status).toBe(200);
    await end();
  });
});

it("the images Worker itself refuses a measurement when four are under way and sixteen wait", async () => {
  const { measurements, waitingMeasurements } = bounds.imagesWorker;
  // A drawing so small that its pictures hardly take time to read.
  const drawing = { svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', text: "none" };
  const calls = Array.from({ length: measurements + waitingMeasurements + 1 }, () =>
    env.IMAGES.measure([drawing], 3),
  );
  const settled = await Promise.allSettled(calls);
  expect(settled.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: measurements + waitingMeasurements }, () => "fulfilled"),
    "rejected",
  ]);
});
