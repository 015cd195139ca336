import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Browser } from "../../support/browser.ts";
import { settledReporting } from "../../support/scans/reporting.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { recordVaried, variedScans } from "../../support/scans/varied-scans.ts";
import { type Client, FakeClock, origin, Service, type SessionClient } from "../../support/service.ts";

const now = Date.UTC(2026, 9, 20, 15, 30);
const service = new Service({ now: new FakeClock(now).now });
let session: SessionClient;
let client: Client;
let browser: Browser;
let code: Qr;
let other: Qr;

const browserOf = ({ cookie }: SessionClient) => {
  const own = new Browser(service);
  own.cookies.set("session", cookie.replace("session=", ""));
  return own;
};

const botAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** Scans of a code, of distinct visitors, at the same time. */
const scan = (qr: Qr, count: number, at: number, overrides: Parameters<typeof scanRecord>[0] = {}) =>
  recordVaried(
    service,
    Array.from({ length: count }, (_, index) =>
      scanRecord({
        at,
        workspaceId: session.workspaceId,
        qrId: qr.id,
        hash: qr.hash,
        visitor: (index + 1).toString(16).padStart(16, "0"),
        ...overrides,
      }),
    ),
  );

beforeAll(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
  browser = browserOf(session);
  code = await client.createQr({ name: "Poster <b>", tags: ["fair"] });
  other = await client.createQr({ name: "Menu" });
  await scan(code, 12, Date.UTC(2026, 9, 18, 14));
  await scan(code, 3, Date.UTC(2026, 9, 18, 14), { userAgent: botAgent });
  await scan(code, 8, Date.UTC(2026, 9, 10, 9), { country: "SG", city: "<i>Singapore</i>" });
  await scan(code, 2, Date.UTC(2026, 9, 19, 0), { country: null, city: null });
  await scan(other, 4, Date.UTC(2026, 9, 20, 1));
});

/** The page's text without elements, its spaces collapsed. */
const textOf = (page: string) =>
  page
    .replace(/<(title|option)[^>]*>.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const open = async (path: string, own = browser) => {
  const answer = await own.open(path);
  const page = await answer.text();
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  expect(page).not.toMatch(/<style|\s(on\w+|style)=|NaN|undefined|\[object/);
  return page;
};

describe("the analytics of a code", () => {
  const path = () => `/dashboard/codes/${code.id}`;

  it("show its numbers, their change and their places, and nothing unescaped", async () => {
    const page = await open(`${path()}?range=7d`);
    const text = textOf(page);
    expect(text).toContain("Scans 14 Up 75% from 8 ");
    expect(text).toContain("Visitors 12 Up 50% from 8 ");
    expect(text).toContain("Bots 3 from 0 ");
    expect(text).toContain("14–20 Oct 2026, compared with 7–13 Oct. UTC");
    expect(text).toContain("22 scans by 12 visitors in all");
    expect(text).toContain("Germany 12 85.7%");
    expect(text).toContain("Unknown 2 14.3%");
    expect(text).toContain("Phone 14 100.0%");
    expect(page).toContain("Most on Sunday at 14:00: 12.");
    const earlier = await open(`${path()}?range=custom&from=2026-10-10&to=2026-10-10`);
    expect(textOf(earlier)).toContain("&lt;i&gt;Singapore&lt;/i&gt;, Singapore 8 100.0%");
    expect(earlier).not.toContain("<i>");
    expect(page).not.toContain("Poster <b>");
  });

  it("begin with a sentence", async () => {
    const sentences = async (query: string) => textOf(await open(path() + query));
    expect(await sentences("?range=7d")).toContain(
      "14 scans, 75% more than in the 7 days before. Busiest on Sundays around 14:00.",
    );
    expect(await sentences("?range=7d&compare=none")).toContain(" 14 scans. Busiest on");
    // An hour of the week is known only from a week on, and only if it isn't chance.
    expect(await sentences("?range=custom&from=2026-10-10&to=2026-10-10")).toContain(
      " 8 scans, after none the day before. ",
    );
    expect(textOf(await open(`/dashboard/codes/${other.id}?range=7d`))).toMatch(
      / 4 scans, after none in the 7 days before\. (?!Busiest)/,
    );
  });

  it("have a table with the days of the chart", async () => {
    const text = textOf(await open(`${path()}?range=7d`));
    expect(text).toContain("Day People Bots 7 days before Wed, 14 Oct 2026 0 0 0");
    expect(text).toContain("Sun, 18 Oct 2026 12 3 0 ");
  });

  it.each([
    ["range=7d", "by day", 7, "14–20 Oct 2026, compared with 7–13 Oct"],
    ["", "by day", 30, "21 Sept – 20 Oct 2026, compared with 22 Aug – 20 Sept"],
    ["range=90d", "by day", 90, ""],
    // Whole weeks from a Monday, with today's week up to today in both.
    ["range=12m", "by week", 53, "20 Oct 2025 – 20 Oct 2026, compared with 14 Oct 2024 – 14 Oct 2025"],
    ["range=month&compare=year", "by day", 20, "1–20 Oct 2026, compared with 1–20 Oct 2025"],
    ["range=month", "by day", 20, "1–20 Oct 2026, compared with 1–20 Sept"],
    ["range=last-month", "by day", 30, "1–30 Sept 2026, compared with 1–31 Aug"],
    ["range=quarter", "by day", 20, "1–20 Oct 2026, compared with 1–20 Jul"],
    ["range=last-quarter", "by day", 92, "1 Jul – 30 Sept 2026, compared with 1 Apr – 30 Jun"],
    ["range=custom&from=2026-10-19&to=2026-10-20", "by hour", 48, ""],
    ["range=custom&from=2026-01-01&to=2026-10-20", "by week", 43, ""],
    ["range=custom&from=2020-01-01&to=2026-10-20", "by month", 82, ""],
    ["range=unknown&compare=unknown", "by day", 30, ""],
  ])("with %s are %s in %i steps, and compare the same days", async (query, words, steps, days) => {
    const page = await open(`${path()}?${query}`);
    expect(page).toMatch(new RegExp(`aria-label="\\d+ scans ${words}`));
    const shown = page.match(/<span class="step( now)?">/g) ?? [];
    expect(shown).toHaveLength(steps);
    expect(textOf(page)).toContain(days);
    // Today is marked in the ranges that have not ended.
    if (query.startsWith("range=last")) expect(shown).not.toContain('<span class="step now">');
    if (query === "range=month") {
      expect(shown).toContain('<span class="step now">');
      expect(page).toContain("Today, so far");
    }
  });

  it("can leave out bots and the comparison, and keep both in every link", async () => {
    const page = await open(`${path()}?range=7d&bots=hide&compare=none`);
    expect(page).not.toContain('<rect class="chart-bots"');
    expect(page).not.toContain('"chart-earlier"');
    expect(page).not.toContain("from 8");
    expect(page).toContain(`href="${path()}?compare=none&amp;bots=hide"`);
    expect(page).toContain("Remove the filter </span><span>Bots:</span> <strong>hidden</strong>");
    expect(textOf(page)).toMatch(/No comparison.*7 days before 7–13 Oct 2026/);
  });

  it("offer last year only where there may be scans of it", async () => {
    const text = textOf(await open(path()));
    expect(text).toContain("days before");
    expect(text).not.toContain("Same period last year");
  });

  it("are files, too: steps with the earlier period, breakdowns, and single scans", async () => {
    const file = async (address: string) => {
      const answer = await browser.open(address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      return (await answer.text()).replace("\ufeff", "").trimEnd().split("\r\n");
    };
    const page = await open(`${path()}?range=7d`);
    expect(page).toContain(`href="${path()}/report.csv?range=7d"`);
    const steps = await file(`${path()}/report.csv?range=7d`);
    expect(steps[0]).toBe("start,scans,visitors,newVisitors,botScans,earlierStart,earlierScans");
    expect(steps).toHaveLength(8);
    expect(steps[5]).toBe("2026-10-18T00:00:00+00:00,12,12,12,3,2026-10-11T00:00:00+00:00,0");
    expect(await file(`${path()}/report.csv?range=7d&compare=none`)).toContain(
      "2026-10-18T00:00:00+00:00,12,12,12,3",
    );
    const values = await file(`${path()}/breakdowns.csv?range=7d`);
    expect(values).toContain("Countries,Germany,12");
    expect(values).toContain("Hours of the week,Sunday 14:00,12");
    expect(await file("/dashboard/breakdowns.csv?range=7d")).toContain("Codes,Menu,4");
    expect(await file("/dashboard/report.csv?range=7d&tag=fair")).toHaveLength(8);
    expect(await file(`${path()}/scans.csv?from=2026-10-10&to=2026-10-10`)).toHaveLength(9);
    expect(await file("/dashboard/scans.csv?from=2026-10-20&to=2026-10-20")).toHaveLength(5);
    // Spreadsheets take a file without one mark at its beginning for another encoding.
    for (const address of [`${path()}/report.csv`, "/dashboard/scans.csv", "/dashboard/codes/export.csv"]) {
      const bytes = await (await browser.open(address)).bytes();
      const marks =
        new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split("\ufeff").length - 1;
      expect([address, bytes.subarray(0, 3).toHex(), marks]).toEqual([address, "efbbbf", 1]);
    }
    for (const wrong of [
      "report.csv?range=custom&from=x",
      "scans.csv?from=x",
      "scans.csv?from=2026-10-20&to=2026-10-01",
    ]) {
      const answer = await browser.open(`${path()}/${wrong}`);
      expect([wrong, answer.status]).toEqual([wrong, 400]);
    }
    const stranger = browserOf(await service.session());
    for (const name of ["report.csv", "breakdowns.csv", "scans.csv"]) {
      expect((await stranger.open(`${path()}/${name}`)).status).toBe(404);
    }
  });

  it.each([
    ["from=2026-10-20&to=2026-10-01", "First day can&#39;t be after to."],
    ["from=yesterday&to=2026-10-01", "First day must be a date such as 2026-01-31."],
    ["from=2026-02-30", "First day must be a date such as 2026-01-31."],
    ["from=2026-12-24", "First day "],
    ["from=2000-01-01&to=2999-12-31", "Interval "],
  ])("say what is wrong with %s, and keep it in the form", async (query, problem) => {
    const page = await open(`${path()}?range=custom&${query}`);
    expect(textOf(page)).toContain(problem);
    expect(page).toContain(`name="from" value="${new URLSearchParams(query).get("from")}"`);
    expect(page).not.toContain("chart-plot");
  });

  it("lead on where there is no scan yet", async () => {
    const fresh = await client.createQr({});
    const page = await open(`/dashboard/codes/${fresh.id}`);
    expect(page).toContain("it shows up here within two seconds");
    expect(page).toContain(`href="/dashboard/codes/${fresh.id}/test"`);
    expect(page).not.toContain("chart-plot");
  });

  it("are in the workspace's time zone, with a way to change it", async () => {
    const own = await service.session();
    const qr = await (await service.client(own.workspaceId)).createQr();
    const at = Date.UTC(2026, 9, 18, 23);
    const record = scanRecord({ at, workspaceId: own.workspaceId, qrId: qr.id, hash: qr.hash });
    await service.deps.ledger(own.workspaceId).recordScans(packed(record), now);
    const form = new URLSearchParams({ timeZone: "europe/berlin", keepScansDays: "90" });
    const saved = await service.fetch("/dashboard/settings/reports", {
      method: "POST",
      headers: { cookie: own.cookie, origin, "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
    });
    expect(saved.status).toBe(303);
    expect(await settledReporting(own)).toMatchObject({ timeZone: "Europe/Berlin", keepScansDays: 90 });
    const page = await open(`/dashboard/codes/${qr.id}?range=7d`, browserOf(own));
    expect(textOf(page)).toContain("Mon, 19 Oct 2026 1 0");
    expect(page).toContain('<a href="/dashboard/settings/reports">Berlin time</a>');
  });

  it("mark estimates, and weigh less than 150 KB with many scans", async () => {
    const large = await client.createQr({ name: "Large" });
    const end = Date.UTC(2026, 8, 1);
    await recordVaried(service, variedScans(large, session.workspaceId, 5000, 1, end));
    const page = await open(`/dashboard/codes/${large.id}?range=12m`);
    expect(textOf(page)).toMatch(/Visitors ≈ [\d,]+ ±\d(\.\d)?%/);
    expect(page.length).toBeLessThan(150_000);
  });

  it("are the same 404 for another workspace, an unknown id and a malformed one", async () => {
    const stranger = browserOf(await service.session());
    for (const id of [code.id, crypto.randomUUID(), "x"]) {
      for (const part of ["", "/test", "/share"]) {
        const answer = await stranger.open(`/dashboard/codes/${id}${part}`);
        expect([part, answer.status]).toEqual([part, 404]);
        expect(await answer.text()).toContain("Page not found");
      }
    }
  });
});

describe("the overview", () => {
  it("has the numbers of all codes, the most scanned ones with links, and the map", async () => {
    const page = await open("/dashboard?range=7d");
    const text = textOf(page);
    expect(text).toContain("Scans 18 Up 125% from 8 ");
    expect(text).toMatch(/Top codes Poster &lt;b&gt; .{0,60}14 scans 77.8% Menu .{0,60}4 scans 22.2%/);
    expect(page).toContain(`<a class="name" dir="auto" href="/dashboard/codes/${other.id}">Menu</a>`);
    expect(page).toContain("<title>Germany: 16 scans");
  });

  it("can be of a tag or of a folder", async () => {
    expect(textOf(await open("/dashboard?range=7d&tag=fair"))).toContain("Scans 14 ");
    expect(textOf(await open("/dashboard?range=7d&tag=unknown"))).toContain("Scans 0 ");
    const folder = (await (await client.send("POST", "/folders", { name: "F <u>" })).json()) as {
      id: string;
    };
    await client.send("PATCH", `/qr/${other.id}`, { folderId: folder.id });
    const page = await open(`/dashboard?range=7d&folder=${folder.id}`);
    expect(textOf(page)).toContain("Scans 4 ");
    expect(page).toContain(`<option value="${folder.id}" selected="">F &lt;u&gt;</option>`);
    const both = await open(`/dashboard?tag=fair&folder=${folder.id}`);
    expect(textOf(both)).toContain("Folder can&#39;t be combined with tag.");
  });
});

describe("the settings of reports", () => {
  it("keep what was entered, and say what is wrong with it", async () => {
    const answer = await service.fetch("/dashboard/settings/reports", {
      method: "POST",
      headers: { cookie: session.cookie, origin, "content-type": "application/x-www-form-urlencoded" },
      body: "timeZone=Berlin&keepScansDays=30",
    });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain("Time zone must be an IANA time zone such as Europe/Berlin");
    expect(page).toContain('<option value="Berlin" selected="">Berlin</option>');
    const { timeZone, keepScansDays } = await settledReporting(session);
    expect({ timeZone, keepScansDays }).toEqual({ timeZone: "UTC", keepScansDays: null });
  });
});

describe("testing a code", () => {
  it("begins with no scan, with the address of its stream, and a link for browsers without scripts", async () => {
    const path = `/dashboard/codes/${other.id}/test`;
    const { pathname, search } = new URL((await browser.open(path)).headers.get("location") ?? "");
    const own = pathname + search;
    const page = await open(own);
    expect(page).toContain(`data-live="/api/v1/developer/qr/${other.id}/scans/live?after=`);
    expect(textOf(page)).toContain("0 since you opened this page");
    expect(page).not.toContain("<time ");
    expect(page).toContain('aria-live="polite"');
    expect(page).toContain(`<a href="${own}">Reload the page</a>`);
    const earlier = await open(`${path}?after=`);
    expect(textOf(earlier)).toContain("4 since you opened this page");
    expect(earlier.match(/<time /g)).toHaveLength(4);
  });
});
