import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { CreatedWebhook } from "../../src/contract/resources/webhooks/webhooks.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { RouteRepair } from "../../src/protocol/messages.ts";
import { BulkHarness } from "../support/bulk.ts";
import { makeCodeOfPage, openCode, pageMaker } from "../support/hosted-pages.ts";
import { runs } from "../support/runner/runs.ts";
import { emittedEvents, FakeClock, Service } from "../support/service.ts";

const { bulk, freeForm, name, tags } = limits;

/** An item of a bulk job with a number of bytes, about, in fields that are as long as they may be. */
function bulkItem(i: number, bytes: number) {
  const url = `https://example.com/${i}?`.padEnd(Math.min(bytes - 100, 2040), "x");
  const left = bytes - 100 - url.length;
  const filler = (share: number) => ({ x: "x".repeat(Math.max(0, Math.min(share, freeForm.bytes - 20))) });
  return {
    name: left > 10_000 ? "€".repeat(name) : undefined,
    qrType: "url",
    data: { type: "url", url },
    tags: left > 10_000 ? Array.from({ length: tags.count }, (_, t) => `${t}`.padEnd(tags.length, "€")) : [],
    advanced: filler(left),
  };
}

async function addWebhook(service: Service, workspaceId: string): Promise<void> {
  const session = await service.sessionIn(workspaceId);
  const input = { url: "https://example.com/", events: ["qr.created", "bulk.completed"] };
  await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", input);
}

describe("the largest bulk job", () => {
  const body = bulk.body - 100_000;
  it.each([
    ["of the most rows", runs(2000, bulk.rows)],
    ["of the largest rows", Math.floor(body / 27_000)],
  ])("%s is staged, run, read and announced", async (_, rows) => {
    const harness = new BulkHarness();
    const own = await harness.service.workspace();
    await addWebhook(harness.service, own.workspaceId);
    const items = Array.from({ length: rows }, (_, i) => bulkItem(i, Math.floor(body / rows)));
    const done = await harness.run(own, await harness.json(own, items));
    expect(done).toMatchObject({ status: "completed", successCount: rows });
    const download = await own.send("GET", `/qr/bulk/${done.jobId}/download`);
    expect((await download.text()).trimEnd().split("\r\n")).toHaveLength(rows + 1);
    const announced = emittedEvents().filter(({ workspaceId }) => workspaceId === own.workspaceId);
    expect(announced).toHaveLength(rows + 1);
    expect(await env.DB.prepare("SELECT count(*) FROM outbox").first("count(*)")).toBe(0);
  });
});

describe("the sweep after an outage", () => {
  it("forwards the events of many workspaces, as many as it can at once", async () => {
    const clock = new FakeClock();
    const service = new Service({ now: clock.now });
    const at = clock.now();
    const count = runs(80, 500);
    const workspaces = JSON.stringify(Array.from({ length: count }, () => [newId(at), newId(at)]));
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO workspaces (id, name, plan, created_at, has_webhooks)
         SELECT value->>0, 'Test', 'business', ?2, 1 FROM json_each(?1)`,
      ).bind(workspaces, at),
      env.DB.prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT value->>1, value->>0, 'qr.created', '{}', ?2 FROM json_each(?1)`,
      ).bind(workspaces, at),
    ]);
    const left = () => env.DB.prepare("SELECT count(*) AS n FROM outbox").first<number>("n");
    let before = count;
    while (before > 0) {
      clock.advance(60_000);
      await service.worker.scheduled(undefined, env);
      const after = (await left()) ?? 0;
      expect(after).toBeLessThan(before);
      before = after;
    }
  });

  it.each([true, false])("completes many publications (the queue takes repairs: %s)", async (queueWorks) => {
    const clock = new FakeClock();
    const repairs: RouteRepair[] = [];
    const sendBatch = async (messages: Iterable<MessageSendRequest<RouteRepair>>) => {
      if (!queueWorks) throw new Error("queue is unavailable");
      for (const { body } of messages) repairs.push(body);
    };
    const down = () => Promise.reject(new Error("queue is unavailable"));
    const service = new Service({
      now: clock.now,
      routeRepairQueue: { send: down, sendBatch } as unknown as Queue<RouteRepair>,
    });
    const client = await service.workspace();
    const count = runs(40, 120);
    await Promise.all(Array.from({ length: count }, () => client.createQr()));
    // Workers that changed them died before they published anything.
    await env.DB.prepare(
      "UPDATE qr_codes SET status = 'paused', version = version + 1 WHERE workspace_id = ?",
    )
      .bind(client.workspaceId)
      .run();
    const pending = () => env.DB.prepare("SELECT count(*) AS n FROM pending_publications").first<number>("n");
    expect(await pending()).toBe(count);
    for (let sweeps = 0; sweeps < 20 && ((await pending()) ?? 0) > 0; sweeps += 1) {
      clock.advance(120_000);
      await service.worker.scheduled(undefined, env);
      while (repairs.length > 0) {
        await service.consume(
          "route-repairs",
          repairs.splice(0, 20).map((body) => ({ body })),
        );
      }
    }
    expect(await pending()).toBe(0);
  });
});

it("a hosted page of the greatest size is published and shown", async () => {
  const service = new Service();
  const maker = await pageMaker(service);
  const block = { type: "text", text: "€".repeat(1000) };
  const blocks = Array.from({ length: Math.floor((limits.page.bytes - 1000) / 3050) }, () => block);
  const { qr } = await makeCodeOfPage(maker, { blocks });
  expect((await openCode(service, qr.hash)).status).toBe(200);
  expect((await openCode(new Service(), qr.hash)).html.length).toBeGreaterThan(blocks.length * 1000);
});
