import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { StoredCounter } from "../../../src/domain/counter.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { addFigures, noFigures, readFigures } from "../../../src/store/operations/figures.ts";
import { pageAt } from "../../support/dashboard.ts";
import { signedInOperator } from "../../support/operator-pages.ts";
import { FakeClock, Service } from "../../support/service.ts";

const hour = 60 * 60_000;

/** The counts of the page: their names, and those of the last day and the last hour. */
const countsIn = (page: string): string[][] =>
  [...(/<dl class="figures">.*?<\/dl>/s.exec(page)?.[0].matchAll(/<div>(.*?)<\/div>/gs) ?? [])].map(
    ([, figure = ""]) => [...figure.matchAll(/<d[td][^>]*>(.*?)<\/d[td]>/gs)].map(([, text = ""]) => text),
  );

it("counts requests, scans and deliveries, and shows those of the last hour and the last day", async () => {
  const clock = new FakeClock();
  const points: AnalyticsEngineDataPoint[] = [];
  const counter = new StoredCounter({
    db: env.DB,
    now: clock.now,
    pause: async () => {},
    points: { writeDataPoint: (point) => point !== undefined && points.push(point) },
  });
  const scans: object[] = [];
  const send = async (message: object) => {
    scans.push(message);
  };
  const service = new Service({
    now: clock.now,
    counter,
    scanQueue: { send, sendBatch: async () => {} } as unknown as Queue<never>,
  });
  const client = await service.workspace();
  const { hash } = await client.createQr();
  await Promise.all([service.scan(hash), service.scan(hash)]);
  await vi.waitFor(() => expect(scans).toHaveLength(1));
  await service.consume(
    "scans",
    scans.map((body) => ({ body })),
  );
  expect((await service.fetch("/api/v1/qr")).status).toBe(401);
  const [row] = await readFigures(env.DB, 0);
  expect(row).toMatchObject({ scans: 2, failedRequests: 0 });
  expect(points).toContainEqual({
    indexes: ["request"],
    blobs: ["POST /api/v1/qr", "201", client.workspaceId],
    doubles: [expect.any(Number)],
  });
  expect(points).toContainEqual({ indexes: ["counts"], doubles: [2, 0, 0] });

  await env.DB.prepare("DELETE FROM figures").run();
  const now = clock.now();
  await addFigures(env.DB, now, { ...noFigures, scans: 1200, requests: 7, failedRequests: 1 });
  await addFigures(env.DB, now, { ...noFigures, scans: 34 });
  await addFigures(env.DB, now - 3 * hour, { ...noFigures, scans: 10, deliveries: 5, failedDeliveries: 2 });
  await addFigures(env.DB, now - 25 * hour, { ...noFigures, scans: 100_000 });
  const quiet = new Service({ now: clock.now });
  const operator = await signedInOperator(quiet);
  expect(countsIn(await pageAt(operator, "/operator"))).toEqual([
    ["Scans", "1,244", "1,234 in the last hour"],
    ["Other requests", "7", "7 in the last hour"],
    ["Failed requests (5xx)", "1", "1 in the last hour"],
    ["Webhook attempts", "5", "0 in the last hour"],
    ["Failed webhook attempts", "2", "0 in the last hour"],
  ]);

  clock.advance(24 * hour);
  await sweep(quiet.deps);
  expect((await readFigures(env.DB, 0)).map((kept) => kept.scans)).toEqual([10, 1234]);
});

it("a catalogue that takes no counts doesn't disturb requests", async () => {
  await env.DB.prepare(
    "CREATE TRIGGER no_figures BEFORE INSERT ON figures BEGIN SELECT RAISE(FAIL, 'the disk is full'); END",
  ).run();
  await env.DB.prepare("DELETE FROM figures").run();
  const counter = new StoredCounter({ db: env.DB, now: Date.now, pause: async () => {} });
  const service = new Service({ counter });
  expect((await service.fetch("/api/v1/qr")).status).toBe(401);
  await env.DB.prepare("DROP TRIGGER no_figures").run();
  expect((await service.fetch("/api/v1/qr")).status).toBe(401);
  expect(await readFigures(env.DB, Date.now() - hour)).toMatchObject([{ requests: 1 }]);
});

it("leads from the overview to what needs care", async () => {
  const service = new Service();
  const operator = await signedInOperator(service);
  const { hash } = await (await service.workspace()).createQr();
  const body = new URLSearchParams({ code: hash, reason: "spam" });
  await service.fetch("/report", { method: "POST", body });
  await service.consume("bulk-dead", [{ id: "odd", body: null }]);
  const page = await pageAt(operator, "/operator");
  expect(page).toContain('<a href="/operator/reports">1 abuse report</a> waits for your decision.');
  expect(page).toContain("Messages failed every retry: 1 of bulk.");
  const health = await pageAt(operator, "/operator/health");
  expect(health).toContain("Messages failed every retry: 1 of bulk.");
  expect(health).toContain("Feed weur");
  expect(health).toContain("<code>npm run doctor -- --local</code>");
  const broken = new Service({ feed: () => ({ changes: () => Promise.reject(new Error("odd")) }) as never });
  const failed = await pageAt(await signedInOperator(broken), "/operator/health");
  expect(failed).toContain("Feed weur");
  expect(failed).toContain("Failed");
  // Advice in words isn't set as a command.
  expect(failed).toContain(">See what npm run dev prints</span>");
});
