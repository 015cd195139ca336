import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type BulkJob, BulkJobList, BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { BulkHarness, goodItems, item, mortalCatalogue } from "../../support/bulk.ts";
import { makePage, pageMaker } from "../../support/hosted-pages.ts";
import { type Client, emittedEvents } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;

beforeAll(async () => {
  client = await harness.service.workspace();
});

const events = (kind: string, workspaceId: string) =>
  emittedEvents()
    .filter((event) => event.kind === kind && event.workspaceId === workspaceId)
    .map((event) => event.data);

/** Rows of a job of three slices, which are much smaller than they would be. */
const rowCount = 9;

async function startSlices(own: Client): Promise<BulkJob> {
  const job = await harness.accepted(await harness.json(own, goodItems(rowCount)));
  await env.DB.prepare("UPDATE bulk_jobs SET slices = '[0,3,6]' WHERE id = ?").bind(job.jobId).run();
  return job;
}

const codesOf = (own: Client) =>
  env.DB.prepare("SELECT count(*) AS n FROM qr_codes WHERE workspace_id = ?")
    .bind(own.workspaceId)
    .first("n");

describe("a job", () => {
  it("is queued, then processed, then completed with one event", async () => {
    const own = await harness.service.workspace();
    const staged = await startSlices(own);
    expect(staged).toMatchObject({
      status: "queued",
      totalItems: rowCount,
      successCount: 0,
      failureCount: 0,
    });
    expect((await harness.read(own, staged.jobId)).items.every((row) => row.status === "pending")).toBe(true);

    const { db, died } = mortalCatalogue(1);
    await Promise.race([harness.deliver(harness.queued.splice(0), harness.isolate({ db })), died]);
    const processing = await harness.read(own, staged.jobId);
    expect(processing.status).toBe("processing");
    expect(processing).toMatchObject({ successCount: 3, failureCount: 0 });
    expect(processing.items.filter((row) => row.status === "succeeded")).toHaveLength(3);
    expect(events("bulk.completed", own.workspaceId)).toEqual([]);

    harness.clock.advance(60_000);
    await harness.sweep();
    await harness.drain();
    const { items, itemsExpireAt: _, outcome, ...completed } = await harness.read(own, staged.jobId);
    expect(completed).toEqual({
      ...staged,
      status: "completed",
      successCount: rowCount,
      completedAt: new Date(harness.clock.now()).toISOString(),
    });
    expect(outcome).toEqual({ created: rowCount, changed: 0, unchanged: 0 });
    expect(items.map((row) => row.rowIndex)).toEqual([...Array(rowCount).keys()]);
    expect(events("bulk.completed", own.workspaceId)).toEqual([completed]);
    const created = events("qr.created", own.workspaceId);
    expect(created).toHaveLength(rowCount);
    const qr = await own.expect(200, Qr, "GET", `/qr/${items[7]?.createdQrId}`);
    expect(created).toContainEqual(qr);
    expect(qr).toMatchObject({ name: "Item 7", hash: items[7]?.createdQrHash, status: "active" });
    expect((await harness.service.scan(qr.hash)).headers.get("location")).toBe("https://example.com/7");
  });

  it("creates no code twice when its message is delivered several times, even concurrently", async () => {
    const own = await harness.service.workspace();
    const { jobId } = await startSlices(own);
    const tasks = harness.queued.splice(0);
    const isolates = [0, 1, 2].map(() => harness.isolate());
    await Promise.all(isolates.map((isolate) => harness.deliver(tasks, isolate)));
    harness.clock.advance(60_000);
    await harness.deliver(tasks);
    await harness.drain();
    const job = await harness.read(own, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: rowCount, failureCount: 0 });
    expect(await codesOf(own)).toBe(rowCount);
    expect(events("qr.created", own.workspaceId)).toHaveLength(rowCount);
    expect(events("bulk.completed", own.workspaceId)).toHaveLength(1);
  });

  it("is queued again by the next sweep when its message was lost", async () => {
    harness.queueIsDown = true;
    const { jobId } = await harness.accepted(await harness.json(client, [item(1)]));
    harness.queueIsDown = false;
    expect(harness.queued).toEqual([]);
    await harness.sweep();
    expect(harness.queued).toHaveLength(1);
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: 1 });
    harness.clock.advance(60_000);
    await harness.sweep();
    expect(harness.queued).toEqual([]);
  });

  it("assigns a row another hash when its own was taken since", async () => {
    const own = await harness.service.workspace();
    const taken = await own.createQr();
    const { jobId } = await harness.accepted(await harness.json(own, goodItems(3)));
    await env.DB.prepare(
      "UPDATE bulk_items SET input = json_set(input, '$.hash', ?1, '$.hashFolded', ?1) WHERE job_id = ?2 AND row_index = 1",
    )
      .bind(taken.hash, jobId)
      .run();
    await harness.drain();
    const job = await harness.read(own, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 3 });
    expect(new Set([taken.hash, ...job.items.map((row) => row.createdQrHash)]).size).toBe(4);
  });

  it("fails rows of a type that the plan no longer includes", async () => {
    const own = await harness.service.workspace();
    const { jobId } = await harness.accepted(await harness.json(own, goodItems(2)));
    await env.DB.prepare(
      "UPDATE bulk_items SET input = json_set(input, '$.qrType', 'vcard') WHERE job_id = ? AND row_index = 1",
    )
      .bind(jobId)
      .run();
    await env.DB.prepare("UPDATE workspaces SET plan = 'free' WHERE id = ?").bind(own.workspaceId).run();
    await harness.drain();
    await env.DB.prepare("UPDATE workspaces SET plan = 'business' WHERE id = ?").bind(own.workspaceId).run();
    const job = await harness.read(own, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 1, failureCount: 1 });
    expect(job.items[1]?.error).toBe("Your Free plan doesn't include contact codes. Upgrade to create them.");
  });

  it("fails rows whose folder or page was deleted since they were accepted, and creates the others", async () => {
    const maker = await pageMaker(harness.service);
    const folder = await maker.client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const page = await makePage(maker);
    const shown = { qrType: "servicepage", data: { type: "servicepage", pageId: page.id } };
    const rows = [{ ...item(0), folderId: folder.id }, shown, item(2)];
    const { jobId } = await harness.accepted(await harness.json(maker.client, rows));
    await maker.client.send("DELETE", `/folders/${folder.id}`);
    await maker.session.send("DELETE", `/developer/pages/${page.id}`);
    await harness.drain();
    const job = await harness.read(maker.client, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 1, failureCount: 2 });
    expect(job.items.map(({ error }) => error)).toEqual([
      "folderId isn't a folder of this workspace.",
      "data.pageId isn't a page of this workspace.",
      null,
    ]);
    expect(events("qr.created", maker.client.workspaceId)).toMatchObject([{ name: "Item 2" }]);
  });

  it("gives the short link of each code that it has created or changed, and no line of a list", async () => {
    const { items } = await harness.run(client, await harness.json(client, [item(1), 7]));
    expect(items.map(({ scanUrl, line }) => [scanUrl, line])).toEqual([
      [`${env.SCAN_ORIGIN}/${items[0]?.createdQrHash}`, null],
      [null, null],
    ]);
    const change = { ids: [items[0]?.createdQrId], change: { addTags: ["new"] } };
    const changed = await harness.run(client, await client.send("POST", "/qr/bulk-update", change));
    expect(changed.items[0]?.scanUrl).toBe(items[0]?.scanUrl);
  });

  it("is listed with the others, newest first", async () => {
    const own = await harness.service.workspace();
    const ids: string[] = [];
    for (const n of [1, 2, 3])
      ids.unshift((await harness.accepted(await harness.json(own, [item(n)]))).jobId);
    const first = await own.expect(200, BulkJobList, "GET", "/qr/bulk?limit=2");
    expect(first.items.map(({ jobId, status }) => [jobId, status])).toEqual(
      ids.slice(0, 2).map((id) => [id, "queued"]),
    );
    const last = await own.expect(200, BulkJobList, "GET", `/qr/bulk?cursor=${first.nextCursor}`);
    expect([last.items.map(({ jobId }) => jobId), last.nextCursor]).toEqual([ids.slice(2), null]);
    expect((await own.send("GET", "/qr/bulk?cursor=odd")).status).toBe(400);
  });

  it("is answered with all items, the failed ones, or none", async () => {
    const { jobId, items } = await harness.run(client, await harness.json(client, [item(1), 7, item(2)]));
    const failed = items.filter(({ status }) => status === "failed");
    expect(failed).toHaveLength(1);
    for (const [query, expected] of [
      ["?items=all", items],
      ["?items=failed", failed],
      ["?items=none", []],
    ] as const) {
      const job = await client.expect(200, BulkJobWithItems, "GET", `/qr/bulk/${jobId}${query}`);
      expect(job).toMatchObject({ jobId, totalItems: 3, failureCount: 1, items: expected });
    }
    const other = await client.send("GET", `/qr/bulk/${jobId}?items=some`);
    expect([other.status, await other.json()]).toEqual([
      400,
      { code: "invalid_input", error: "items must be all, failed or none." },
    ]);
  });

  it("repeats its first response to the same Idempotency-Key", async () => {
    const headers = { "idempotency-key": "bulk-1" };
    const first = await harness.accepted(await harness.csv(client, "url\nexample.com\n", headers));
    expect(await harness.accepted(await harness.csv(client, "url\nexample.com\n", headers))).toEqual(first);
    expect((await harness.csv(client, "url\nexample.org\n", headers)).status).toBe(400);
    expect(harness.queued.splice(0)).toHaveLength(1);
  });

  it("enforces the cap on live codes across two simultaneous jobs", async () => {
    const own = await harness.service.workspace("pro");
    await env.DB.prepare("UPDATE workspaces SET live_codes = 4998 WHERE id = ?").bind(own.workspaceId).run();
    const jobs = [];
    for (let i = 0; i < 2; i += 1) {
      jobs.push(await harness.accepted(await harness.json(own, goodItems(2))));
    }
    await Promise.all(harness.queued.splice(0).map((task) => harness.deliver([task])));
    const done = await Promise.all(jobs.map((job) => harness.read(own, job.jobId)));
    expect(done.map((job) => job.status)).toEqual(["completed", "completed"]);
    expect(done.reduce((sum, job) => sum + job.successCount, 0)).toBe(2);
    expect(done.reduce((sum, job) => sum + job.failureCount, 0)).toBe(2);
    const refused = done.flatMap((job) => job.items).find((row) => row.status === "failed");
    expect(refused?.error).toContain("Your Pro plan allows 5000 live QR codes");
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

  it("has one row per input row, in input order, with the results so far", async () => {
    const { jobId } = await harness.accepted(
      await harness.csv(client, "name,url\n=1+1,nope\nDownloaded,example.com\n"),
    );
    expect(await download(jobId)).toEqual([
      "row,status,qr_id,scan_url,error",
      expect.stringMatching(/^1,failed,,,"?line 2: url /),
      "2,pending,,,",
    ]);
    await harness.drain();
    const lines = await download(jobId);
    const { items } = await client.expect(200, QrList, "GET", "/qr?q=Downloaded");
    expect(lines[2]).toBe(`2,succeeded,${items[0]?.id},${items[0]?.scanUrl},`);
  });
});
