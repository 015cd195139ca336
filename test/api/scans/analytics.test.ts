import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { limits } from "../../../src/contract/limits.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Analytics, Dimension, ReportingSettings } from "../../../src/contract/resources/scans/analytics.ts";
import { expectError } from "../../support/endpoints.ts";
import { settingsPath, settledReporting } from "../../support/scans/reporting.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type ApiClient, type Client, FakeClock, Service } from "../../support/service.ts";

const service = new Service();
const noon = Date.UTC(2026, 0, 15, 12);
const january = "from=2026-01-01&to=2026-01-31";

let client: Client;
let code: Qr;

beforeAll(async () => {
  client = await service.workspace();
  code = await client.createQr();
});

const report = (api: ApiClient, query = january, path = "/analytics") =>
  api.expect(200, Analytics.strict(), "GET", `${path}?${query}`);

/** Records one scan of each code. */
async function scan(...codes: readonly Qr[]): Promise<void> {
  const { workspaceId } = client;
  const scans = codes.map(({ id, hash }) => scanRecord({ workspaceId, qrId: id, hash, at: noon }));
  await service.deps.ledger(workspaceId).recordScans(packed(...scans), noon);
}

describe("a query", () => {
  const dayProblem = "must be a date such as 2026-01-31.";
  const boundsProblem = "must be between 2000-01-01 and 2999-12-31.";
  const dimensions = Dimension.options.join(", ");

  it.each([
    ["dimensions=country,colour", `dimensions can't contain \`colour\`. Use ${dimensions}.`],
    ["dimensions=Country", `dimensions can't contain \`Country\`. Use ${dimensions}.`],
    [`dimensions=${"x".repeat(5000)}`, `dimensions can't contain \`${"x".repeat(40)}\`. Use ${dimensions}.`],
    ["interval=minute", "interval must be hour, day, week or month."],
    ["compare=last", "compare must be previous or year."],
    ["from=2026-02-01&to=2026-01-31", "from can't be after to."],
    ["from=yesterday", `from ${dayProblem}`],
    ["to=2026-02-30", `to ${dayProblem}`],
    ["from=2026-01-01T00:00:00Z", `from ${dayProblem}`],
    ["from=1999-12-31", `from ${boundsProblem}`],
    ["to=3000-01-01", `to ${boundsProblem}`],
    ["limit=0", "limit must be a whole number of at least 1."],
    ["limit=1&limit=2", "limit can be given only once."],
  ])("with %s is refused", async (query, error) => {
    for (const path of ["/analytics", `/qr/${code.id}/analytics`]) {
      const response = await client.send("GET", `${path}?${query}`);
      expect(await expectError(response, 400, "invalid_input")).toBe(error);
    }
  });

  it("about one code is refused if it asks for numbers by code", async () => {
    const response = await client.send("GET", `/qr/${code.id}/analytics?dimensions=country,code`);
    expect(await expectError(response, 400, "invalid_input")).toBe(
      "dimensions can include `code` only in a report on several codes.",
    );
  });

  it("for a tag and a folder is refused", async () => {
    const response = await client.send("GET", "/analytics?tag=a&folderId=b");
    expect(await expectError(response, 400, "invalid_input")).toBe("folderId can't be combined with tag.");
  });

  it("from a day in the future is refused", async () => {
    const response = await client.send("GET", "/analytics?from=2999-01-01");
    expect(await expectError(response, 400, "invalid_input")).toMatch(/^from /);
  });

  it.each(["hour", "day", "week", "month"])(
    "with more steps of a %s than a series may have is refused with the number that it can ask for",
    async (interval) => {
      const tooLong = `/analytics?from=2000-01-01&to=2999-12-31&interval=${interval}`;
      const error = await expectError(await client.send("GET", tooLong), 400, "invalid_input");
      expect(error).toMatch(/^interval /);
      const longest = Number(/at most (\d+) days/.exec(error)?.[1]);
      const lastDay = (days: number) => new Date(Date.UTC(2026, 0, days)).toISOString().slice(0, 10);
      const query = `interval=${interval}&from=2026-01-01`;
      const { series } = await report(client, `${query}&to=${lastDay(longest)}`);
      expect(series.length).toBeLessThanOrEqual(limits.analytics.points);
      const longer = await client.send("GET", `/analytics?${query}&to=${lastDay(longest + 1)}`);
      await expectError(longer, 400, "invalid_input");
      if (interval !== "month") expect(error).toMatch(/or interval=(day|week|month)\.$/);
    },
  );

  it("may name dimensions in any order, twice, with spaces, and any limit", async () => {
    const { dimensions } = await report(client, "dimensions=os,%20country,os,&limit=999999999");
    expect(Object.keys(dimensions).sort()).toEqual(["country", "os"]);
  });
});

describe("a report", () => {
  it("is by default on the 30 days that end today in the reporting time zone, by day", async () => {
    const own = new Service({ now: new FakeClock(Date.parse("2026-03-10T23:30:00Z")).now });
    const workspace = await own.workspace();
    const { from, to, interval, series, comparison, dimensions } = await report(workspace, "");
    expect({ from, to, interval, comparison, dimensions }).toEqual({
      from: "2026-02-09",
      to: "2026-03-10",
      interval: "day",
      comparison: null,
      dimensions: {},
    });
    expect(series).toHaveLength(30);
    const member = await own.sessionIn(workspace.workspaceId);
    await member.expect(200, ReportingSettings, "PATCH", settingsPath, { timeZone: "Europe/Berlin" });
    await settledReporting(member);
    expect(await report(workspace, "")).toMatchObject({
      timeZone: "Europe/Berlin",
      from: "2026-02-10",
      to: "2026-03-11",
    });
  });

  it("has the scans of a deleted code, by its name until that is erased", async () => {
    const deleted = await client.createQr({ name: "Deleted" });
    await scan(deleted);
    await client.send("DELETE", `/qr/${deleted.id}`);
    const own = await report(client, january, `/qr/${deleted.id}/analytics`);
    expect(own.totals.scans).toBe(1);
    const itemOf = async () => {
      const { dimensions } = await report(client, `${january}&dimensions=code&limit=500`);
      return dimensions.code?.items.find(({ value }) => value === deleted.id);
    };
    const { id: value, hash } = deleted;
    expect(await itemOf()).toEqual({ value, scans: 1, name: "Deleted", hash });
    await env.DB.prepare("UPDATE qr_codes SET name = NULL WHERE id = ?").bind(deleted.id).run();
    expect(await itemOf()).toEqual({ value, scans: 1, name: null, hash });
  });

  it("lists all codes by pages, each once, most scans first", async () => {
    const more = await Promise.all([client.createQr(), client.createQr(), client.createQr()]);
    await scan(...more, ...more.slice(1, 2));
    const whole = (await report(client, `${january}&dimensions=code&limit=500`)).dimensions.code;
    const pages: unknown[] = [];
    for (let cursor: string | null | undefined = ""; cursor != null; ) {
      const at: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { dimensions }: Analytics = await report(client, `${january}&dimensions=code&limit=2${at}`);
      const { code } = dimensions;
      expect(code?.items.length).toBeLessThanOrEqual(2);
      pages.push(...(code?.items ?? []));
      cursor = code?.nextCursor;
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages).toEqual(whole?.items);
    const { nextCursor } = (await report(client, `${january}&dimensions=code&limit=1`)).dimensions.code ?? {};
    for (const query of [
      `dimensions=code&tag=other&cursor=${nextCursor}`,
      `cursor=${nextCursor}`,
      "cursor=x",
    ]) {
      const refused = await client.send("GET", `/analytics?${january}&${query}`);
      expect(await expectError(refused, 400, "invalid_input")).toContain("cursor");
    }
  });

  it("has nothing of another workspace", async () => {
    await scan(code);
    const other = await service.workspace();
    expect((await report(other)).totals).toMatchObject({ scans: 0, botScans: 0 });
    const foreign = await other.send("GET", `/qr/${code.id}/analytics`);
    await expectError(foreign, 404, "not_found");
  });

  it("needs the scope scans:read of a secret key", async () => {
    const origins = ["https://shop.example"];
    const { workspaceId } = client;
    const others = [
      await service.client(workspaceId, ["qr:read", "qr:write"]),
      await service.client(workspaceId, ["qr:write"], "publishable", origins),
    ];
    for (const other of others) {
      for (const path of ["/analytics", `/qr/${code.id}/analytics`]) {
        const response = await other.send("GET", path, undefined, { origin: "https://shop.example" });
        await expectError(response, 403, "forbidden");
      }
    }
    const reader = await service.client(workspaceId, ["scans:read"]);
    await report(reader);
  });
});

describe("a report by tag or folder", () => {
  it("is on the codes that have it today", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const tagged = await client.createQr({ tags: ["spring"], name: "Tagged" });
    const filed = await client.createQr({ folderId: folder.id, name: "Filed" });
    await scan(tagged, filed, filed);
    const scans = async (query: string) => {
      const { totals, dimensions, allTime } = await report(client, `${january}&dimensions=code&${query}`);
      const names = dimensions.code?.items.map(({ name }) => name);
      return { scans: totals.scans, names, allTime };
    };
    const oneCode = (scans: number, visitors: number) => ({ scans, visitors });
    expect(await scans("tag=spring")).toEqual({ scans: 1, names: ["Tagged"], allTime: oneCode(1, 1) });
    expect(await scans(`folderId=${folder.id}`)).toEqual({
      scans: 2,
      names: ["Filed"],
      allTime: oneCode(2, 1),
    });
    await client.send("PATCH", `/qr/${filed.id}`, { tags: ["spring"], folderId: null });
    const both = { scans: 3, visitors: null };
    expect(await scans("tag=spring")).toEqual({ scans: 3, names: ["Filed", "Tagged"], allTime: both });
    expect(await scans(`folderId=${folder.id}`)).toMatchObject({ scans: 0, names: [] });
    await client.send("DELETE", `/qr/${filed.id}`);
    expect(await scans("tag=spring")).toMatchObject({ scans: 1, names: ["Tagged"] });
  });

  it("is empty where the list of codes is: for unknown and foreign ones", async () => {
    const other = await service.workspace();
    const { id } = await other.expect(201, Folder, "POST", "/folders", { name: "Theirs" });
    const theirs = await other.createQr({ folderId: id, tags: ["theirs"] });
    expect(theirs.folderId).toBe(id);
    for (const filter of [`folderId=${id}`, "folderId=x", "folderId=", "tag=theirs", "tag="]) {
      const { items } = (await (await client.send("GET", `/qr?${filter}`)).json()) as { items: unknown[] };
      expect(items).toEqual([]);
      const { totals, dimensions, allTime, series } = await report(
        client,
        `${january}&dimensions=code&${filter}`,
      );
      expect(totals).toMatchObject({ scans: 0, newVisitors: 0, botScans: 0 });
      expect(dimensions.code).toEqual({ items: [], other: { values: 0, scans: 0 }, nextCursor: null });
      expect(allTime.scans).toBe(0);
      expect(series).toHaveLength(31);
    }
  });

  it("has a bound on codes, and on days of that many codes", async () => {
    const { codes } = limits.analytics;
    const own = await service.workspace();
    const folder = await own.expect(201, Folder, "POST", "/folders", { name: "Large" });
    await insertCodes(own.workspaceId, folder.id, codes + 1);
    for (const filter of ["tag=large", `folderId=${folder.id}`]) {
      const many = await own.send("GET", `/analytics?${filter}`);
      const field = filter.split("=")[0];
      expect(await expectError(many, 400, "invalid_input")).toBe(
        `${field} has too many codes. Choose one with at most 1000, or report on the whole workspace.`,
      );
    }
    const { id } = (await own.expect(200, anyList, "GET", "/qr?limit=1")).items[0] ?? { id: "" };
    await own.send("DELETE", `/qr/${id}`);
    const days = (from: string) => own.send("GET", `/analytics?tag=large&from=${from}&to=2026-04-10`);
    expect((await days("2026-01-01")).status).toBe(200);
    expect(await expectError(await days("2025-12-31"), 400, "invalid_input")).toBe(
      "from must be at most 100 days before to in a report on 1000 codes.",
    );
    const untilToday = await own.send("GET", `/analytics?folderId=${folder.id}&from=2020-01-01`);
    expect(await expectError(untilToday, 400, "invalid_input")).toContain("at most 100 days");
    expect((await own.send("GET", "/analytics?tag=large")).status).toBe(200);
    expect((await own.send("GET", "/analytics?from=2025-01-01&to=2026-01-01")).status).toBe(200);
  });
});

const anyList = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Creates codes with the tag `large` in a folder. */
async function insertCodes(workspaceId: string, folderId: string, count: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
     INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, data, folder_id, tags, status, created_at, updated_at)
     SELECT printf('01900000-0000-7000-8000-%012x', i), ?1, printf('L%07d', i), 1, 'url',
       '{"type":"url","url":"https://example.com/"}', ?2, '["large"]', 'active', 0, 0 FROM n`,
  )
    .bind(workspaceId, folderId, count)
    .run();
}
