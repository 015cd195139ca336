import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { exportColumns, ScanEvent } from "../../../src/contract/resources/scans/scans.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, phone, Service } from "../../support/service.ts";

const service = new Service();
let client: Client;
let codes: { id: string; hash: string }[];
const day = 24 * 60 * 60 * 1000;
const january = Date.UTC(2026, 0, 1);

beforeAll(async () => {
  client = await service.workspace();
  codes = [await client.createQr(), await client.createQr()];
});

async function record(
  code: { id: string; hash: string } | undefined,
  at: number,
  more: Partial<ScanRecord> = {},
) {
  if (code === undefined) throw new Error("no code");
  const scan = scanRecord({ workspaceId: client.workspaceId, qrId: code.id, hash: code.hash, at, ...more });
  await service.deps.ledger(client.workspaceId).recordScans(packed(scan), at);
  return scan;
}

async function lines(query: string): Promise<string[]> {
  const response = await client.send("GET", `/scans/export${query}`);
  expect(response.status).toBe(200);
  return (await response.text()).split("\n").filter((line) => line !== "");
}
const events = async (query: string) =>
  (await lines(`?format=ndjson${query}`)).map((line) => ScanEvent.extend({}).parse(JSON.parse(line)));

describe("the export", () => {
  let made: ScanRecord[];

  beforeAll(async () => {
    const odd = { userAgent: `=${phone}, "x"`, city: '+Ort, "St. Pölten" 🍕' };
    made = [
      await record(codes[0], january - 1),
      await record(codes[1], january),
      await record(codes[0], january + day - 1, odd),
      await record(codes[0], january + day, { country: null, city: null, userAgent: null }),
    ];
  });

  it("is NDJSON, oldest first, one event a line", async () => {
    expect((await events("")).map((event) => event.id)).toEqual(made.map((scan) => scan.id));
    const [, , odd, empty] = (await lines("?format=ndjson")).map((line) => JSON.parse(line));
    expect(Object.keys(odd)).toEqual([...exportColumns]);
    expect(odd).toMatchObject({
      qrId: codes[0]?.id,
      hash: codes[0]?.hash,
      city: made[2]?.city,
      userAgent: made[2]?.userAgent,
    });
    expect(empty).toMatchObject({ country: null, city: null, device: null, os: null, userAgent: null });
  });

  it("is CSV by default, with formulas defused", async () => {
    const response = await client.send("GET", "/scans/export");
    expect(response.headers.get("content-type")).toContain("text/csv");
    const text = await response.text();
    expect(text.split("\r\n")[0]).toBe(exportColumns.join(","));
    expect(text).toContain(`"'=${phone}, ""x"""`);
    expect(text).toContain(`"'+Ort, ""St. Pölten"" 🍕"`);
    expect((await client.send("GET", "/scans/export?format=ndjson")).headers.get("content-type")).toContain(
      "application/x-ndjson",
    );
  });

  it("filters by code and by UTC days, both included", async () => {
    const ids = async (query: string) => (await events(query)).map((event) => event.id);
    const [a, b, c, d] = made.map((scan) => scan.id);
    expect(await ids(`&qrId=${codes[0]?.id}`)).toEqual([a, c, d]);
    expect(await ids("&from=2026-01-01")).toEqual([b, c, d]);
    expect(await ids("&to=2026-01-01")).toEqual([a, b, c]);
    expect(await ids("&from=2026-01-01&to=2026-01-01")).toEqual([b, c]);
    expect(await ids(`&qrId=${codes[0]?.id}&from=2026-01-01&to=2026-01-01`)).toEqual([c]);
    expect(await ids("&from=2027-01-01")).toEqual([]);
  });

  it("includes the scans of deleted codes", async () => {
    await client.send("DELETE", `/qr/${codes[1]?.id}`);
    expect(await events(`&qrId=${codes[1]?.id}`)).toHaveLength(1);
    expect(await events("")).toHaveLength(4);
  });

  it("refuses an invalid date, a reversed range, an unknown format, an unknown or foreign code", async () => {
    for (const query of [
      "from=yesterday",
      "to=2026-02-30",
      "from=2026-01-01T00:00:00Z",
      "from=2026-02-01&to=2026-01-31",
      "format=xml",
    ]) {
      const response = await client.send("GET", `/scans/export?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
    }
    const other = await service.workspace();
    for (const qrId of ["x", crypto.randomUUID(), (await other.createQr()).id]) {
      expect((await client.send("GET", `/scans/export?qrId=${qrId}`)).status).toBe(404);
    }
    expect((await other.send("GET", "/scans/export")).status).toBe(200);
    expect(await (await other.send("GET", "/scans/export?format=ndjson")).text()).toBe("");
  });
});

it("streams page after page, each scan once, and stops reading when the client does", async () => {
  const own = await service.workspace();
  const stub = env.LEDGERS.get(env.LEDGERS.idFromName(own.workspaceId));
  const scans = 23_456;
  await stub.recordScans(
    packed({ ...(await record(codes[0], january)), workspaceId: own.workspaceId, id: newId(january) }),
    january,
  );
  await runInDurableObject(stub, (_, state) => {
    state.storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO scans (id, code, agent, place)
       SELECT unhex(printf('%012x7000800000%010x', ? + i, i)), 1, 1, 1 FROM n`,
      scans - 1,
      january,
    );
  });
  const response = await own.send("GET", "/scans/export?format=ndjson");
  const ids = (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as ScanEvent).id);
  expect(new Set(ids).size).toBe(scans);
  expect(ids).toEqual([...ids].sort());

  let pages = 0;
  const counting = new Service({
    ledger: () =>
      ({
        exportSources: (...range: Parameters<typeof stub.exportSources>) => stub.exportSources(...range),
        exportPage: (request: Parameters<typeof stub.exportPage>[0]) => {
          pages += 1;
          return stub.exportPage(request);
        },
        acquireExport: (...lease: Parameters<typeof stub.acquireExport>) => stub.acquireExport(...lease),
        releaseExport: (...lease: Parameters<typeof stub.releaseExport>) => stub.releaseExport(...lease),
      }) as unknown as typeof stub,
  });
  const early = await counting.fetch("/api/v1/scans/export", {
    headers: { authorization: `Bearer ${own.key}` },
  });
  const reader = early.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(pages).toBeLessThan(3);
  expect(env.LEDGERS).toBeDefined();
});
