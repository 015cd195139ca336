import { afterAll, beforeAll, expect, it } from "vitest";
import { generate, type LoadRequest } from "../../../bench/load/generator.ts";
import { LoadFixture, type LoadServer } from "../../e2e/support/load-server.ts";
import { runs, sample } from "../../support/runner/runs.ts";

/**
 * The bound of docs/scans.md, milliseconds. Not imported, so that a changed constant can't loosen the test. A busy
 * machine wakes a timer late and takes long to answer a queue, which is what the factor is for.
 */
const bufferMilliseconds = 30;
const busyMachineFactor = 50;

let fixture: LoadFixture;
beforeAll(async () => {
  // Enough that the user agents of all scans are fewer than a ledger takes in a day.
  fixture = await LoadFixture.create(runs(50, 1000));
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const userAgentOf = (i: number) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1 No/${i}`;

/** Scans until the service is killed. @returns when each scan was answered, by path and user agent, and when it was killed */
async function scanUntilKilled(server: LoadServer, killAfter: number) {
  const answeredAt = new Map<string, number>();
  let killedAt = Number.POSITIVE_INFINITY;
  // Each code has a scan by every user agent.
  const codes = server.paths.length;
  const scanOf = (i: number) => ({
    path: server.paths[i % codes] ?? "",
    userAgent: userAgentOf(Math.floor(i / codes)),
  });
  const requests = Array.from({ length: 100_000 }, (_, i): LoadRequest => {
    const { path, userAgent } = scanOf(i);
    return { method: "GET", path, headers: { "user-agent": userAgent } };
  });
  const load = generate({ origin: server.origin, requests, connections: 16 }, (index, status) => {
    const { path, userAgent } = scanOf(index);
    if (status === 302) answeredAt.set(`${path} ${userAgent}`, performance.now());
    if (answeredAt.size !== killAfter) return;
    killedAt = performance.now();
    server.kill();
  });
  await expect(load).rejects.toThrow();
  return { answeredAt, killedAt };
}

it.each(sample([500, 5_017, 9_961], 3))(
  "loses only scans that were in the buffer when it is killed after %d",
  async (count) => {
    const killed = await fixture.serve({ queue: "durable" });
    const { answeredAt, killedAt } = await scanUntilKilled(killed, count);
    await using restarted = await fixture.restart(killed, { queue: "durable" });
    const recorded = await restarted.scans();
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(recorded.length).toBeGreaterThan(0);
    const lost = [...answeredAt.keys()].filter((scan) => !recorded.includes(scan));
    const ages = lost.map((scan) => Math.round(killedAt - (answeredAt.get(scan) ?? 0)));
    expect(Math.max(0, ...ages)).toBeLessThan(bufferMilliseconds * busyMachineFactor);
    await killed[Symbol.asyncDispose]();
  },
);
