import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { isQuotaUsedUp } from "../../src/lib/daily-quota.ts";
import { signedIn } from "../support/dashboard.ts";
import { wholePage } from "../support/hosted-pages.ts";
import { MeteredInstallation, type Quota, quotas, refusals, useUp } from "../support/limits/usage.ts";
import { oneOfEach } from "../support/runner/runs.ts";
import { type Client, FakeClock, type Service } from "../support/service.ts";

const day = 24 * 60 * 60 * 1000;
const to = (url: string) => ({ data: { type: "url", url } }) as const;
const [oldUrl, newUrl] = ["https://old.example/", "https://new.example/"];

/** An installation at eight in the evening, UTC, with codes that have been scanned. */
async function evening() {
  const clock = new FakeClock(Math.floor(Date.now() / day) * day + 20 * 60 * 60 * 1000);
  const installation = await MeteredInstallation.start({ now: clock.now });
  const warm = installation.isolate();
  const { client, browser } = await signedIn(warm);
  const qr = await client.createQr(to(oldUrl));
  const session = await warm.sessionIn(client.workspaceId);
  const page = await session.expect(201, Page, "POST", "/developer/pages", wholePage);
  const shown = await client.createQr({
    qrType: "servicepage",
    data: { type: "servicepage", pageId: page.id },
  });
  const scans = new Map<string, number>();
  const day1 = {
    ...{ clock, installation, warm, client, browser, qr, shown },
    /** Scans both codes, which must be answered. */
    async scan(service: Service, destination: string): Promise<void> {
      for (const code of [qr, shown]) {
        const response = await service.scan(code.hash);
        expect([response.status, response.headers.get("location")]).toEqual(
          code === qr ? [302, destination] : [200, null],
        );
        scans.set(code.id, (scans.get(code.id) ?? 0) + 1);
      }
      await installation.drain(service);
    },
    /** Goes to the next day, on which the quotas begin anew, and does what is due. */
    async nextDay(): Promise<Service> {
      clock.advance(5 * 60 * 60 * 1000);
      useUp();
      const service = installation.isolate();
      for (let minutes = 0; minutes < 3; minutes += 1) {
        await service.worker.scheduled(undefined, env);
        await installation.drain(service);
        clock.advance(60_000);
      }
      return service;
    },
    /** Expects all scans to be counted. */
    async expectCounted(service: Service): Promise<void> {
      const own = await service.client(client.workspaceId);
      for (const [id, total] of scans) {
        const { stats } = await own.expect(200, ScanListResponse, "GET", `/qr/${id}/scans`);
        expect({ id, total: stats.total }).toEqual({ id, total });
      }
    },
  };
  await day1.scan(warm, oldUrl);
  return day1;
}

/** Everything that changes write to the catalogue. */
async function stored({ workspaceId }: Client) {
  const rows = (sql: string) => env.DB.prepare(sql).bind(workspaceId).all();
  const [codes, events, jobs] = await Promise.all([
    rows("SELECT id, version, data FROM qr_codes WHERE workspace_id = ? ORDER BY id"),
    rows("SELECT id FROM outbox WHERE workspace_id = ?"),
    rows("SELECT id FROM bulk_jobs WHERE workspace_id = ?"),
  ]);
  return [codes.results, events.results, jobs.results];
}

const pending = (key: string) =>
  env.DB.prepare("SELECT 1 FROM pending_publications WHERE key = ?").bind(key).first();

/** The requests that are answered with a 503 while a quota is used up. Everything else works. */
const refused: Readonly<Record<Quota, "changes" | "everything but scans" | "nothing">> = {
  "rows read from D1": "everything but scans",
  "rows written to D1": "changes",
  "KV reads": "nothing",
  "KV writes": "nothing",
  "queue operations": "nothing",
  "Durable Object requests": "everything but scans",
  "Durable Object duration": "everything but scans",
  "rows written by Durable Objects": "nothing",
};

it.each(Object.entries(refusals))("the platform's error for the quota of %s is known", (_, message) => {
  expect(isQuotaUsedUp(new Error(message))).toBe(true);
});

/** One of those of requests and duration, which refuse the same calls of Durable Objects in other words. */
const different = oneOfEach(quotas, (quota) => quota.replace(/^(Durable Object) .*/, "$1"));

describe("a day on which a quota is used up:", () => {
  it.each(different)("%s", async (quota) => {
    const own = await evening();
    const { clock, installation, warm, client, browser, qr } = own;
    const cold = installation.isolate();
    clock.advance(2000);
    const before = await stored(client);
    useUp(quota);

    // Codes work, where they are remembered and where they are not.
    for (const service of [warm, cold]) await own.scan(service, oldUrl);

    const changes = [
      await client.send("POST", "/qr", { qrType: "url", ...to(newUrl) }),
      await client.send("POST", "/qr/bulk", { items: [{ qrType: "url", ...to(newUrl) }] }),
      await client.send("PATCH", `/qr/${qr.id}`, to(newUrl)),
    ];
    const refusal = refused[quota];
    for (const response of changes) {
      const body: unknown = await response.json();
      expect(response.status === 503).toBe(refusal !== "nothing");
      if (response.status !== 503) continue;
      expect(response.headers.get("retry-after")).toBe("3600");
      expect(body).toEqual({
        error:
          "This service has used up its Cloudflare plan's quota for today. Codes still work. Try again after midnight UTC.",
        code: "internal",
      });
    }
    for (const response of [await client.send("GET", "/qr"), await browser.open("/dashboard/codes")]) {
      const body = await response.text();
      expect(response.status).toBe(refusal === "everything but scans" ? 503 : 200);
      if (response.status === 503) expect(body).toContain("Try again after midnight UTC.");
    }
    // Changes that the feeds don't take reach scans through KV.
    clock.advance(quota === "rows written by Durable Objects" ? 100_000 : 2000);
    const changed = refusal === "nothing" ? newUrl : oldUrl;
    for (const service of [warm, cold, installation.isolate()]) await own.scan(service, changed);
    // Nothing of a refused change is stored.
    useUp();
    if (refusal !== "nothing") expect(await stored(client)).toEqual(before);
    useUp(quota);

    const tomorrow = await own.nextDay();
    await own.scan(tomorrow, changed);
    await own.expectCounted(tomorrow);
    expect(await pending(qr.hash)).toBeNull();
    expect((await client.send("PATCH", `/qr/${qr.id}`, to(`${newUrl}2`))).status).toBe(200);
    clock.advance(2000);
    await own.scan(tomorrow, `${newUrl}2`);
  });

  it.each<Quota>(["rows written by Durable Objects", "Durable Object requests"])(
    "queue operations and %s: scans wait in the catalogue, and are counted on the next day",
    async (quota) => {
      const own = await evening();
      own.clock.advance(2000);
      useUp("queue operations", quota);
      for (const service of [own.warm, own.installation.isolate()]) await own.scan(service, oldUrl);
      expect(
        await env.DB.prepare("SELECT count(*) FROM dead_letters WHERE queue = 'scans'").first("count(*)"),
      ).toBeGreaterThan(0);
      await own.warm.worker.scheduled(undefined, env);
      const tomorrow = await own.nextDay();
      await own.expectCounted(tomorrow);
      expect(await env.DB.prepare("SELECT 1 FROM dead_letters").first()).toBeNull();
    },
  );

  it("all at once: codes still work for isolates that remember them", async () => {
    const own = await evening();
    useUp(...quotas);
    for (const destination of [oldUrl, oldUrl]) {
      expect((await own.warm.scan(own.qr.hash)).headers.get("location")).toBe(destination);
      own.clock.advance(2000);
    }
    const cold = await own.installation.isolate().scan(own.qr.hash);
    expect([cold.status, cold.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
  });
});
