import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { BulkJob, BulkJobWithItems } from "../../src/contract/bulk.ts";
import { Folder } from "../../src/contract/folders.ts";
import type { BulkChunk } from "../../src/contract/messages.ts";
import { Qr, QrList } from "../../src/contract/qr.ts";
import { type Client, PlayedClock, Service } from "../support/service.ts";

const clock = new PlayedClock();
/** The bulk queue, with its messages held until they are run. */
const held: BulkChunk[] = [];
let queueIsAway = false;
const service = new Service({
  now: clock.now,
  bulkQueue: {
    sendBatch: async (messages: Iterable<MessageSendRequest<BulkChunk>>) => {
      if (queueIsAway) throw new Error("queue is away");
      for (const message of messages) held.push(message.body);
    },
  } as unknown as Queue<BulkChunk>,
});
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

/** Delivers chunks to the consumer. */
async function deliver(chunks: readonly BulkChunk[]) {
  const messages = chunks.map((body, i) => ({ id: `${i}`, timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch("bulk", messages);
  await service.worker.queue(batch, env);
  return getQueueResult(batch, createExecutionContext());
}

const csv = (text: string | Uint8Array, from = client, headers = {}) =>
  from.send("POST", "/qr/bulk", text, { "content-type": "text/csv", ...headers });
const json = (items: unknown, from = client) => from.send("POST", "/qr/bulk", { items });
const read = (jobId: string, from = client) => from.expect(200, BulkJobWithItems, "GET", `/qr/bulk/${jobId}`);
const accepted = async (response: Response) => {
  const body = await response.json();
  expect({ status: response.status, body }).toEqual({ status: 202, body: expect.anything() });
  return BulkJob.parse(body);
};
/** Stages and runs a job to its end. */
async function run(response: Response, from = client) {
  const { jobId } = await accepted(response);
  await deliver(held.splice(0));
  return read(jobId, from);
}
const item = (i: number) => ({
  name: `Item ${i}`,
  qrType: "url",
  data: { type: "url", url: `example.com/${i}` },
});
const outbox = async (kind: string, workspaceId = client.workspaceId) =>
  (
    await env.DB.prepare("SELECT data FROM outbox WHERE kind = ? AND workspace_id = ?")
      .bind(kind, workspaceId)
      .all<{ data: string }>()
  ).results.map((row) => JSON.parse(row.data));

describe("a job", () => {
  it("is queued, then moves, then is completed, with one event", async () => {
    const own = await service.workspace();
    const staged = await accepted(
      await json(
        Array.from({ length: 1200 }, (_, i) => item(i)),
        own,
      ),
    );
    expect(staged).toMatchObject({ status: "queued", totalItems: 1200, successCount: 0, failureCount: 0 });
    expect((await read(staged.jobId, own)).items.every((row) => row.status === "pending")).toBe(true);

    const [first, ...rest] = held.splice(0);
    expect(rest).toHaveLength(2);
    await deliver([first as BulkChunk]);
    expect(await read(staged.jobId, own)).toMatchObject({ status: "processing", successCount: 500 });
    expect(await outbox("bulk.completed", own.workspaceId)).toEqual([]);

    clock.advance(60_000);
    await deliver(rest);
    const { items, ...done } = await read(staged.jobId, own);
    expect(done).toEqual({
      ...staged,
      status: "completed",
      successCount: 1200,
      completedAt: new Date(clock.now()).toISOString(),
    });
    expect(items.map((row) => row.rowIndex)).toEqual([...Array(1200).keys()]);
    expect(await outbox("bulk.completed", own.workspaceId)).toEqual([done]);
    expect(await outbox("qr.created", own.workspaceId)).toHaveLength(1200);
    const qr = await own.expect(200, Qr, "GET", `/qr/${items[7]?.createdQrId}`);
    expect(qr).toMatchObject({ name: "Item 7", hash: items[7]?.createdQrHash, status: "active" });
    expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://example.com/7");
  });

  it("creates nothing twice when chunks come twice, also at the same time", async () => {
    const own = await service.workspace();
    const { jobId } = await accepted(
      await json(
        Array.from({ length: 600 }, (_, i) => item(i)),
        own,
      ),
    );
    const chunks = held.splice(0);
    await Promise.all([deliver(chunks), deliver(chunks), deliver(chunks)]);
    await deliver(chunks);
    const job = await read(jobId, own);
    expect(job).toMatchObject({ status: "completed", successCount: 600, failureCount: 0 });
    const row = await env.DB.prepare("SELECT count(*) AS n FROM qr_codes WHERE workspace_id = ?")
      .bind(own.workspaceId)
      .first();
    expect(row).toEqual({ n: 600 });
    expect(await outbox("qr.created", own.workspaceId)).toHaveLength(600);
    expect(await outbox("bulk.completed", own.workspaceId)).toHaveLength(1);
  });

  it("is taken up again after ten minutes when its messages were lost", async () => {
    queueIsAway = true;
    const { jobId } = await accepted(await json([item(1)]));
    queueIsAway = false;
    expect(held).toEqual([]);
    clock.advance(10 * 60_000);
    await service.worker.scheduled(undefined, env);
    expect(held).toEqual([]);
    clock.advance(1);
    await service.worker.scheduled(undefined, env);
    await service.worker.scheduled(undefined, env);
    await deliver(held.splice(0));
    expect(await read(jobId)).toMatchObject({ status: "completed", successCount: 1 });
  });

  it("is retried as a whole chunk when the catalogue fails under it", async () => {
    const { jobId } = await accepted(await json([item(1), item(2)]));
    const chunks = held.splice(0);
    const broken = new Service({
      db: {
        ...env.DB,
        prepare: env.DB.prepare.bind(env.DB),
        batch: () => Promise.reject(new Error("D1 is away")),
      } as unknown as D1Database,
    });
    const batch = createMessageBatch("bulk", [
      { id: "1", timestamp: new Date(), attempts: 1, body: chunks[0] },
    ]);
    await broken.worker.queue(batch, env);
    expect((await getQueueResult(batch, createExecutionContext())).retryMessages).toHaveLength(1);
    expect(await read(jobId)).toMatchObject({ status: "queued", successCount: 0 });
    await deliver(chunks);
    expect(await read(jobId)).toMatchObject({ status: "completed", successCount: 2 });
  });

  it("repeats its first answer to the same Idempotency-Key", async () => {
    const headers = { "idempotency-key": "bulk-1" };
    const first = await accepted(await csv("url\nexample.com\n", client, headers));
    expect(await accepted(await csv("url\nexample.com\n", client, headers))).toEqual(first);
    expect((await csv("url\nexample.org\n", client, headers)).status).toBe(400);
    expect(held.splice(0)).toHaveLength(1);
  });

  it("holds the cap on live codes with two jobs at once", async () => {
    const own = await service.workspace("pro");
    await env.DB.prepare("UPDATE workspaces SET live_codes = 4900 WHERE id = ?").bind(own.workspaceId).run();
    const jobs = [];
    for (let i = 0; i < 2; i += 1)
      jobs.push(
        await accepted(
          await json(
            Array.from({ length: 80 }, (_, n) => item(n)),
            own,
          ),
        ),
      );
    await Promise.all(held.splice(0).map((chunk) => deliver([chunk])));
    const done = await Promise.all(jobs.map((job) => read(job.jobId, own)));
    expect(done.map((job) => job.status)).toEqual(["completed", "completed"]);
    expect(done.reduce((sum, job) => sum + job.successCount, 0)).toBe(100);
    expect(done.reduce((sum, job) => sum + job.failureCount, 0)).toBe(60);
    const refused = done.flatMap((job) => job.items).find((row) => row.status === "failed");
    expect(refused?.error).toContain("Pro allows 5000 live QR codes");
  });
});

describe("rows of a spreadsheet", () => {
  it("are read with a BOM, CRLF, quotes, line breaks in cells, umlauts and emoji", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "Sheet" });
    const job = await run(
      await csv(
        `\ufeffName,URL,Tags,folderId,shape,dotsColor\r\n` +
          `"Käse, ""groß""\r\nund 🍕",example.com/1,rot|grün,${folder.id},circle,#fff\r\n` +
          `Plain,https://example.com/2,,,,\r\n\r\n`,
      ),
    );
    expect(job).toMatchObject({ status: "completed", totalItems: 2, successCount: 2 });
    const qr = await client.expect(200, Qr, "GET", `/qr/${job.items[0]?.createdQrId}`);
    expect(qr).toMatchObject({ name: 'Käse, "groß"\r\nund 🍕', tags: ["rot", "grün"], folderId: folder.id });
  });

  it("may be separated by semicolons or tabs, as some spreadsheets do", async () => {
    expect(await run(await csv("name;url\nA;example.com\n"))).toMatchObject({ successCount: 1 });
    expect(await run(await csv("name\turl\nA\texample.com\n"))).toMatchObject({ successCount: 1 });
  });

  it("fail alone, and say which column, what is wrong, what would be right", async () => {
    const other = await service.workspace();
    const foreign = await other.expect(201, Folder, "POST", "/folders", { name: "Theirs" });
    const rows: [string, RegExp | null][] = [
      ["A,example.com,", null],
      ["B,,", /^url: is empty; give an address such as/],
      ["C,javascript:alert(1),", /^url: must be an http or https address/],
      [`D,example.com,${foreign.id}`, /^folderId: is not a folder of this workspace/],
      ["E,example.com,nonsense", /^folderId: must be the id of a folder/],
      ["F,example.com", /^the row has 2 cells, the header has 3/],
      [`${"x".repeat(201)},example.com,`, /^name: must be at most 200 characters/],
      ["G,http://localhost:8787/x,", /^url: must not lead back to this service/],
      ["H,example.org,", null],
    ];
    const job = await run(await csv(`name,url,folderId\n${rows.map(([row]) => row).join("\n")}\n`));
    expect(job).toMatchObject({ status: "completed", totalItems: 9, successCount: 2, failureCount: 7 });
    for (const [i, [row, error]] of rows.entries()) {
      const outcome = job.items[i];
      expect([row, outcome?.status]).toEqual([row, error === null ? "succeeded" : "failed"]);
      if (error !== null) expect(outcome?.error).toMatch(error);
    }
  });

  it("of JSON fail alone too", async () => {
    const job = await run(
      await json([
        item(1),
        null,
        7,
        { ...item(2), name: "x".repeat(201) },
        { qrType: "url" },
        { ...item(3), qrType: "vcard" },
      ]),
    );
    expect(job).toMatchObject({ successCount: 1, failureCount: 5 });
    expect(job.items[3]?.error).toMatch(/^name: /);
    expect(job.items[4]?.error).toMatch(/^data/);
  });

  it("that all fail complete the job all the same", async () => {
    const job = await run(await csv("url\nnope\n"));
    expect(job).toMatchObject({ status: "completed", successCount: 0, failureCount: 1 });
  });
});

describe("a request that is refused", () => {
  const utf8 = new TextEncoder();
  const cases: [string, string | Uint8Array, RegExp][] = [
    ["nothing at all", "", /is empty/],
    ["only a header", "name,url\n", /no rows/],
    ["no header", "Menu,https://example.com\n", /unknown column Menu/],
    ["an unknown column", "name,url,colour\nA,example.com,red\n", /unknown column colour/],
    ["a column twice", "url,name,URL\na.example,A,b.example\n", /url twice/],
    ["no url column", "name\nA\n", /lacks the column url/],
    ["an unclosed quote", 'name,url\n"A,example.com\nB,example.com\n', /quote/],
    [
      "UTF-16",
      new Uint8Array([0xff, 0xfe, ...[..."url\na.example\n"].flatMap((char) => [char.charCodeAt(0), 0])]),
      /UTF-8/,
    ],
    [
      "UTF-16 without a mark",
      new Uint8Array([..."url\na.example\n"].flatMap((char) => [char.charCodeAt(0), 0])),
      /NUL/,
    ],
    ["Latin-1", new Uint8Array([...utf8.encode("url,name\na.example,K"), 0xe4, 0x0a]), /UTF-8/],
    ["NUL bytes", "url\na.example/\0\n", /NUL/],
    ["10 001 rows", `url\n${"a.example\n".repeat(10_001)}`, /10000/],
  ];
  it.each(cases)("%s", async (_, text, error) => {
    const before = await env.DB.prepare("SELECT count(*) AS n FROM bulk_jobs").first("n");
    const response = await csv(text);
    expect(await response.json()).toMatchObject({
      code: "invalid_input",
      error: expect.stringMatching(error),
    });
    expect(response.status).toBe(400);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM bulk_jobs").first("n")).toBe(before);
    expect(held).toEqual([]);
  });

  it("JSON that is not as it must be", async () => {
    for (const items of [undefined, null, {}, "x", [], Array.from({ length: 10_001 }, () => 0)]) {
      const response = await json(items);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining("items") });
    }
    const broken = await client.send("POST", "/qr/bulk", '{"items": [');
    expect([broken.status, await broken.json()]).toEqual([
      400,
      expect.objectContaining({ code: "invalid_input" }),
    ]);
  });

  it("another content type, and too many bytes", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]) {
      const response = await client.send("POST", "/qr/bulk", "url\na.example\n", { "content-type": type });
      expect([type, response.status]).toEqual([type, 415]);
    }
    expect((await csv(`url\n${"a.example\n".repeat(2_000_000)}`)).status).toBe(413);
  });

  it("more rows than the plan's batch size", async () => {
    const own = await service.workspace("pro");
    const response = await json(
      Array.from({ length: 1001 }, (_, i) => item(i)),
      own,
    );
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      code: "plan_limit",
      error: "Your plan Pro allows 1000 rows a bulk job; split the file or upgrade",
    });
  });
});

describe("the download", () => {
  const download = async (jobId: string) => {
    const response = await client.send("GET", `/qr/bulk/${jobId}/download`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/csv");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    return (await response.text()).trimEnd().split("\r\n");
  };

  it("has one row per input row, in input order, with what there is so far", async () => {
    const { jobId } = await accepted(await csv("name,url\n=1+1,nope\nDownloaded,example.com\n"));
    expect(await download(jobId)).toEqual([
      "row,status,qr_id,scan_url,error",
      expect.stringMatching(/^1,failed,,,"?url: /),
      "2,pending,,,",
    ]);
    await deliver(held.splice(0));
    const lines = await download(jobId);
    const { items } = await client.expect(200, QrList, "GET", "/qr?q=Downloaded");
    expect(lines[2]).toBe(`2,succeeded,${items[0]?.id},${items[0]?.scanUrl},`);
  });
});
