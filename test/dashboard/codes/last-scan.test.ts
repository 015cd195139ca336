import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SavedLists } from "../../../src/contract/resources/codes/saved-lists.ts";
import { formatDay } from "../../../src/lib/time/calendar.ts";
import { zoneOf } from "../../../src/lib/time/zone.ts";
import { insertCodes } from "../../support/bulk.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { settingsPath, settledReporting } from "../../support/scans/reporting.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";

const clock = new FakeClock(Date.parse("2026-03-31T21:30:00Z"));
const service = new Service({ now: clock.now });
/** Where reports' days begin, it is tomorrow in half an hour, earlier than in UTC. */
const timeZone = "Europe/Berlin";
const today = zoneOf(timeZone).dayOf(clock.now());
let me: SignedInBrowser;

/** The codes by how many days ago they were scanned last. */
const codes = { Today: 0, "Day 29": 29, "Day 30": 30, "Day 89": 89, "Day 90": 90, Never: undefined };

beforeAll(async () => {
  me = await signedIn(service);
  const session = await service.sessionIn(me.client.workspaceId);
  await session.send("PATCH", settingsPath, { timeZone });
  expect(await settledReporting(session)).toMatchObject({ timeZone });
  for (const [name, days] of Object.entries(codes)) {
    const { id } = await me.client.createQr({ name });
    if (days === undefined) continue;
    await env.DB.prepare("INSERT INTO scan_totals (workspace_id, qr_id, scans, last_day) VALUES (?, ?, 1, ?)")
      .bind(me.client.workspaceId, id, today - days)
      .run();
  }
});

const list = (text: string) => `/dashboard/codes?${new URLSearchParams({ q: text })}`;
const names = (page: string) =>
  [...page.matchAll(/<a class="name"[^>]*>([^<]*)<\/a>/g)].map(([, name = ""]) => name).sort(byDays);
const byDays = (one: string, other: string) =>
  Object.keys(codes).indexOf(one) - Object.keys(codes).indexOf(other);
const words = (page: string) => page.replaceAll(/<[^>]*>/g, "");

describe("the filter by the last scan", () => {
  it.each([
    ["never", ["Never"], "Never"],
    ["after-30d", ["Today", "Day 29"], "In the last 30 days"],
    ["before-30d", ["Day 30", "Day 89", "Day 90"], "More than 30 days ago"],
    ["BEFORE-90D", ["Day 90"], "More than 90 days ago"],
    [`after-${formatDay(today)}`, ["Today"], "Since 31 Mar 2026"],
    [`before-${formatDay(today - 89)}`, ["Day 90"], "Before 1 Jan 2026"],
  ])("scanned:%s finds codes, counts them and says which", async (value, found, text) => {
    const page = await pageAt(me.browser, list(`scanned:${value}`));
    expect(names(page)).toEqual(found);
    expect(words(page)).toContain(`Last scan: ${text}`);
    expect(words(page)).toContain(`${found.length} of 6 codes`);
    expect(words(page)).toContain("This filter is up to a day old");
    expect(page).toContain(`<option value="${value.toLowerCase()}" selected`);
    const sorted = await pageAt(me.browser, `${list(`scanned:${value}`)}&sort=name`);
    expect(names(sorted)).toEqual(found);
  });

  it.each(["often", "before-", "before-0d", "after-2026-02-31", "before-99999d"])(
    "finds nothing with %s, which isn't a time",
    async (value) => expect(names(await pageAt(me.browser, list(`scanned:${value}`)))).toEqual([]),
  );

  it("is chosen in the panel, beside the others", async () => {
    const answer = await me.browser.open("/dashboard/codes/search?q=type%3Aurl+day&scanned=before-30d");
    expect(answer.headers.get("location")).toBe(origin + list("type:url scanned:before-30d day"));
  });

  it("is saved with a list, which is of other days tomorrow, and is in the API", async () => {
    const form = await pageAt(me.browser, `/dashboard/lists/new?q=scanned%3Abefore-90d`);
    const answer = await me.browser.submit("/dashboard/lists/new", {
      ...fieldsOf(form),
      name: "Asleep",
      shared: "everyone",
    });
    const saved = answer.headers.get("location")?.slice(origin.length) ?? "";
    const page = await pageAt(me.browser, saved);
    expect(names(page)).toEqual(["Day 90"]);
    expect(words(page)).not.toContain("how the list is saved");
    const { lists } = await me.client.expect(200, SavedLists, "GET", "/developer/lists");
    expect(lists.map(({ filter }) => filter)).toEqual([{ scanned: "before-90d" }]);
    clock.advance(3_600_000);
    expect(names(await pageAt(me.browser, saved))).toEqual(["Day 89", "Day 90"]);
    clock.advance(-3_600_000);
  });

  it("begins again where a cursor is of yesterday's list", async () => {
    await insertCodes(me.client, 60);
    const first = await pageAt(me.browser, list("scanned:never"));
    const [, next = ""] = /href="([^"]*cursor=[^"]*)"/.exec(first) ?? [];
    expect(next).not.toBe("");
    const other = next.replaceAll("&amp;", "&").replace("never", "before-90d");
    const answer = await me.browser.open(other);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(origin + list("scanned:before-90d"));
  });

  it("selects the codes of a page, but not all that it finds, because that is up to a day old", async () => {
    const found = await pageAt(me.browser, list("scanned:never"));
    expect(found).toContain("data-selection");
    expect(found).not.toContain('id="select-all"');
    expect(found).not.toContain("/dashboard/print?all=on");
    expect(await pageAt(me.browser, list("type:url"))).toContain('id="select-all"');
    for (const path of ["codes/bulk", "print", "print/images"]) {
      const refused = await pageAt(me.browser, `/dashboard/${path}?all=on&q=scanned%3Anever`, 400);
      expect(words(refused)).toContain("Select the codes in the list");
    }
  });
});

describe("a saved filter in the API", () => {
  it("refuses what isn't a time, by its name", async () => {
    const filter = { scanned: "before-2026-02-31" };
    const answer = await me.client.send("POST", "/developer/lists", { name: "Wrong", filter });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("filter.scanned must be never, or before or after a day");
  });
});
