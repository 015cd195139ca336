import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { load, type ScanCounts, waitTimeout } from "../../e2e/support/load.ts";
import { LoadFixture, type LoadServer, type LogLine } from "../../e2e/support/load-server.ts";
import { runs } from "../../support/runner/runs.ts";

const codeCount = runs(100, 1000);
/** Requests of a load. No multiple of 500, so that the last message is not full. */
const requestCount = runs(1_503, 62_003);
/** Enough that every kind of fault occurs, which takes 12 messages of up to 500 scans. */
const requestsWithFaults = runs(6_003, 62_003);

let fixture: LoadFixture;
beforeAll(async () => {
  fixture = await LoadFixture.create(codeCount);
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

describe("the ledger has every scan that was answered 302, exactly once,", () => {
  it("under load", async () => {
    await using server = await fixture.serve();
    const redirects = await load(server.origin, server.paths, requestCount);
    await expectLedger(server, redirects);
    await server.drain();
    await expectLedger(server, redirects);
    expect(failedSends(server)).toEqual([]);
  });

  it("when one message in four meets a fault", async () => {
    await using server = await fixture.serve({ queue: "faulty" });
    const redirects = await load(server.origin, server.paths, requestsWithFaults);
    await expectLedger(server, redirects);
    await server.drain();
    await expectLedger(server, redirects);
    // Some messages were queued at the second attempt, others were written to the ledger directly.
    const failedTwice = failedSends(server, 2);
    expect(failedTwice).not.toEqual([]);
    expect(failedSends(server, 1).length).toBeGreaterThan(failedTwice.length);
  });

  it("when the queue is full", async () => {
    await using server = await fixture.serve();
    await server.fillQueue();
    const redirects = await load(server.origin, server.paths, requestCount);
    await expectLedger(server, redirects);
    // The queue has refused every scan twice, so all of them were written to the ledger directly.
    const refusedScans = () => failedSends(server, 2).reduce((sum, { scans = 0 }) => sum + scans, 0);
    await expect.poll(refusedScans, { timeout: waitTimeout }).toBe(requestCount);
  });
});

/** Waits until the ledger holds exactly these scans. */
async function expectLedger(server: LoadServer, { humans, bots }: ScanCounts): Promise<void> {
  await expect
    .poll(() => server.ledger(), { timeout: waitTimeout, interval: 200 })
    .toEqual({ rows: { humans, bots }, total: humans });
}

/** Log lines of sends that failed. @param attempt 1 or 2; both when absent */
function failedSends(server: LoadServer, attempt?: number): LogLine[] {
  const all = server.logLines("scans not queued");
  return attempt === undefined ? all : all.filter((line) => line.attempt === attempt);
}
