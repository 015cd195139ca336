import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runs } from "../support/runs.ts";
import { load, patience, type Tally } from "./support/load.ts";
import { type LoadServer, type LogLine, Site } from "./support/load-server.ts";

const service = "src/index.ts";
const withFaultyQueue = "test/e2e/support/faulty-worker.ts";

/**
 * Requests of a run over the 1000 codes, one in 25 of them a crawler's. At least 80 messages, so that each of the
 * faults is met, and not whole hundreds, so that some scans at the end don't fill a message.
 */
const amount = runs(8_003, 62_003);

let site: Site;
beforeAll(async () => {
  site = await Site.build([service, withFaultyQueue], 1000);
});
afterAll(() => site?.[Symbol.asyncDispose]());

describe("every scan that was answered 302 is in the ledger, once,", () => {
  it("under load", async () => {
    await using server = await site.serve(service);
    const redirects = await load(server.origin, server.paths, amount);
    await expectLedger(server, redirects);
    await server.drain();
    await expectLedger(server, redirects);
    expect(refusals(server)).toEqual([]);
  });

  it("when one message in 20 is sent with a fault", async () => {
    await using server = await site.serve(withFaultyQueue);
    const redirects = await load(server.origin, server.paths, amount);
    await expectLedger(server, redirects);
    await server.drain();
    await expectLedger(server, redirects);
    // Some messages got through by their second try, some only around the queue.
    const secondRefusals = refusals(server, 2);
    expect(secondRefusals).not.toEqual([]);
    expect(refusals(server, 1).length).toBeGreaterThan(secondRefusals.length);
  });

  it("when the queue is full", async () => {
    await using server = await site.serve(service);
    await server.fillQueue();
    const redirects = await load(server.origin, server.paths, amount);
    await expectLedger(server, redirects);
    // The queue has refused each of them twice: all went around it.
    const refused = () => refusals(server, 2).reduce((sum, { scans = 0 }) => sum + scans, 0);
    await expect.poll(refused, { timeout: patience }).toBe(amount);
  });
});

/** Waits until the ledger holds these scans, and no more. */
async function expectLedger(server: LoadServer, { humans, bots }: Tally): Promise<void> {
  await expect
    .poll(() => server.ledger(), { timeout: patience, interval: 200 })
    .toEqual({ rows: { humans, bots }, days: { humans, bots }, total: humans });
}

/** Log lines of failed sends. @param attempt only those of this attempt */
function refusals(server: LoadServer, attempt?: number): LogLine[] {
  const all = server.logged("scans not queued");
  return attempt === undefined ? all : all.filter((line) => line.attempt === attempt);
}
