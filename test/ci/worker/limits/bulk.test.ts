import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../../../src/contract/limits.ts";
import { CreatedWebhook } from "../../../../src/contract/resources/webhooks/webhooks.ts";
import { BulkHarness } from "../../../support/bulk.ts";
import { runs } from "../../../support/runner/runs.ts";
import { emittedEvents, type Service } from "../../../support/service.ts";

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
