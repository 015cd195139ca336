import { beforeAll, expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import type { Browser } from "../../support/browser.ts";
import { pageAt, signedIn } from "../../support/dashboard.ts";
import { scanRecord } from "../../support/scans/scans.ts";
import { recordVaried } from "../../support/scans/varied-scans.ts";
import { type Client, FakeClock, Service } from "../../support/service.ts";

const now = Date.UTC(2026, 9, 20, 15, 30);
const day = 24 * 60 * 60 * 1000;
const calls: string[] = [];
const service = new Service({ now: new FakeClock(now).now });
const counting = new Service({
  now: new FakeClock(now).now,
  ledger: (id) =>
    new Proxy(service.deps.ledger(id), {
      get: (target, name) => {
        if (typeof name === "string") calls.push(name);
        return Reflect.get(target, name, target);
      },
    }),
});
let browser: Browser;
let client: Client;

const scan = (qr: Qr, count: number, daysAgo: number) =>
  recordVaried(
    service,
    Array.from({ length: count }, () =>
      scanRecord({
        at: now - daysAgo * day,
        workspaceId: client.workspaceId,
        qrId: qr.id,
        hash: qr.hash,
      }),
    ),
  );

beforeAll(async () => {
  ({ browser, client } = await signedIn(service));
  const poster = await client.createQr({ name: "Poster <b>" });
  const menu = await client.createQr({ name: "Menu" });
  const gone = await client.createQr({ name: "Gone" });
  await client.createQr({ name: "Never scanned" });
  await scan(poster, 3, 0);
  await scan(menu, 5, 20);
  await scan(gone, 8, 80);
  await scan(menu, 20, 300);
  await client.send("DELETE", `/qr/${gone.id}`);
});

const path = "/dashboard/codes?order=scans";

/** The names of the codes with their scans, in the order of the page. */
const ranking = (page: string) =>
  [
    ...page.matchAll(
      /<a class="name"[^>]*>([^<]*)<\/a>.*?aria-label="([\d,]+) scans? in the last 30 days"/gs,
    ),
  ].map(([, name, scans]) => [name, Number(scans)]);

it("orders the list by the scans of the last 30 days, without codes that have none or are deleted", async () => {
  const page = await pageAt(browser, path);
  expect(ranking(page)).toEqual([
    ["Menu", 5],
    ["Poster &lt;b&gt;", 3],
  ]);
  expect(page.replaceAll(/<[^>]*>/g, "")).toContain("2 of 3 codes");
  // Selecting all means those of the workspace.
  expect(page).toContain("Select all 3 codes");
  expect(page).toContain('name="matched" value="3"');
});

it("orders those of a filter, too, which also matches others", async () => {
  const page = await pageAt(browser, `${path}&q=menu`);
  expect(ranking(page)).toEqual([["Menu", 5]]);
  const all = await pageAt(browser, `${path}&q=e`);
  expect(ranking(all)).toEqual([
    ["Menu", 5],
    ["Poster &lt;b&gt;", 3],
  ]);
  expect(all).toContain("Select all 3 results");
});

it("asks the ledger for the report in one call", async () => {
  calls.length = 0;
  await counting.fetch(path, { headers: { cookie: browser.cookie } });
  expect(calls.filter((name) => name === "analytics")).toHaveLength(1);
  expect(calls).not.toContain("reportingStatus");
});

it("has pages, whose cursors are of this order only", async () => {
  const other = await signedIn(service);
  const codes = await Promise.all(
    Array.from({ length: 30 }, (_, i) => other.client.createQr({ name: `Code ${i}.` })),
  );
  await recordVaried(
    service,
    codes.flatMap((qr, i) =>
      Array.from({ length: i + 1 }, () =>
        scanRecord({ at: now, workspaceId: other.client.workspaceId, qrId: qr.id, hash: qr.hash }),
      ),
    ),
  );
  const first = await pageAt(other.browser, path);
  const next = /rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await pageAt(other.browser, next);
  expect([...ranking(first), ...ranking(second)].map(([, scans]) => scans)).toEqual(
    Array.from({ length: 30 }, (_, i) => 30 - i),
  );
  await pageAt(other.browser, next.replace("sort=scans30d", "sort=name"), 400);
});

it("leads on where nothing was scanned, and is linked from the list", async () => {
  const other = await signedIn(service);
  await other.client.createQr();
  expect(await pageAt(other.browser, path)).toContain("No scans in the last 30 days");
  expect(await pageAt(other.browser, "/dashboard/codes")).toContain("Most scanned");
});
