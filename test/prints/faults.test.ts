import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { PrintJob } from "../../src/contract/resources/images/prints.ts";
import type { Deps } from "../../src/domain/deps.ts";
import { printJobs } from "../../src/domain/print/kind.ts";
import { stagingSeconds } from "../../src/domain/print/pace.ts";
import { bucketWith, inSlice, objectsOf, SlicedPrintHarness } from "../support/images/prints.ts";
import { sample } from "../support/runner/runs.ts";
import type { Client } from "../support/service.ts";

const harness = new SlicedPrintHarness();
const codes = inSlice + 1;
const retrySeconds = printJobs.retryAfter(1);

/** Starts a job, of two slices and its end. */
async function start(kind: PrintJob["kind"] = "images", body: object = {}) {
  const client = await harness.workspaceWith(codes);
  const job = await harness.start(client, kind, { filter: {}, ...body });
  return { client, job };
}

/** Whether the archive of a job has each of its codes once. */
async function expectWhole(client: Client, job: PrintJob): Promise<void> {
  expect(await harness.job(client, job)).toMatchObject({ status: "completed", successCount: codes });
  const { files, rows } = await harness.archive(client, job);
  expect(files.size).toBe(codes);
  expect(new Set(rows.map(([, scanUrl]) => scanUrl)).size).toBe(codes);
}

/** A bucket that hangs at the first object after some, as if the isolate that uses it had been killed. */
function mortalBucket(objects: number): { files: R2Bucket; died: Promise<void> } {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  let left = objects;
  const put = async (...args: Parameters<R2Bucket["put"]>) => {
    if (left === 0) {
      die();
      return new Promise(() => {});
    }
    left -= 1;
    return env.FILES.put(...args);
  };
  return { files: bucketWith({ put }), died };
}

const refuse = () => Promise.reject(new Error("refused"));

const imagesWith = (methods: Partial<Deps["images"]>): Deps["images"] =>
  ({ ...harness.service.deps.images, ...methods }) as Deps["images"];

describe("a message of the queue", () => {
  it("that is delivered twice, also at once, draws nothing twice", async () => {
    const { client, job } = await start();
    while (harness.prints.length > 0) {
      const messages = harness.prints.splice(0);
      await Promise.all([harness.print(messages), harness.print(messages, harness.isolate())]);
      await harness.print(messages);
    }
    await expectWhole(client, job);
  });

  it("that is lost is sent again by the sweep", async () => {
    const { client, job } = await start();
    harness.prints.length = 0;
    await harness.sweep();
    await harness.printSlices();
    harness.printsAreDown = true;
    await harness.print([{ workspaceId: client.workspaceId }]);
    harness.printsAreDown = false;
    await harness.sweep();
    await harness.printAll();
    await expectWhole(client, job);
  });
});

describe("a worker that dies", () => {
  it.each(sample([0, 1, 2, 3, 4, 5], 2))(
    "after it has stored %d objects is followed by another",
    async (objects) => {
      const { client, job } = await start();
      const { files, died } = mortalBucket(objects);
      const mortal = harness.isolate({ files });
      await Promise.race([harness.printAll(mortal), died]);
      harness.prints.length = 0;
      const before = await harness.job(client, job);
      await harness.sweep();
      await harness.printAll();
      expect(await harness.job(client, job)).toEqual(before);
      harness.clock.advance(printJobs.leaseSeconds * 1000);
      await harness.sweep();
      await harness.printAll();
      await expectWhole(client, job);
    },
  );

  it("is followed by another also if the sweep's message for that one comes a moment too early", async () => {
    const { client } = await start();
    const { files, died } = mortalBucket(0);
    await Promise.race([harness.printAll(harness.isolate({ files })), died]);
    harness.prints.length = 0;
    const deliver = () => harness.service.consume("prints", [{ body: { workspaceId: client.workspaceId } }]);
    // While the worker may live, its own messages follow.
    expect((await deliver()).retryMessages).toEqual([]);
    harness.clock.advance((printJobs.leaseSeconds - 1) * 1000);
    expect((await deliver()).retryMessages).toHaveLength(1);
  });

  it("and is only slow stores nothing more once another has its job", async () => {
    const { client, job } = await start();
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    const { promise: waiting, resolve: wait } = Promise.withResolvers<void>();
    const put = async (...args: Parameters<R2Bucket["put"]>) => {
      wait();
      await resumed;
      return env.FILES.put(...args);
    };
    const slow = harness.printSlices(harness.isolate({ files: bucketWith({ put }) }));
    await waiting;
    harness.clock.advance(printJobs.leaseSeconds * 1000);
    await harness.sweep();
    await harness.printAll();
    resume();
    await slow;
    await expectWhole(client, job);
    // The list of codes, and two objects for each of three parts.
    expect(await objectsOf(job)).toHaveLength(7);
  });

  it("leaves its job to another within half a minute, and keeps it while it draws, however long", async () => {
    expect(printJobs.leaseSeconds).toBeLessThanOrEqual(30);
    const { client, job } = await start();
    let drawn = 0;
    const slow = harness.isolate({
      printSlice: { ...harness.service.deps.printSlice, milliseconds: 600_000 },
      pause: async () => {
        drawn += 1;
        harness.clock.advance((printJobs.leaseSeconds * 1000) / 2);
        // The sweep would offer it to another worker.
        await harness.sweep();
        await harness.printSlices();
      },
    });
    await harness.printSlices(slow);
    expect(drawn).toBeGreaterThan(2);
    expect((await harness.job(client, job)).successCount).toBe(inSlice);
    await harness.printAll();
    await expectWhole(client, job);
  });

  it("each time ends the job as failed", async () => {
    const { client, job } = await start();
    for (let attempt = 0; attempt < printJobs.maxAttempts; attempt += 1) {
      const { files, died } = mortalBucket(0);
      await Promise.race([harness.printAll(harness.isolate({ files })), died]);
      harness.clock.advance(printJobs.leaseSeconds * 1000);
      await harness.sweep();
    }
    await harness.printAll();
    expect(await harness.job(client, job)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("Something went wrong on our side"),
    });
  });
});

describe("a store that refuses", () => {
  it("the list of codes is answered with 503, and leaves nothing", async () => {
    const client = await harness.workspaceWith(1);
    const other = harness.isolate({ files: bucketWith({ put: refuse }) });
    const refused = await (await other.client(client.workspaceId)).send("POST", "/qr/images/jobs", {
      filter: {},
    });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    harness.clock.advance(stagingSeconds * 1000);
    await harness.sweep();
    const left = await env.DB.prepare("SELECT count(*) AS n FROM print_jobs WHERE workspace_id = ?")
      .bind(client.workspaceId)
      .first<number>("n");
    expect(left).toBe(0);
  });

  it("parts for a while delays a job", async () => {
    const { client, job } = await start();
    await harness.printSlices(harness.isolate({ files: bucketWith({ put: refuse }) }));
    expect((await harness.job(client, job)).error).toBeNull();
    await harness.printAll();
    expect(await harness.job(client, job)).toMatchObject({ status: "queued", successCount: 0 });
    harness.clock.advance(retrySeconds * 1000);
    await harness.sweep();
    await harness.printAll();
    await expectWhole(client, job);
  });

  it("to read a file is answered with 503", async () => {
    const { client, job } = await start();
    await harness.printAll();
    const other = harness.isolate({ files: bucketWith({ head: refuse }) });
    const refused = await harness.file(await other.client(client.workspaceId), job);
    expect(refused.status).toBe(503);
  });

  it("isn't there: up to 100 codes work, and more are answered with what does", async () => {
    const client = await harness.workspaceWith(101);
    const bare = harness.isolate({ files: undefined });
    const own = await bare.client(client.workspaceId);
    const refused = await own.send("POST", "/qr/images/jobs", { filter: {} });
    expect([refused.status, await refused.json()]).toEqual([
      503,
      {
        code: "internal",
        error:
          "Print jobs need file storage (R2), which isn't set up here. Up to 100 QR codes at once can be printed without it.",
      },
    ]);
    const few = await own.send("POST", "/qr/images", { filter: { q: "Item 10" } });
    expect([few.status, (await few.arrayBuffer()).byteLength > 1000]).toEqual([200, true]);
  });
});

describe("without the images Worker", () => {
  const options = { format: "pdf" };

  it("a job waits longer from attempt to attempt, and goes on when it is back", async () => {
    const { client, job } = await start("images", options);
    const down = harness.isolate({ images: imagesWith({ pdf: refuse, png: refuse }) });
    await harness.printSlices(down);
    harness.clock.advance(retrySeconds * 1000);
    await harness.printSlices(down);
    const up = harness.isolate({ images: imagesWith({ pdf: async () => new Uint8Array(8) }) });
    harness.clock.advance(retrySeconds * 1000);
    await harness.sweep();
    await harness.printAll(up);
    expect(await harness.job(client, job)).toMatchObject({ status: "queued", successCount: 0 });
    harness.clock.advance(retrySeconds * 1000);
    await harness.sweep();
    await harness.printAll(up);
    await expectWhole(client, job);
  });

  it("for long it ends as failed, says so, and lets the next one run", async () => {
    const { client, job } = await start("labels", { format: "L7160" });
    const next = await harness.start(client, "images", { filter: {} });
    const down = harness.isolate({ images: imagesWith({ pdf: refuse, png: refuse }) });
    for (let attempt = 0; attempt < printJobs.maxAttempts; attempt += 1) {
      expect((await harness.job(client, job)).status).toBe("queued");
      await harness.printSlices(down);
      harness.clock.advance(printJobs.retryAfter(printJobs.maxAttempts) * 1000);
    }
    expect(await harness.job(client, job)).toMatchObject({
      status: "failed",
      error:
        "The images Worker was unavailable for too long, so the job couldn't finish. Start it again later.",
    });
    await harness.printAll(down);
    await expectWhole(client, next);
    await harness.sweep();
    expect(await objectsOf(job)).toEqual([]);
  });

  it("a code that it can't draw, while it draws others, fails alone", async () => {
    const { client, job } = await start("images", options);
    let drawn = 0;
    const pdf = async () => {
      drawn += 1;
      // The third code, tried twice.
      if (drawn === 3 || drawn === 4) throw new Error("broken");
      return new Uint8Array(8);
    };
    await harness.printAll(harness.isolate({ images: imagesWith({ pdf }) }));
    expect(await harness.job(client, job)).toMatchObject({
      status: "completed",
      successCount: codes - 1,
      failureCount: 1,
    });
    const { rows } = await harness.archive(client, job);
    expect(rows[2]?.slice(2)).toEqual(["", expect.stringContaining("A PDF needs the images Worker"), ""]);
  });

  it("that is not installed, PDFs are refused, and other images drawn", async () => {
    const client = await harness.workspaceWith(1);
    const bare = harness.isolate({ images: undefined });
    const own = await bare.client(client.workspaceId);
    for (const [path, body] of [
      ["images", options],
      ["labels", { format: "L7160" }],
    ] as const) {
      const refused = await own.send("POST", `/qr/${path}/jobs`, { filter: {}, ...body });
      expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
        503,
        expect.stringContaining("isn't installed here"),
      ]);
    }
    const job = await harness.start(own, "images", { filter: {}, format: "png" });
    await harness.printAll(bare);
    expect(await harness.job(client, job)).toMatchObject({ status: "completed", successCount: 1 });
  });
});

describe("a job that is cancelled", () => {
  it("stops, says so, and leaves nothing", async () => {
    const { client, job } = await start();
    await harness.printSlices();
    expect((await client.send("DELETE", `/qr/print-jobs/${job.jobId}`)).status).toBe(200);
    expect(await harness.job(client, job)).toMatchObject({
      status: "cancelled",
      successCount: inSlice,
      fileExpiresAt: null,
    });
    await harness.printAll();
    expect((await harness.job(client, job)).successCount).toBe(inSlice);
    expect((await harness.file(client, job)).status).toBe(404);
    await harness.sweep();
    expect(await objectsOf(job)).toEqual([]);
  });

  it("while a worker draws stores nothing of what that had begun", async () => {
    const { client, job } = await start();
    const put = async (...args: Parameters<R2Bucket["put"]>) => {
      await client.send("DELETE", `/qr/print-jobs/${job.jobId}`);
      return env.FILES.put(...args);
    };
    await harness.printAll(harness.isolate({ files: bucketWith({ put }) }));
    expect(await harness.job(client, job)).toMatchObject({ status: "cancelled", successCount: 0 });
    harness.clock.advance(printJobs.leaseSeconds * 1000);
    await harness.sweep();
    expect(await objectsOf(job)).toEqual([]);
  });
});

describe("labels that are printed at once", () => {
  it("are drawn for a few requests of a workspace at a time", async () => {
    const client = await harness.workspaceWith(1);
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    let drawing = 0;
    const pdf = async () => {
      drawing += 1;
      await resumed;
      return new Uint8Array(8);
    };
    const slow = await harness.isolate({ images: imagesWith({ pdf }) }).client(client.workspaceId);
    const print = () => slow.send("POST", "/qr/labels", { filter: {}, format: "L7160" });
    const five = Array.from({ length: 5 }, print);
    await expect.poll(() => drawing).toBe(5);
    expect((await print()).status).toBe(429);
    resume();
    for (const each of await Promise.all(five)) expect(each.status).toBe(200);
    expect((await print()).status).toBe(200);
  });
});
