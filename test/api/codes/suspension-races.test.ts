import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { expectError } from "../../support/endpoints.ts";
import { Service } from "../../support/service.ts";
import { suspensionPath } from "../../support/suspension.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

/** An isolate whose pauses take no time and are added up; `beforeStore` runs before each transaction. */
async function isolate(beforeStore: () => Promise<unknown>) {
  const paused = { milliseconds: 0 };
  const service = new Service({
    db: wrapDatabase(env.DB, async (work, sql) => {
      if (sql === undefined) await beforeStore();
      return work();
    }),
    pause: async (milliseconds) => {
      paused.milliseconds += milliseconds;
    },
  });
  return { service, paused, client: await service.workspace() };
}

/** Suspends a code that other requests change so many times meanwhile. */
async function suspendRacing(races: number) {
  let left = 0;
  const raced: Qr[] = [];
  const { service, client, paused } = await isolate(async () => {
    if (left === 0) return;
    left -= 1;
    await env.DB.prepare("UPDATE qr_codes SET version = version + 1 WHERE id = ?").bind(raced[0]?.id).run();
  });
  const qr = await client.createQr();
  raced.push(qr);
  left = races;
  paused.milliseconds = 0;
  const body = { reason: "Reported as phishing" };
  const response = await service.operator.send("PUT", suspensionPath("qr", qr.id), body);
  left = 0;
  return { response, paused, after: await client.expect(200, Qr, "GET", `/qr/${qr.id}`) };
}

it("a suspension outlasts more changes by others than any other change", async () => {
  const { response, after } = await suspendRacing(3 * limits.changeAttempts.count);
  expect(response.status).toBe(200);
  expect(after.suspended?.reason).toBe("Reported as phishing");
});

it("a suspension that others overtake for 30 seconds is 503 with retry-after, and stores nothing", async () => {
  const { response, paused, after } = await suspendRacing(Number.POSITIVE_INFINITY);
  await expectError(response, 503, "internal");
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(paused.milliseconds).toBeGreaterThan(30_000);
  expect(paused.milliseconds).toBeLessThan(32_000);
  expect(after.suspended).toBeNull();
});
