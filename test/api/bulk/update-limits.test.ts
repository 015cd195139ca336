import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import { runs } from "../../support/runner/runs.ts";
import { type Client, Service } from "../../support/service.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

const harness = new BulkHarness();
let client: Client;

/** As many codes as a bulk update may match: fewer than it would be but in the long runs, and more than a job shows. */
const changed = runs(10_500, 100_000);
const codeCount = changed + 1;
const { codes } = limits.bulkUpdate;
beforeAll(() => void Object.assign(limits.bulkUpdate, { codes: changed }));
afterAll(() => void Object.assign(limits.bulkUpdate, { codes }));

beforeAll(async () => {
  client = await harness.service.workspace();
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
     INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, name, data, tags, status, created_at, updated_at)
     SELECT printf('01900000-0000-7000-8000-%012x', i), ?1, printf('h%07x', i), 1, 'url', iif(i BETWEEN 1 AND ?3, 'Chosen', 'Other'),
       '{"type":"url","url":"https://example.com/"}', '[]', 'active', 0, 0 FROM n`,
  )
    .bind(client.workspaceId, codeCount, changed)
    .run();
});

const change = { status: "paused" };
const update = (body: object) => client.send("POST", "/qr/bulk-update", body);

describe("a filter", () => {
  it("that matches too many codes is refused, with their number", async () => {
    for (const dryRun of [false, true]) {
      const error = await expectError(await update({ filter: {}, change, dryRun }), 400, "invalid_input");
      expect(error).toBe(
        `filter matches ${codeCount} QR codes, but a bulk update can change at most ${changed}. Narrow it down.`,
      );
    }
  });

  it(`may match ${changed} codes, which are stored in portions; the job shows the first 10000 items`, async () => {
    const { jobId, totalItems } = await harness.accepted(await update({ filter: { q: "chosen" }, change }));
    expect(totalItems).toBe(changed);
    const { items } = await harness.read(client, jobId);
    expect(items).toHaveLength(10_000);
    const newest = `01900000-0000-7000-8000-${changed.toString(16).padStart(12, "0")}`;
    expect(items[0]).toMatchObject({ rowIndex: 0, status: "pending", qrId: newest });
    const csv = await (await client.send("GET", `/qr/bulk/${jobId}/download`)).text();
    const lines = csv.trimEnd().split("\r\n");
    expect(lines).toHaveLength(changed + 1);
    expect(lines.at(-1)).toBe(`${changed},pending,01900000-0000-7000-8000-000000000001,,,`);
    await harness.deliver(harness.queued.splice(0));
    expect(await harness.read(client, jobId)).toMatchObject({ status: "processing", successCount: 200 });
  });

  it("whose codes could not all be stored leaves no job", async () => {
    let calls = 0;
    const dying = new Service({
      now: harness.clock.now,
      db: wrapDatabase(env.DB, (work, sql) => {
        calls += sql === undefined ? 1 : 0;
        return calls > 5 ? Promise.reject(new Error("the catalogue is gone")) : work();
      }),
    });
    const jobs = () => env.DB.prepare("SELECT count(*) AS n FROM bulk_jobs").first("n");
    const before = await jobs();
    const own = await dying.client(client.workspaceId);
    expect((await own.send("POST", "/qr/bulk-update", { filter: { q: "chosen" }, change })).status).toBe(500);
    harness.clock.advance(120_000);
    await harness.sweep();
    expect(await jobs()).toBe(before);
  });
});
