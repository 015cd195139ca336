import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { MeteredInstallation, mostRowsOfIdleSweep, takeUsage } from "../support/limits/usage.ts";
import { FakeClock } from "../support/service.ts";

it("a sweep that has nothing to do makes two small queries, and uses nothing else", async () => {
  const clock = new FakeClock();
  const installation = await MeteredInstallation.start({ now: clock.now });
  const service = installation.isolate();
  const client = await service.workspace();
  for (let n = 0; n < 20; n += 1) await client.createQr({ tags: ["t"] });
  const { id } = await client.createQr();
  await client.send("PATCH", `/qr/${id}`, { data: { type: "url", url: "https://b.example/" } });
  await client.send("POST", "/qr", { qrType: "url" }, { "idempotency-key": "1" });
  await installation.drain(service);
  // Work that other tests left is done first.
  for (let n = 0; n < 3; n += 1) {
    clock.advance(60_000);
    await service.worker.scheduled(undefined, env);
  }
  takeUsage();
  clock.advance(60_000);
  await service.worker.scheduled(undefined, env);
  const { d1Queries, d1Read, d1Written, ...others } = takeUsage();
  expect({ d1Queries, d1Written }).toEqual({ d1Queries: 2, d1Written: 0 });
  expect(d1Read).toBeLessThanOrEqual(mostRowsOfIdleSweep);
  expect(new Set(Object.values(others))).toEqual(new Set([0]));
});
