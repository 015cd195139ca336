import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { Deps } from "../../src/domain/deps.ts";
import { laterMeasuring } from "../../src/domain/images/unmeasured.ts";
import { runtimeTimers } from "../../src/lib/with-timeout.ts";
import { findUnmeasured } from "../../src/store/codes/unmeasured.ts";
import { BulkHarness, insertCodes, item } from "../support/bulk.ts";
import { type Client, measurementOf, Service } from "../support/service.ts";

/** The state of the images Worker: the share of pictures it reads, or whether it fails. */
interface Reading {
  share: number;
  isDown: boolean;
  /** Whether it never answers, as to a request that has ended meanwhile. */
  hangs?: boolean;
  calls: number;
}

function readingImages(reading: Reading): NonNullable<Deps["images"]> {
  return {
    png: (...args) => env.IMAGES.png(...args),
    checkLogo: (...args) => env.IMAGES.checkLogo(...args),
    readSvg: (...args) => env.IMAGES.readSvg(...args),
    pdf: (...args) => env.IMAGES.pdf(...args),
    disturbed: (...args) => env.IMAGES.disturbed(...args),
    measure: async (drawings) => {
      reading.calls += 1;
      if (reading.isDown) throw new Error("the images Worker is down");
      if (reading.hangs === true) await new Promise(() => {});
      return measurementOf(drawings.length, reading.share);
    },
  };
}

const design = (quietZone: number) => ({ advanced: { modules: "rounded" as const, quietZone } });

const readabilityOf = async (client: Client, id: string) =>
  (await client.expect(200, Qr, "GET", `/qr/${id}`)).readability;

/** A service whose images Worker a test controls, and a workspace without other codes. */
async function start(options: Partial<Reading> = {}) {
  await env.DB.prepare("UPDATE qr_codes SET readable = 1 WHERE readable IS NULL").run();
  const reading = { share: 1, isDown: false, calls: 0, ...options };
  const harness = new BulkHarness();
  const service = harness.isolate({
    images: readingImages(reading),
    // The timers of a request that has ended don't fire: only the one that ends its wait does.
    startTimer: (milliseconds, onEnd) =>
      reading.hangs !== true
        ? runtimeTimers.startTimer(milliseconds, onEnd)
        : milliseconds === limits.scannability.savingMilliseconds
          ? runtimeTimers.startTimer(50, onEnd)
          : () => {},
  });
  const sweep = () => service.worker.scheduled(undefined, env);
  return { reading, harness, service, sweep, client: await service.workspace() };
}

describe("a design that can't be measured when it is saved", () => {
  it("is stored as such and measured later", async () => {
    const { reading, sweep, client, harness } = await start({ isDown: true });
    const { id, readability } = await client.createQr(design(1));
    const plain = await client.createQr();
    await client.expect(200, Qr, "PATCH", `/qr/${plain.id}`, { colorConfig: { dotsColor: "navy" } });
    expect([readability, await readabilityOf(client, plain.id)]).toEqual(["unmeasured", "unmeasured"]);
    await sweep();
    expect(await readabilityOf(client, id)).toBe("unmeasured");
    reading.isDown = false;
    harness.clock.advance(laterMeasuring.retryMilliseconds);
    await sweep();
    expect([await readabilityOf(client, id), await readabilityOf(client, plain.id)]).toEqual([null, null]);
  });

  it("is measured anew if the request that saved it ended while it was measured", async () => {
    const { reading, sweep, client } = await start({ hangs: true });
    const { id, readability } = await client.createQr(design(1));
    expect([readability, reading.calls]).toEqual(["unmeasured", 1]);
    reading.hangs = false;
    await sweep();
    expect(await readabilityOf(client, id)).toBeNull();
  });

  it("is marked if it can't be read then; another design takes the mark away", async () => {
    const { reading, sweep, client } = await start({ isDown: true });
    const { id } = await client.createQr(design(2));
    Object.assign(reading, { isDown: false, share: 0.5 });
    await sweep();
    expect(await readabilityOf(client, id)).toBe("unreadable");
    await client.expect(200, Qr, "PATCH", `/qr/${id}`, { name: "Still" });
    expect(await readabilityOf(client, id)).toBe("unreadable");
    reading.share = 1;
    await client.expect(200, Qr, "PATCH", `/qr/${id}`, design(3));
    expect(await readabilityOf(client, id)).toBeNull();
  });

  it("is stored where measuring is limited, and where there is no images Worker", async () => {
    const limit = async () => ({ success: false });
    for (const overrides of [{ measurementLimit: { limit } }, { images: undefined }]) {
      const client = await new Service(overrides).workspace();
      expect((await client.createQr(design(4))).readability).toBe("unmeasured");
    }
  });

  it("is stored after a few seconds, with further addresses to measure, or while one is being measured", async () => {
    const { reading, harness } = await start({ share: 0.8 });
    const images = readingImages(reading);
    const slow: typeof images.measure = (...args) => {
      harness.clock.advance(limits.scannability.savingMilliseconds / 2);
      return images.measure(...args);
    };
    const client = await harness.isolate({ images: { ...images, measure: slow } }).workspace();
    expect((await client.createQr(design(8))).readability).toBe("unmeasured");
    expect(reading.calls).toBe(2);

    const startTimer: Deps["startTimer"] = (milliseconds, onEnd) => {
      if (milliseconds === limits.scannability.savingMilliseconds) queueMicrotask(onEnd);
      return () => {};
    };
    const other = await new Service({ images, startTimer }).workspace();
    expect((await other.createQr(design(9))).readability).toBe("unmeasured");
  });
});

describe("the sweep", () => {
  it("measures again after a minute where measuring was limited", async () => {
    const { reading, harness } = await start();
    let success = false;
    const measurementLimit = { limit: async () => ({ success }) };
    const service = harness.isolate({ images: readingImages(reading), measurementLimit });
    const client = await service.workspace();
    const { id } = await client.createQr(design(10));
    for (const limited of [true, false]) {
      success = !limited;
      await service.worker.scheduled(undefined, env);
      expect(await readabilityOf(client, id)).toBe("unmeasured");
    }
    harness.clock.advance(laterMeasuring.pauseMilliseconds);
    await service.worker.scheduled(undefined, env);
    expect(await readabilityOf(client, id)).toBeNull();
  });

  it("doesn't judge a design by the one that it measured meanwhile", async () => {
    const { reading, harness } = await start({ isDown: true });
    const images = readingImages(reading);
    const measure: typeof images.measure = async (...args) => {
      const measured = await images.measure(...args);
      if (reading.share < 1) {
        Object.assign(reading, { share: 1, isDown: true });
        await client.expect(200, Qr, "PATCH", `/qr/${id}`, design(12));
        reading.isDown = false;
      }
      return measured;
    };
    const service = harness.isolate({ images: { ...images, measure } });
    const client = await service.workspace();
    const { id } = await client.createQr(design(11));
    Object.assign(reading, { isDown: false, share: 0.5 });
    await service.worker.scheduled(undefined, env);
    expect(await readabilityOf(client, id)).toBeNull();
  });

  it("measures the rows of a bulk job, each design once", async () => {
    const { reading, sweep, client, harness } = await start();
    const rows = Array.from({ length: 5 }, (_, i) => ({ ...item(i), ...design(5 + (i % 2)) }));
    const job = await harness.run(client, await harness.json(client, rows));
    const ids = job.items.map(({ createdQrId }) => createdQrId ?? "");
    const all = () => Promise.all(ids.map((id) => readabilityOf(client, id)));
    expect(await all()).toEqual(Array(5).fill("unmeasured"));
    expect(reading.calls).toBe(0);
    await sweep();
    expect(await all()).toEqual(Array(5).fill(null));
    expect(reading.calls).toBe(2 * 4);
  });

  it("marks stored codes by the rules of today, without measuring", async () => {
    const { reading, sweep, client } = await start();
    const { id } = await client.createQr();
    const before = reading.calls;
    await env.DB.prepare("UPDATE qr_codes SET color_config = ?, readable = NULL WHERE id = ?")
      .bind(JSON.stringify({ backgroundColor: "royalblue" }), id)
      .run();
    await sweep();
    expect([await readabilityOf(client, id), reading.calls]).toEqual(["unreadable", before]);
  });

  it("gives every workspace its turn, and measures a bounded number of designs", async () => {
    const { reading, sweep, service, client } = await start();
    await insertCodes(client, 40);
    await env.DB.prepare(
      `UPDATE qr_codes SET color_config = json_object('dotsColor', '#0000' || (9 + row)), readable = NULL
       FROM (SELECT id AS code, row_number() OVER () AS row FROM qr_codes WHERE workspace_id = ?)
       WHERE id = code`,
    )
      .bind(client.workspaceId)
      .run();
    const other = await service.workspace();
    reading.isDown = true;
    const { id } = await other.createQr(design(7));
    Object.assign(reading, { isDown: false, calls: 0 });
    await sweep();
    expect(reading.calls).toBe(4 * laterMeasuring.designs);
    expect(await readabilityOf(other, id)).toBeNull();
  });
});

it("every workspace has its turn, however many wait", async () => {
  const { service } = await start({ isDown: true });
  const waiting = new Set<string>();
  for (const quietZone of [5, 6, 7]) {
    const client = await service.workspace();
    await client.createQr(design(quietZone));
    waiting.add(client.workspaceId);
  }
  // Fewer than wait.
  const examined = 2;
  for (let looks = 0; looks < 200 && waiting.size > 0; looks += 1) {
    for (const { row } of await findUnmeasured(env.DB, Date.now(), 1, examined))
      waiting.delete(row.workspaceId);
  }
  expect(waiting).toEqual(new Set());
});
