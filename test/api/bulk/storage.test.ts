import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { plans } from "../../../src/contract/plans.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import { storedBytes } from "../../support/catalogue/stored-bytes.ts";
import { fieldsOf, signedIn } from "../../support/dashboard.ts";
import { expectError } from "../../support/endpoints.ts";
import type { Client } from "../../support/service.ts";

const harness = new BulkHarness();
const { service, clock } = harness;
const days = (count: number) => count * 86_400_000;

const inputs = async ({ workspaceId }: Client) => {
  const { results } = await env.DB.prepare(
    `SELECT coalesce(length(CAST(i.input AS BLOB)), 0) AS bytes FROM bulk_items i JOIN bulk_jobs j ON j.id = i.job_id
     WHERE j.workspace_id = ?`,
  )
    .bind(workspaceId)
    .all<{ bytes: number }>();
  return results.map(({ bytes }) => bytes);
};

/** Rows as long as a plan's body may have them, with an error each. */
const longRows = (count: number, bytes: number): string =>
  `name,url\n${Array.from({ length: count }, () => `${"x".repeat(bytes)},example.com\n`).join("")}`;

const jobsOf = ({ workspaceId }: Client) =>
  env.DB.prepare("SELECT count(*) AS n FROM bulk_jobs WHERE workspace_id = ?")
    .bind(workspaceId)
    .first<number>("n");

/** Uses up the room for jobs, but for a number of bytes. */
async function leaveJobRoom(client: Client, bytes: number): Promise<void> {
  const { jobs } = await storedBytes(client);
  await env.DB.prepare("UPDATE workspaces SET job_bytes = ? WHERE id = ?")
    .bind(plans.business.jobBytes - bytes, client.workspaceId)
    .run();
  expect(jobs).toBeLessThan(plans.business.jobBytes - bytes);
}

describe("a row that fails", () => {
  it("keeps its cells if they are short, and its error alone if not", async () => {
    const client = await service.workspace();
    const short = `${"x".repeat(300)},example.com`;
    const text = `${longRows(3, 50_000)}${short}\n`;
    const job = await harness.run(client, await harness.csv(client, text));
    expect(job).toMatchObject({ successCount: 0, failureCount: 4 });
    for (const { error } of job.items) expect(error).toContain("name can");
    const kept = await inputs(client);
    expect(Math.max(...kept)).toBeLessThanOrEqual(limits.failedRow);
    expect(kept.filter((bytes) => bytes > 100)).toHaveLength(1);
    expect((await storedBytes(client)).jobs).toBeLessThan(5000);
  });

  it("does so too when it fails while the job runs", async () => {
    const client = await service.workspace("pro");
    const items = [1, 2, 3].map((i) => ({ ...item(i), advanced: { x: "x".repeat(i === 3 ? 10 : 7000) } }));
    const { jobId } = await harness.accepted(await harness.json(client, items));
    expect((await storedBytes(client)).jobs).toBeGreaterThan(14_000);
    await service.operator.send("PUT", `/operator/workspaces/${client.workspaceId}/suspension`, {
      reason: "A test",
    });
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ failureCount: 3 });
    const kept = await inputs(client);
    expect(kept.filter((bytes) => bytes > 100)).toHaveLength(1);
    const { jobs } = await storedBytes(client);
    expect(jobs).toBeGreaterThan(3 * 128);
    expect(jobs).toBeLessThan(2000);
  });
});

describe("the bytes of bulk jobs", () => {
  it("are given back by rows that succeed, and with the items; the jobs themselves are deleted after a year", async () => {
    const client = await service.workspace();
    const items = [1, 2, 3].map((i) => ({ ...item(i), advanced: { x: "x".repeat(7000) } }));
    const job = await harness.run(client, await harness.json(client, items));
    const afterwards = (await storedBytes(client)).jobs;
    expect(afterwards).toBeLessThan(1000);
    clock.advance(days(30));
    await sweep(service.deps);
    expect((await storedBytes(client)).jobs).toBeLessThan(afterwards);
    await harness.read(client, job.jobId);
    clock.advance(days(limits.bulkJobDays - 30));
    await sweep(service.deps);
    clock.advance(1);
    await sweep(service.deps);
    expect(await storedBytes(client)).toMatchObject({ jobs: 0 });
    await expectError(await client.send("GET", `/qr/bulk/${job.jobId}`), 404, "not_found");
  });

  it("are given back by a job whose request died", async () => {
    const client = await service.workspace();
    await harness.accepted(await harness.json(client, [item(1)]));
    await env.DB.prepare("UPDATE bulk_jobs SET staged_at = NULL WHERE workspace_id = ?")
      .bind(client.workspaceId)
      .run();
    clock.advance(days(1));
    await sweep(service.deps);
    expect(await storedBytes(client)).toEqual({ all: 0, jobs: 0 });
  });

  it.each(Object.entries(plans))(
    "are bounded on the plan %s",
    async (plan, { title, jobBytes, bulkRows }) => {
      const client = await service.workspace(plan as keyof typeof plans);
      const me = await signedIn(service, plan as keyof typeof plans);
      expect(jobBytes).toBe({ free: 1e6, starter: 8e6, pro: 32e6, business: 128e6 }[plan]);
      await env.DB.prepare("UPDATE workspaces SET job_bytes = ? WHERE id IN (?, ?)")
        .bind(jobBytes - 400, client.workspaceId, me.client.workspaceId)
        .run();
      // Free and Starter have no keys that work: their people use the dashboard.
      const rows = Math.min(10, bulkRows);
      const table = `url\n${"example.com\n".repeat(rows)}`;
      const words = new RegExp(`${title} plan allows ${jobBytes / 1e6} MB of bulk jobs`);
      const page = await (
        await me.browser.upload("/dashboard/codes/import", { step: "read", text: table })
      ).text();
      const refused = await me.browser.upload("/dashboard/codes/import", {
        ...fieldsOf(page),
        step: "start",
      });
      const text = await refused.text();
      expect({ status: refused.status, text }).toEqual({ status: 403, text: expect.stringMatching(words) });
      expect(fieldsOf(text)).toMatchObject({ text: fieldsOf(page).text, "column.0": "url" });
      expect(await jobsOf(me.client)).toBe(0);
    },
  );

  it("are refused as a whole, and the same request is accepted once there is room again", async () => {
    const client = await service.workspace();
    const old = await harness.run(client, await harness.json(client, [item(1)]));
    expect(old.status).toBe("completed");
    const { jobs } = await storedBytes(client);
    await leaveJobRoom(client, 700);
    const send = () =>
      client.send("POST", "/qr/bulk", { items: [1, 2, 3].map(item) }, { "idempotency-key": "again" });
    const words = /Your Business plan allows 128 MB of bulk jobs\. Send this one again later, .* 30 days/;
    expect(await expectError(await send(), 403, "plan_limit")).toMatch(words);
    expect(await jobsOf(client)).toBe(1);
    const ids = [1, 2, 3].map(() => crypto.randomUUID());
    const update = await harness.update(client, { ids, change: { addTags: ["x"] } });
    expect(await expectError(update, 403, "plan_limit")).toMatch(words);
    await env.DB.prepare("UPDATE workspaces SET job_bytes = ? WHERE id = ?")
      .bind(jobs, client.workspaceId)
      .run();
    expect(await harness.run(client, await send())).toMatchObject({ status: "completed", successCount: 3 });
  });

  it("are exact, however many requests there are at once", async () => {
    const client = await service.workspace();
    await harness.accepted(await harness.json(client, [item(1)]));
    const { jobs: each } = await storedBytes(client);
    await leaveJobRoom(client, 2 * each + 50);
    const answers = await Promise.all(Array.from({ length: 8 }, () => harness.json(client, [item(1)])));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(2).fill(202),
      ...Array(6).fill(403),
    ]);
    expect(await jobsOf(client)).toBe(3);
  });

  it("bound the number of jobs and items, since the smallest have some", async () => {
    const client = await service.workspace();
    await harness.accepted(
      await harness.update(client, { ids: [crypto.randomUUID()], change: { addTags: ["x"] } }),
    );
    expect((await storedBytes(client)).jobs).toBeGreaterThanOrEqual(300 + 128);
  });
});
