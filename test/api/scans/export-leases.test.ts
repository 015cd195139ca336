import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { stallTimeout } from "../../../src/lib/web/stream-of.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { goodItems } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import { makePage } from "../../support/hosted-pages.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, FakeClock, Service } from "../../support/service.ts";

const clock = new FakeClock();
/** The timers that run, by what they do at their ends. */
const timers = new Map<() => void, number>();
const isolate = () =>
  new Service({
    now: clock.now,
    startTimer: (milliseconds, onEnd) => {
      timers.set(onEnd, milliseconds);
      return () => timers.delete(onEnd);
    },
  });

const service = isolate();
const another = isolate();
let client: Client;
/** Exports that have begun. The runtime cancels one whose body nothing refers to any more. */
const begun: Response[] = [];

beforeEach(async () => {
  begun.length = 0;
  client = await service.workspace();
  await fill(client, 8000);
  timers.clear();
});

/** Stores scans: some megabytes, of which a reader that takes a block leaves most unread. */
async function fill({ workspaceId }: Client, scans: number): Promise<void> {
  const at = clock.now();
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
  await ledger.recordScans(packed(scanRecord({ workspaceId, at })), at);
  await runInDurableObject(ledger, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO scans (id, code, agent, place)
       SELECT unhex(printf('%012x7000800000%010x', ?, i)), 1, 1, 1 FROM n`,
      scans,
      at - 1000,
    );
  });
}

async function begin(by = service): Promise<Response> {
  const response = await by.fetch("/api/v1/scans/export", {
    headers: { authorization: `Bearer ${client.key}` },
  });
  begun.push(response);
  return response;
}

/** Begins as many exports as a workspace may have, in two isolates. */
async function beginAll(): Promise<ReadableStreamDefaultReader<Uint8Array>[]> {
  const readers: ReadableStreamDefaultReader<Uint8Array>[] = [];
  for (let i = 0; i < limits.exports; i += 1) {
    const { status, body } = await begin(i % 2 === 0 ? service : another);
    expect(status).toBe(200);
    if (body !== null) readers.push(body.getReader());
  }
  return readers;
}

/** Reads to the end. @returns the lengths of the blocks */
async function finish(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<number[]> {
  const lengths: number[] = [];
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    lengths.push(next.value.length);
  }
  return lengths;
}

describe("a workspace's exports", () => {
  it("are a few at a time, in all isolates: one more is answered 429, and has room when one has ended", async () => {
    const [first, second] = await beginAll();
    const over = await begin();
    expect(over.headers.get("retry-after")).toBe("30");
    expect(await expectError(over, 429, "rate_limited")).toContain(`at most ${limits.exports} exports`);
    const other = await service.workspace();
    expect((await other.send("GET", "/scans/export")).status).toBe(200);

    expect(Math.max(...(await finish(first)))).toBe(64 * 1024);
    expect((await begin(another)).status).toBe(200);
    expect((await begin()).status).toBe(429);
    await second?.cancel();
    expect((await begin()).status).toBe(200);
    expect((await begin(another)).status).toBe(429);
  });

  it("make room when their isolates have died, and keep their places while they are read", async () => {
    const [reader] = await beginAll();
    for (let i = 0; i < 3; i += 1) {
      clock.advance(bounds.exportLease / 2);
      await reader?.read();
      await reader?.read();
    }
    for (let i = 1; i < limits.exports; i += 1) expect((await begin()).status).toBe(200);
    expect((await begin()).status).toBe(429);
  });

  it("end if their clients read nothing, and make room at once", async () => {
    const readers = await beginAll();
    const stalled = () => [...timers].filter(([, milliseconds]) => milliseconds === stallTimeout);
    await expect.poll(stalled).toHaveLength(limits.exports);
    for (const [end] of stalled()) end();
    await expect(finish(readers[0])).rejects.toThrow("read nothing");
    await expect.poll(async () => (await begin()).status).toBe(200);
  });

  it("are not begun by HEAD", async () => {
    for (let i = 0; i < 2 * limits.exports; i += 1) {
      expect((await client.send("HEAD", "/scans/export")).status).toBe(200);
    }
  });

  it("of submissions and the results of bulk jobs count too", async () => {
    const session = await service.sessionIn(client.workspaceId);
    const { id: pageId } = await makePage({ client, session });
    const job = await client.expect(202, BulkJob, "POST", "/qr/bulk", { items: goodItems(1) });
    const authorization = `Bearer ${client.key}`;
    const { cookie } = session;
    const downloads: [string, Record<string, string>][] = [
      [`/api/v1/qr/bulk/${job.jobId}/download`, { authorization }],
      [`/api/v1/developer/pages/${pageId}/submissions/export`, { cookie }],
      [`/dashboard/jobs/${job.jobId}/results.csv`, { cookie }],
      [`/dashboard/pages/${pageId}/submissions/export`, { cookie }],
    ];
    const statuses = async () => {
      const answers: number[] = [];
      for (const [path, headers] of downloads) {
        const response = await service.fetch(path, { headers });
        await response.text();
        answers.push(response.status);
      }
      return answers;
    };
    // Each ends before the next begins.
    for (let i = 0; i < 2; i += 1) expect(await statuses()).toEqual([200, 200, 200, 200]);
    await beginAll();
    expect(await statuses()).toEqual([429, 429, 429, 429]);
  });
});
