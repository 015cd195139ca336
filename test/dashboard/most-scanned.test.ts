import { beforeAll, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/qr.ts";
import type { Browser } from "../support/browser.ts";
import { pageAt, signedIn } from "../support/dashboard.ts";
import { scanRecord } from "../support/scans/scans.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { recordVaried } from "../support/scans/varied-scans.ts";

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

/** The names of the codes with their scans, in the order of the page. */
const ranking = (page: string) =>
  [...page.matchAll(/<a class="name"[^>]*>([^<]*)<\/a>.*?<td class="number">(\d+)</gs)].map(
    ([, name, scans]) => [name, Number(scans)],
  );

it.each([
  ["?range=7d", [["Poster &lt;b&gt;", 3]]],
  [
    "",
    [
      ["Menu", 5],
      ["Poster &lt;b&gt;", 3],
    ],
  ],
  [
    "?range=90d",
    [
      ["Gone", 8],
      ["Menu", 5],
      ["Poster &lt;b&gt;", 3],
    ],
  ],
  [
    "?range=1y",
    [
      ["Menu", 25],
      ["Gone", 8],
      ["Poster &lt;b&gt;", 3],
    ],
  ],
])("ranks the codes of a range: %s", async (query, expected) => {
  const page = await pageAt(browser, `/dashboard/codes/most-scanned${query}`);
  expect(ranking(page)).toEqual(expected);
  expect(page).toMatch(/<a href="\/dashboard\/codes\/most-scanned" aria-current="page">/);
});

it("says which are deleted, and the share of each", async () => {
  const page = await pageAt(browser, "/dashboard/codes/most-scanned?range=90d");
  expect(page.match(/>Deleted</g)).toHaveLength(1);
  expect(page).toContain("31.3%");
  expect(page).toContain("23 Jul 2026 to 20 Oct 2026");
});

it("asks the ledger for the report in one call", async () => {
  calls.length = 0;
  await counting.fetch("/dashboard/codes/most-scanned", { headers: { cookie: browser.cookie } });
  expect(calls.filter((name) => name === "analytics")).toHaveLength(1);
  expect(calls).not.toContain("reportingState");
});

it("leads on where nothing was scanned, and is linked from the list", async () => {
  const other = await signedIn(service);
  const page = await pageAt(other.browser, "/dashboard/codes/most-scanned?range=unknown");
  expect(page).toContain("No scans in the last 30 days");
  await other.client.createQr();
  expect(await pageAt(other.browser, "/dashboard/codes")).toContain('href="/dashboard/codes/most-scanned"');
});
