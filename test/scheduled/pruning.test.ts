import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { BulkJobWithItems } from "../../src/contract/resources/codes/bulk.ts";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { pruning } from "../../src/domain/operations/pruning.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { BulkHarness, goodItems } from "../support/bulk.ts";
import { expectError } from "../support/endpoints.ts";
import type { Client } from "../support/service.ts";
import { FakeClock, Service } from "../support/service.ts";

const days = (count: number) => count * 86_400_000;
const count = (table: string, column: string, value: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(value).first<number>("n");
const itemsOf = (jobId: string) => count("bulk_items", "job_id", jobId);

describe("the items of a bulk job", () => {
  const harness = new BulkHarness();
  const { service, clock } = harness;
  const makeJob = async (client: Client) =>
    harness.run(client, await harness.json(client, [...goodItems(2), { qrType: "url" }]));
  const download = (client: Client, jobId: string) => client.send("GET", `/qr/bulk/${jobId}/download`);

  it("can be read for 30 days after its completion, and are deleted then; its counters stay", async () => {
    const client = await service.workspace();
    const job = await makeJob(client);
    const expiry = new Date(clock.now() + days(30)).toISOString();
    expect([job.itemsExpireAt, job.items.length]).toEqual([expiry, 3]);
    clock.advance(days(30) - 1);
    await sweep(service.deps);
    expect(await harness.read(client, job.jobId)).toEqual(job);
    expect((await (await download(client, job.jobId)).text()).trim().split("\n")).toHaveLength(4);
    clock.advance(1);
    // Whether or not the sweep has deleted them.
    for (const left of [3, 0]) {
      expect(await itemsOf(job.jobId)).toBe(left);
      expect(await harness.read(client, job.jobId)).toEqual({ ...job, outcome: null, items: [] });
      const gone = await expectError(await download(client, job.jobId), 404, "not_found");
      expect(gone).toBe("The results of this bulk job were deleted 30 days after it was completed.");
      await sweep(service.deps);
    }
    expect(await count("bulk_jobs", "id", job.jobId)).toBe(1);
  });

  it("stay as long as the job is not completed", async () => {
    const client = await service.workspace();
    const { jobId } = await harness.accepted(await harness.json(client, goodItems(2)));
    clock.advance(days(31));
    await sweep(service.deps);
    expect(await client.expect(200, BulkJobWithItems, "GET", `/qr/bulk/${jobId}`)).toMatchObject({
      itemsExpireAt: null,
      items: [{ status: "pending" }, { status: "pending" }],
    });
    await harness.drain();
    expect((await harness.read(client, jobId)).items).toHaveLength(2);
  });

  it("are deleted in steps, the oldest job's first, and none of a job that is done is looked at again", async () => {
    // No other job is due.
    clock.advance(days(30));
    await sweep(service.deps);
    const client = await service.workspace();
    const jobs = [await makeJob(client), await makeJob(client)];
    const fill = env.DB.prepare(
      `INSERT INTO bulk_items (job_id, row_index, status)
       WITH n (value) AS (SELECT 3 UNION ALL SELECT value + 1 FROM n WHERE value < ?2 - 1)
       SELECT ?1, value, 'succeeded' FROM n`,
    );
    const [first = "", second = ""] = jobs.map(({ jobId }) => jobId);
    await fill.bind(first, pruning.rowsPerStep * pruning.steps - 2).run();
    clock.advance(days(30));
    await sweep(service.deps);
    expect([await itemsOf(first), await itemsOf(second)]).toEqual([0, 1]);
    await sweep(service.deps);
    expect(await itemsOf(second)).toBe(0);
    const due = await env.DB.prepare(
      "SELECT count(*) AS n FROM bulk_jobs WHERE items_pruned_at IS NULL",
    ).first("n");
    expect(due).toBe(0);
  });
});

it("expired idempotency records are deleted as fast as they can be made", async () => {
  const clock = new FakeClock();
  const service = new Service({ now: clock.now });
  const { workspaceId } = await service.workspace();
  const insert = (from: number, to: number, at: number) =>
    env.DB.prepare(
      `INSERT INTO idempotency_records (workspace_id, key_id, key, fingerprint, response, created_at)
       WITH n (value) AS (SELECT ?2 UNION ALL SELECT value + 1 FROM n WHERE value < ?3 - 1)
       SELECT ?1, 'k', value, '', '{}', ?4 FROM n`,
    )
      .bind(workspaceId, from, to, at)
      .run();
  const most = pruning.rowsPerStep * pruning.steps;
  await insert(0, most + 3, clock.now());
  clock.advance(days(1) + 1);
  await insert(most + 3, most + 5, clock.now() - days(1));
  await sweep(service.deps);
  expect(await count("idempotency_records", "workspace_id", workspaceId)).toBe(5);
  await sweep(service.deps);
  expect(await count("idempotency_records", "workspace_id", workspaceId)).toBe(2);
});

it("revoked keys are deleted after 90 days or 100 others, and make room for others at once", async () => {
  const clock = new FakeClock();
  const service = new Service({ now: clock.now });
  const { workspaceId } = await service.workspace();
  const session = await service.sessionIn(workspaceId);
  const input = { name: "K", type: "secret" };
  /** More than a workspace may have, and than it keeps. */
  const revoked = 105;
  await env.DB.prepare(
    `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at, revoked_at)
     SELECT value, ?2, 'K', 'secret', '[]', '[]', value, 'sk_live_', '0000', ?3, ?3 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(Array.from({ length: revoked }, () => newId(clock.now()))), workspaceId, clock.now())
    .run();
  const kept = await session.expect(201, NewApiKey, "POST", "/developer/keys", input);
  const pending = await session.expect(201, NewApiKey, "POST", "/developer/keys", input);
  await env.DB.prepare("UPDATE api_keys SET revoked_at = ?1, revocation_pending_at = ?1 WHERE id = ?2")
    .bind(clock.now() + days(1), pending.id)
    .run();
  clock.advance(days(90));
  await sweep(service.deps);
  expect(await count("api_keys", "workspace_id", workspaceId)).toBe(limits.revokedKeys + 3);
  clock.advance(1);
  await sweep(service.deps);
  // The key of the workspace, the one that is kept, and the one that was revoked a day later.
  expect(await count("api_keys", "workspace_id", workspaceId)).toBe(3);
  const authorization = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  expect((await service.fetch("/api/v1/qr", authorization(kept.key))).status).toBe(200);
});
