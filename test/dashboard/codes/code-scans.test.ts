import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import type { Browser } from "../../support/browser.ts";
import { pageAt, signedIn } from "../../support/dashboard.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { recordVaried } from "../../support/scans/varied-scans.ts";
import { type Client, FakeClock, origin, Service } from "../../support/service.ts";

const now = Date.UTC(2026, 9, 20, 15, 30);
const service = new Service({ now: new FakeClock(now).now });
let browser: Browser;
let client: Client;
let code: Qr;

/** When the code is created. */
const early = new Service({ now: new FakeClock(Date.UTC(2026, 9, 1)).now });

const firefox = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0";

type Overrides = Parameters<typeof scanRecord>[0];
const scan = (count: number, at: number, overrides: Overrides = {}) =>
  recordVaried(
    service,
    Array.from({ length: count }, () =>
      scanRecord({ at, workspaceId: client.workspaceId, qrId: code.id, hash: code.hash, ...overrides }),
    ),
  );

beforeAll(async () => {
  ({ browser, client } = await signedIn(service));
  code = await (await early.client(client.workspaceId)).createQr({ name: "Poster <b>" });
  await scan(60, Date.UTC(2026, 9, 18, 23, 30, 5), { userAgent: firefox });
  await scan(3, Date.UTC(2026, 9, 19, 12), { country: "SG", city: "<i>Singapore</i>" });
  await scan(1, Date.UTC(2026, 9, 18, 1), { country: "T1", city: null, userAgent: firefox });
  await scan(2, Date.UTC(2026, 9, 19, 13), { country: null, city: null, userAgent: null });
});

const at = (query = "") => `/dashboard/codes/${code.id}/scans${query}`;

/** The rows of the page, as their cells. */
const rowsOf = (page: string): string[][] =>
  [...page.matchAll(/<tr><td><time.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell.replace(/<[^>]+>/g, "")),
  );
const nextOf = (page: string) => /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");

describe("the scans of a code", () => {
  it("are listed newest first, with place, device and browser; nothing is unescaped", async () => {
    const page = await pageAt(browser, at());
    const rows = rowsOf(page);
    expect(rows).toHaveLength(50);
    expect(rows[0]).toEqual([
      "19 Oct 2026, 13:00:00",
      "–Unknown",
      "–Unknown",
      "–Unknown",
      "–Unknown",
      "–Unknown",
    ]);
    expect(rows[2]?.slice(1, 3)).toEqual(["Singapore", "&lt;i&gt;Singapore&lt;/i&gt;"]);
    expect(rows[5]).toEqual(["18 Oct 2026, 23:30:05", "Germany", "Köln", "Phone", "Android", "Firefox"]);
    expect(page).not.toContain("<i>");
    expect(page).toContain("Time (UTC)");
  });

  it("continue on the next page, with the same filters", async () => {
    const first = await pageAt(browser, at("?country=DE"));
    const second = await pageAt(browser, nextOf(first) ?? "");
    expect([rowsOf(first).length, rowsOf(second).length]).toEqual([50, 10]);
    expect(nextOf(second)).toBeUndefined();
    expect(second).toContain("First page");
    expect(second).toContain('<option value="DE" selected="">Germany</option>');
  });

  it.each([
    ["?country=SG", 3],
    ["?country=unknown", 2],
    ["?device=mobile&os=Android&country=de", 50],
    ["?os=unknown", 2],
    ["?os=android&device=Mobile&country=t1", 1],
    ["?from=2026-10-19", 5],
    ["?from=2026-10-19&to=2026-10-19&country=SG", 3],
    ["?to=2026-10-18", 50],
    ["?from=2026-10-20", 0],
    ["?country=&from=", 50],
  ])("with %s are %i on the first page", async (query, count) => {
    const page = await pageAt(browser, at(query));
    expect(rowsOf(page)).toHaveLength(count);
    if (count === 0) expect(page).toContain("No scan matches");
  });

  it.each([
    ["?country=Germany", "Country must be a two-letter country code", 'value="Germany" selected'],
    ["?from=2026-02-30", "First day must be a day such as", 'value="2026-02-30"'],
    ["?from=2026-10-02&to=2026-10-01", "First day can&#39;t be after to", 'value="2026-10-02"'],
    ["?device=fridge", "Device must be mobile", 'value="fridge" selected'],
  ])("say what is wrong with %s, and keep it in the form", async (query, problem, kept) => {
    const page = await pageAt(browser, at(query), 400);
    expect(page).toContain(problem);
    expect(page).toContain(kept);
    expect(rowsOf(page)).toEqual([]);
  });

  it("can be filtered by the countries and systems that the code was scanned from", async () => {
    const page = await pageAt(browser, at());
    const choices = (name: string) => {
      const select = new RegExp(`<select[^>]* name="${name}">(.*?)</select>`).exec(page)?.[1] ?? "";
      return [...select.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
    };
    expect(page).toContain('<option value="T1">Tor</option>');
    expect(choices("country")).toEqual(["", "DE", "SG", "T1", "unknown"]);
    expect(choices("os")).toEqual(["", "Android", "iOS", "unknown"]);
  });

  it("show the filters in force as chips, which lead to the log without them", async () => {
    const page = await pageAt(browser, at("?from=2026-10-18&to=2026-10-19&country=DE&os=unknown"));
    expect(page).toContain("18–19 Oct 2026");
    for (const [name, value, others] of [
      ["Country", "Germany", "from=2026-10-18&amp;to=2026-10-19&amp;os=unknown"],
      ["System", "Unknown", "from=2026-10-18&amp;to=2026-10-19&amp;country=DE"],
    ] as const) {
      const [chip = ""] = page.split(`<a class="chip" href="${at(`?${others}`)}">`)[1]?.split("</a>") ?? [];
      expect(chip).toContain(`${name}:</span> <strong>${value}<`);
    }
    expect(page).toContain(`href="${at("?country=DE&amp;os=unknown")}">`);
  });

  it("are saved as CSV as they are shown, all pages of them", async () => {
    const page = await pageAt(browser, at("?country=DE"));
    const href = /href="([^"]+\/log\.csv[^"]*)"/.exec(page)?.[1] ?? "";
    const file = await browser.open(href);
    expect(file.headers.get("content-disposition")).toContain("scan-log.csv");
    const [head, ...lines] = (await file.text()).trimEnd().split("\r\n");
    expect(head).toBe("time,country,city,device,system,browser,via,bot rule");
    expect(lines).toHaveLength(60);
    expect(lines[0]).toBe("2026-10-18T23:30:05+00:00,Germany,Köln,Phone,Android,Firefox,,");
    const unknown = await (await browser.open(at("/log.csv?country=unknown"))).text();
    expect(unknown).toContain("2026-10-19T13:00:00+00:00,,,,,,,\r\n");
    await pageAt(browser, at("/log.csv?from=2026-02-30"), 400);
    await pageAt((await signedIn(service)).browser, at("/log.csv"), 404);
  });

  it("name the domain or alias by which a scan came", async () => {
    const own = await client.createQr();
    const scans = [{ via: "go.example/menu" }, { via: null, city: null, country: null, userAgent: null }];
    await recordVaried(
      service,
      scans.map((one, i) =>
        scanRecord({ at: now + i, workspaceId: client.workspaceId, qrId: own.id, hash: own.hash, ...one }),
      ),
    );
    const cells = rowsOf(await pageAt(browser, `/dashboard/codes/${own.id}/scans`)).map(([time]) => time);
    expect(cells).toEqual(["20 Oct 2026, 15:30:00", "20 Oct 2026, 15:30:00by go.example/menu"]);
    const card = await pageAt(browser, `/dashboard/codes/${own.id}`);
    expect(card).toContain("<span>Köln, Germany, iOS, Phone, by go.example/menu</span>");
    expect(card).toContain("<span>Unknown device</span>");
    const file = await (await browser.open(`/dashboard/codes/${own.id}/scans/log.csv`)).text();
    expect(file).toContain(",go.example/menu,\r\n");
  });

  it("by bots are shown on request, with the rule that sorted them", async () => {
    const own = await client.createQr();
    const made = { workspaceId: client.workspaceId, qrId: own.id, hash: own.hash };
    await recordVaried(service, [
      scanRecord({ ...made, at: now }),
      scanRecord({ ...made, at: now + 1000, userAgent: "Dart/3.1 (dart:io)" }),
      scanRecord({ ...made, at: now + 2000, prefetch: true }),
    ]);
    const address = (query: string) => `/dashboard/codes/${own.id}/scans${query}`;
    const times = async (query: string) =>
      rowsOf(await pageAt(browser, address(query))).map(([time]) => time);
    const people = "20 Oct 2026, 15:30:00";
    const bots = ["20 Oct 2026, 15:30:02bot: prefetch", "20 Oct 2026, 15:30:01bot: dart-fetch"];
    expect(await times("")).toEqual([people]);
    expect(await times("?kind=bot")).toEqual(bots);
    expect(await times("?kind=all")).toEqual([...bots, people]);
    const page = await pageAt(browser, address("?kind=bot"));
    expect(page).toContain("Scans:</span> <strong>By bots<");
    expect(page).toContain('<option value="">By people</option>');
    expect(page).toContain('/api/v1/docs/bots.md"');
    expect(await pageAt(browser, address(""))).not.toContain("bots.md");
    const file = await (await browser.open(address("/log.csv?kind=bot"))).text();
    expect(file.trimEnd().split("\r\n").slice(1)).toEqual([
      "2026-10-20T15:30:02+00:00,,,Phone,iOS,Safari,,prefetch",
      "2026-10-20T15:30:01+00:00,,,,,,,dart-fetch",
    ]);
    expect(await pageAt(browser, address("?kind=robots"), 400)).toContain("Scans must be");
  });

  it("refuse a cursor of other filters", async () => {
    const next = nextOf(await pageAt(browser, at("?country=DE"))) ?? "";
    await pageAt(browser, next.replace("country=DE", "country=SG"), 400);
  });

  it("are linked from the code's page, and have the same 404 elsewhere", async () => {
    expect(await pageAt(browser, `/dashboard/codes/${code.id}`)).toContain(`href="${at()}"`);
    const stranger = await signedIn(service);
    for (const id of [code.id, crypto.randomUUID(), "x"]) {
      await pageAt(stranger.browser, `/dashboard/codes/${id}/scans`, 404);
    }
  });

  it("lead on where there is none", async () => {
    const fresh = await client.createQr();
    const page = await pageAt(browser, `/dashboard/codes/${fresh.id}/scans`);
    expect(page).toContain("No scans yet");
    expect(page).toContain(`href="/dashboard/codes/${fresh.id}/test"`);
  });
});

it("times and days are those of the workspace's zone", async () => {
  const own = await service.session();
  const qr = await (await service.client(own.workspaceId)).createQr();
  const record = scanRecord({
    at: Date.UTC(2026, 9, 18, 23),
    workspaceId: own.workspaceId,
    qrId: qr.id,
    hash: qr.hash,
  });
  await service.fetch("/dashboard/settings/reports", {
    method: "POST",
    headers: { cookie: own.cookie, origin, "content-type": "application/x-www-form-urlencoded" },
    body: "timeZone=Europe/Berlin&keepScansDays=",
  });
  await service.deps.ledger(own.workspaceId).recordScans(packed(record), now);
  const open = async (query: string) =>
    (
      await service.fetch(`/dashboard/codes/${qr.id}/scans${query}`, { headers: { cookie: own.cookie } })
    ).text();
  await expect.poll(() => open("")).toContain("19 Oct 2026, 01:00:00");
  expect(await open("")).toContain("Time (Europe/Berlin)");
  expect(rowsOf(await open("?from=2026-10-19&to=2026-10-19"))).toHaveLength(1);
  expect(rowsOf(await open("?to=2026-10-18"))).toHaveLength(0);
});

/** A new code of the workspace with so many scans, all but the first of which are put into its ledger directly. */
async function scannedOften(own: Client, count: number): Promise<Qr> {
  const qr = await own.createQr();
  const at = Date.UTC(2026, 9, 10);
  const record = scanRecord({ at, workspaceId: own.workspaceId, qrId: qr.id, hash: qr.hash });
  await recordVaried(service, [record]);
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(own.workspaceId));
  await runInDurableObject(ledger, (_, { storage: { sql } }) => {
    sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
       INSERT INTO scans (id, code, agent, place, visitor)
       SELECT unhex(printf('%012x7000800000%010x', ? + i, i)), code, agent, place, visitor FROM scans, n`,
      count,
      at,
    );
  });
  return qr;
}

it("a filter that finds nothing in the scans that were read leads to those that were not", async () => {
  const own = await signedIn(service);
  const qr = await scannedOften(own.client, bounds.listedScans + 1);
  const page = await pageAt(own.browser, `/dashboard/codes/${qr.id}/scans?country=SG`);
  expect(page).toContain("No scan matches so far");
  expect(await pageAt(own.browser, nextOf(page) ?? "")).toContain("No scan matches<");
});

it("a file of a scan log ends after its bound", async () => {
  const own = await signedIn(service);
  const most = bounds.loggedPages * limits.scanList.max;
  const qr = await scannedOften(own.client, most + 5);
  const file = await (await own.browser.open(`/dashboard/codes/${qr.id}/scans/log.csv`)).text();
  expect(file.match(/\r\n/g)).toHaveLength(1 + most);
});
