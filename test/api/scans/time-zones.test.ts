import { beforeAll, describe, expect, it } from "vitest";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { packScans } from "../../../src/edge/scans/pack.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { scanRecord } from "../../support/scans/scans.ts";
import { type Client, Service } from "../../support/service.ts";

const service = new Service({ now: () => Date.UTC(2026, 11, 31) });
let client: Client;
let code: { id: string; hash: string };

/** The scans' times, oldest first. */
const times = [
  // The last second of 28 March in Berlin, the first and the last of 29 March, which has 23 hours, and the next.
  ...["2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z"],
  // 25 October in Berlin has 25 hours.
  ...["2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z"],
  // 1 November in Los Angeles.
  ...["2026-11-01T06:59:59Z", "2026-11-01T07:00:00Z", "2026-11-02T07:59:59Z", "2026-11-02T08:00:00Z"],
];

beforeAll(async () => {
  client = await service.workspace();
  code = await client.createQr();
  const scans = times.map((time) =>
    scanRecord({
      id: newId(Date.parse(time)),
      workspaceId: client.workspaceId,
      qrId: code.id,
      hash: code.hash,
    }),
  );
  await service.deps.ledger(client.workspaceId).recordScans(packScans(scans), service.deps.now());
});

const short = (time: string) => time.replace(".000Z", "Z");

const exported = async (query: string): Promise<string[]> => {
  const response = await client.send("GET", `/scans/export?format=ndjson&${query}`);
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => short((JSON.parse(line) as { scannedAt: string }).scannedAt));
};

const listed = async (query: string): Promise<string[]> => {
  const { events } = await client.expect(200, ScanListResponse, "GET", `/qr/${code.id}/scans?${query}`);
  return events.map(({ scannedAt }) => short(scannedAt)).reverse();
};

describe.each([
  ["an export", exported],
  ["the list", listed],
] as const)("the days of %s", (_, read) => {
  it.each([
    ["from=2026-03-29&to=2026-03-29&tz=Europe/Berlin", [1, 2]],
    ["from=2026-03-29&to=2026-03-29&tz=europe%2Fberlin", [1, 2]],
    ["from=2026-03-29&to=2026-03-29", [2, 3]],
    ["from=2026-03-29&to=2026-03-29&tz=UTC", [2, 3]],
    ["to=2026-03-28&tz=Europe/Berlin", [0]],
    ["from=2026-10-25&to=2026-10-25&tz=Europe/Berlin", [5, 6]],
    ["from=2026-10-24&to=2026-10-25&tz=Europe/Berlin", [4, 5, 6]],
    ["from=2026-11-01&to=2026-11-01&tz=America/Los_Angeles", [9, 10]],
    ["from=2026-11-01&to=2026-11-01&tz=US/Pacific", [9, 10]],
    ["from=2026-11-02&tz=Asia/Kathmandu", [10, 11]],
    ["from=2026-11-02&tz=Pacific/Kiritimati", [10, 11]],
    ["from=0001-01-01&to=9999-12-31&tz=Asia/Tokyo", times.map((_time, i) => i)],
  ])("are those of the time zone: %s", async (query, expected) => {
    expect(await read(query)).toEqual(expected.map((i) => times[i]));
  });
});

it("times in the list are the same in every time zone, and may be mixed with days", async () => {
  expect(await listed("from=2026-11-01T07:00:00Z&to=2026-11-01T07:00:00Z&tz=Asia/Tokyo")).toEqual([times[9]]);
  // The day begins in Los Angeles after this time, which is of the same day in UTC.
  const query = "to=2026-11-01T06:59:59Z&tz=America/Los_Angeles";
  expect(await listed(`from=2026-10-31&${query}`)).toEqual([times[8]]);
  const refused = await client.send("GET", `/qr/${code.id}/scans?from=2026-11-01&${query}`);
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("from can't be after to"),
  ]);
});

it("a cursor continues in the same days, however these are given", async () => {
  const path = `/qr/${code.id}/scans?limit=1&from=2026-10-25&to=2026-10-25&tz=`;
  const first = await client.expect(200, ScanListResponse, "GET", `${path}Europe/Berlin`);
  const second = await client.expect(
    200,
    ScanListResponse,
    "GET",
    `${path}Europe/Paris&cursor=${first.nextCursor}`,
  );
  expect(second.events.map(({ scannedAt }) => short(scannedAt))).toEqual([times[5]]);
});

it.each([
  "Berlin",
  "Europe/Berlin%00",
  "%2B02:00",
  "UTC%2B2",
  "CST",
  "Mars/Base",
  "",
  "../../etc/localtime",
  "Europe/Berlin,UTC",
  "x".repeat(2000),
  "2026-01-01",
])("refuses the time zone %j", async (zone) => {
  for (const path of [
    `/scans/export?to=2026-01-01&tz=${zone}`,
    `/qr/${code.id}/scans?to=2026-01-01&tz=${zone}`,
  ]) {
    const refused = await client.send("GET", path);
    expect([path, refused.status, await refused.text()]).toEqual([
      path,
      400,
      expect.stringContaining("tz must be an IANA time zone such as Europe/Berlin"),
    ]);
  }
});
