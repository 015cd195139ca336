import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { BulkJob } from "../../src/contract/resources/codes/bulk.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Reverted } from "../../src/contract/resources/history/revert.ts";
import { NewInvitation } from "../../src/contract/resources/identity/members.ts";
import { Replay } from "../../src/contract/resources/webhooks/replays.ts";
import { CreatedWebhook, Delivery } from "../../src/contract/resources/webhooks/webhooks.ts";
import { goodItems } from "../support/bulk.ts";
import { validBody } from "../support/endpoints.ts";
import { PrintHarness } from "../support/images/prints.ts";
import { Client, type SessionClient } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

/** Work that is under way while its workspace is deleted ends then, and stays ended if that is cancelled. */

let harness: PrintHarness;
let client: Client;
let owner: SessionClient;

beforeEach(async () => {
  harness = new PrintHarness();
  client = await harness.service.workspace();
  owner = await harness.service.sessionIn(client.workspaceId);
});

const deletion = "/developer/workspace/deletion";
const remove = async () =>
  expect((await owner.send("POST", deletion, { name: "Test", codes: "freeze" })).status).toBe(202);
const cancel = async () => expect((await owner.send("DELETE", deletion)).status).toBe(200);

/** Delivers all that waits in queues. */
async function drain(): Promise<void> {
  await harness.drain();
  await harness.printAll();
}

const codes = async () =>
  (await env.DB.prepare("SELECT count(*) AS n FROM qr_codes WHERE workspace_id = ?")
    .bind(client.workspaceId)
    .first<number>("n")) ?? 0;

const failed = { status: "failed", error: "The deletion of the workspace was requested." };

/** A client in an isolate in which something happens before each batch of statements, by its number from 1. */
function clientWhere(happens: (batch: number) => Promise<void>): Client {
  let count = 0;
  const db = wrapDatabase(env.DB, async (work, sql) => {
    if (sql === undefined) {
      count += 1;
      await happens(count);
    }
    return work();
  });
  return new Client(harness.isolate({ db }), client.workspaceId, client.keyId, client.key);
}

describe.each(["queued", "started, of several slices,"])("a bulk job that is %s", (state) => {
  /** Starts a job, and deletes the workspace: at once, or after its first slice. */
  async function ended(start: (count: number) => Promise<Response>) {
    const count = 9;
    const job = BulkJob.parse(await (await start(count)).json());
    if (state === "queued") await remove();
    else {
      await env.DB.prepare("UPDATE bulk_jobs SET slices = '[0,3,6]' WHERE id = ?").bind(job.jobId).run();
      let isSlice = false;
      const { service } = clientWhere(async () => {
        if (isSlice) return;
        isSlice = true;
        await remove();
      });
      await harness.deliver(harness.queued.splice(0), service);
    }
    await drain();
    await cancel();
    await drain();
    const { items, ...read } = await harness.read(client, job.jobId);
    expect(read).toMatchObject({ ...failed, totalItems: count });
    expect(read.successCount + read.failureCount).toBe(count);
    return { items, ...read };
  }

  it("and creates codes creates no more", async () => {
    const job = await ended((count) => harness.json(client, goodItems(count)));
    expect(await codes()).toBe(job.successCount);
    expect(job.failureCount).toBeGreaterThan(0);
  });

  it("and imports codes creates no more", async () => {
    const rows = (count: number) => goodItems(count).map(({ data }) => data.url);
    const job = await ended((count) => harness.csv(client, ["url", ...rows(count)].join("\n")));
    expect(await codes()).toBe(job.successCount);
    expect(job.failureCount).toBeGreaterThan(0);
  });
});

it("a bulk update, and one that undoes another, change nothing more", async () => {
  const qr = await client.createQr({ name: "Menu" });
  const update = async (tag: string) =>
    harness.accepted(await harness.update(client, { ids: [qr.id], change: { addTags: [tag] } }));
  const done = await update("first");
  await drain();
  const { items } = await owner.expect(200, HistoryList, "GET", `/developer/history?jobId=${done.jobId}`);
  const revert = `/developer/history/${items[0]?.id}/revert?scope=job`;
  const undo = await owner.expect(200, Reverted, "POST", revert);
  const second = await update("second");
  await remove();
  await drain();
  await cancel();
  await drain();
  for (const jobId of [undo.job?.jobId ?? "", second.jobId]) {
    expect(await harness.read(client, jobId)).toMatchObject({ ...failed, successCount: 0, failureCount: 1 });
  }
  expect((await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).tags).toEqual(["first"]);
});

it("print jobs make no more files, whether started or waiting", async () => {
  await client.createQr();
  const jobs = [
    await harness.start(client, "images", { filter: {} }),
    await harness.start(client, "labels", { filter: {}, format: "L7160" }),
  ];
  await harness.printSlices();
  await remove();
  await drain();
  await cancel();
  await drain();
  for (const job of jobs) {
    expect(await harness.job(client, job)).toMatchObject(failed);
    expect((await harness.file(client, job)).status).toBe(404);
  }
});

it("jobs whose request is answered after the deletion end when they are run", async () => {
  await client.createQr();
  const once = () => clientWhere(async (batch) => (batch === 1 ? remove() : undefined));
  const bulk = await harness.accepted(await harness.json(once(), goodItems(2)));
  await drain();
  await cancel();
  expect(await harness.read(client, bulk.jobId)).toMatchObject({ ...failed, failureCount: 2 });
  const print = await harness.start(once(), "images", { filter: {} });
  await drain();
  await cancel();
  expect(await harness.job(client, print)).toMatchObject(failed);
});

it("replays stop, deliveries are skipped, and the history says so", async () => {
  const { id } = await owner.expect(
    201,
    CreatedWebhook,
    "POST",
    "/developer/webhooks",
    validBody.createWebhook,
  );
  const path = `/developer/webhooks/${id}`;
  await owner.expect(202, Delivery, "POST", `${path}/test`);
  for (const status of ["paused", "active"]) await owner.send("PATCH", path, { status });
  const since = new Date(harness.clock.now() - 60_000).toISOString();
  const replay = await owner.expect(202, Replay, "POST", `${path}/replays`, { since });
  const pending = await owner.expect(202, Delivery, "POST", `${path}/test`);
  await remove();
  await cancel();
  const { status } = await owner.expect(200, Replay, "GET", `${path}/replays/${replay.id}`);
  expect(status).not.toBe("running");
  const delivery = await (await owner.send("GET", `${path}/deliveries/${pending.id}`)).json();
  expect(delivery).toMatchObject({ status: "skipped" });
  const { items } = await owner.expect(
    200,
    HistoryList,
    "GET",
    `/developer/history?object=${id}&actor=service`,
  );
  expect(items).toMatchObject([
    {
      action: "webhook.updated",
      changes: { pausedReason: { before: null, after: "The deletion of the workspace was requested" } },
    },
  ]);
});

it("invitations wait until it is cancelled", async () => {
  const { url } = await owner.expect(201, NewInvitation, "POST", "/developer/invitations", {
    role: "viewer",
  });
  const guest = await harness.service.session();
  const join = async () => (await guest.send("POST", `/developer/join/${url.split("/").at(-1)}`)).status;
  await remove();
  expect(await join()).toBe(404);
  await cancel();
  expect(await join()).toBe(200);
});
