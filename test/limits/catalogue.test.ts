import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { RouteRepair } from "../../src/protocol/messages.ts";
import { insertCodes } from "../support/bulk.ts";
import { makeCodeOfPage, openCode, pageMaker } from "../support/hosted-pages.ts";
import { runs } from "../support/runner/runs.ts";
import { FakeClock, Service } from "../support/service.ts";

describe("the sweep after an outage", () => {
  it("forwards the events of many workspaces, as many as it can at once", async () => {
    const clock = new FakeClock();
    // The ledgers stand in: only calls of them count here.
    const ledger = () => ({ receive: async () => [] }) as never;
    const service = new Service({ now: clock.now, ledger });
    const at = clock.now();
    // At four calls each, more than an invocation can make.
    const count = 260;
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
    const count = runs(10, 120);
    await insertCodes(client, count);
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
