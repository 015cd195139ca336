import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Reverted } from "../../src/contract/resources/history/revert.ts";
import { forwardStrandedEvents } from "../../src/domain/events/forwarding.ts";
import { BulkHarness } from "../support/bulk.ts";
import { runs } from "../support/runner/runs.ts";
import { Service } from "../support/service.ts";

/** The codes of the job. */
const count = runs(8, 5000);

it("brings back all codes that a bulk update changed, with one entry a code, while scans run and follow", async () => {
  const harness = new BulkHarness();
  const { service, clock } = harness;
  const client = await service.workspace();
  const items = Array.from({ length: count }, (_, i) => ({
    qrType: "url",
    name: `Code ${i}`,
    data: { type: "url", url: `https://old.example/${i}` },
  }));
  await harness.run(client, await harness.json(client, items));
  const { results: before } = await codesOf(client.workspaceId);
  expect(before).toHaveLength(count);

  const some = before.filter((_, i) => i % Math.ceil(count / 20) === 0);
  const destinations = () =>
    Promise.all(
      some.map(async ({ hash }) =>
        (await new Service({ now: clock.now }).scan(hash)).headers.get("location"),
      ),
    );
  const old = await destinations();

  clock.advance(1000);
  const change = { replace: { host: { from: "old.example", to: "new.example" } }, addTags: ["moved"] };
  const [job] = await Promise.all([
    harness.run(client, await harness.update(client, { filter: {}, change })),
    destinations(),
  ]);
  expect(job).toMatchObject({ successCount: count, failureCount: 0 });
  expect(await destinations()).toEqual(old.map((url) => url?.replace("old", "new")));
  clock.advance(31_000);
  await forwardStrandedEvents(service.deps);
  const session = await service.sessionIn(client.workspaceId);
  expect(await changed(job.jobId)).toBe(count);

  clock.advance(1000);
  const { items: entries } = await session.expect(
    200,
    HistoryList,
    "GET",
    `/developer/history?object=${job.jobId}`,
  );
  expect(entries.map(({ action }) => action)).toEqual(["job.created"]);
  const path = `/developer/history/${entries[0]?.id}/revert`;
  const { job: undone } = await session.expect(200, Reverted, "POST", path);
  const [read] = await Promise.all([
    harness.drain().then(() => harness.read(client, undone?.jobId ?? "")),
    destinations(),
  ]);
  expect(read).toMatchObject({ status: "completed", successCount: count, failureCount: 0 });
  expect(await destinations()).toEqual(old);
  expect((await codesOf(client.workspaceId)).results).toEqual(before);
  clock.advance(31_000);
  await forwardStrandedEvents(service.deps);
  expect(await changed(undone?.jobId ?? "")).toBe(count);

  /** Counts the entries of a job about codes, of which each must be about another. */
  async function changed(jobId: string): Promise<number> {
    const ids = new Set<string>();
    let entries = 0;
    for (let cursor = ""; ; ) {
      const path = `/developer/history?limit=100&kind=code&jobId=${jobId}${cursor}`;
      const page = await session.expect(200, HistoryList, "GET", path);
      entries += page.items.length;
      for (const { object } of page.items) ids.add(object.id);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    return ids.size === entries ? entries : -1;
  }
}, 600_000);

/** Everything stored of a workspace's codes, without versions and times of updates. */
const codesOf = (workspaceId: string) =>
  env.DB.prepare(
    `SELECT hash, name, data, tags, status, folder_id, deleted_at FROM qr_codes WHERE workspace_id = ? ORDER BY id`,
  )
    .bind(workspaceId)
    .all<{ hash: string }>();
