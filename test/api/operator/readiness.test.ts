import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { Readiness } from "../../../src/contract/resources/operations.ts";
import { Service } from "../../support/service.ts";

const queues = { deliveryQueue: env.DELIVERIES, printQueue: env.PRINTS } as DepsOverrides;
const parts = [
  "catalogue",
  "route cache",
  "ledger",
  "meter",
  ...["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"].map((region) => `feed ${region}`),
  ...["scans", "bulk", "prints", "deliveries", "route-repairs"].map((queue) => `queue ${queue}`),
];

it("readiness is 200 with the state and time of every part", async () => {
  const service = new Service(queues);
  const answer = await service.operator.expect(200, Readiness.strict(), "GET", "/operator/readiness");
  expect(answer.ready).toBe(true);
  expect(answer.catalogueBytes).toBeGreaterThan(100_000);
  expect(answer.parts.map(({ name }) => name)).toEqual(parts);
  for (const part of answer.parts) {
    expect(part).toMatchObject({ status: "ok", problem: null });
    expect(part.milliseconds).toBeGreaterThanOrEqual(0);
  }
});

const failing = () => Promise.reject(new Error("secret details"));
const real = new Service(queues).deps;
const faults: [string, DepsOverrides][] = [
  ["catalogue", { db: { withSession: () => ({ prepare: () => ({ run: failing }) }) } as never }],
  ["route cache", { routeCache: { get: failing } as never }],
  ["ledger", { ledger: () => ({ countScans: failing }) as never }],
  ["meter", { meter: () => ({ used: failing }) as never }],
  ["feed oc", { feed: (region) => (region === "oc" ? ({ changes: failing } as never) : real.feed(region)) }],
  ["queue bulk", { bulkQueue: {} as never }],
];

it.each(faults)("readiness is 503 when the %s fails, and names it alone", async (part, fault) => {
  const service = new Service({ ...queues, ...fault });
  const answer = await service.operator.expect(503, Readiness.strict(), "GET", "/operator/readiness");
  expect(answer.ready).toBe(false);
  const failed = answer.parts.filter(({ status }) => status === "failed");
  expect(failed).toEqual([expect.objectContaining({ name: part, problem: "answered an error" })]);
  expect(JSON.stringify(answer)).not.toContain("secret details");
});

it("readiness does not wait for a part that hangs", async () => {
  const hanging = { changes: () => new Promise(() => {}) };
  const timers: (() => void)[] = [];
  const service = new Service({
    ...queues,
    feed: () => hanging as never,
    startTimer: (_, onEnd) => {
      timers.push(onEnd);
      return () => {};
    },
  });
  const answer = service.operator.expect(503, Readiness.strict(), "GET", "/operator/readiness");
  await expect.poll(() => timers.length).toBe(parts.length);
  for (const end of timers.slice(4, 13)) end();
  const failed = (await answer).parts.filter(({ status }) => status === "failed");
  expect(failed.map(({ name }) => name)).toEqual(parts.slice(4, 13));
  expect(failed[0]?.problem).toBe("no response within 3000 ms");
});
