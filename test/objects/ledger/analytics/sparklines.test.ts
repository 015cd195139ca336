import { expect, it } from "vitest";
import { bounds } from "../../../../src/protocol/bounds.ts";
import { countRows } from "../../../support/catalogue/sql-rows.ts";
import { fold, hour, many, newLedger, record, scan, start } from "../../../support/scans/analytics.ts";
import { resize, rowsOf, runAlarms } from "../../../support/scans/archives.ts";

const day = 24 * hour;
const now = start + 29 * day;
const codes = [1, 2, 3].map((n) => ({ qrId: `code ${n}`, hash: `h${n}` }));

it("counts the scans of each code by day, folded or not", async () => {
  const stub = newLedger();
  const scans = many(3000).map((each, i) => ({ ...each, ...codes[i % 3] }));
  await record(
    stub,
    ...scans,
    scan({ ...codes[0], at: start - day }),
    scan({ ...codes[0], at: now + day }),
    scan({ ...codes[0], userAgent: "Googlebot/2.1" }),
  );
  const read = () => stub.sparklines(["code 2", "unknown", "code 1"], 30, now);
  const before = await read();
  expect(before.map(({ qrId, total }) => [qrId, total])).toEqual([
    ["code 2", 1000],
    ["unknown", 0],
    ["code 1", 1002],
  ]);
  for (const { days } of before) expect(days).toHaveLength(30);
  const nothing = new Array(27).fill(0);
  expect(before[0]?.days).toEqual([480, 480, 40, ...nothing]);
  expect(before[1]?.days).toEqual([0, 0, 0, ...nothing]);
  expect(before[2]?.days).toEqual([480, 480, 40, ...nothing]);
  await record(stub, ...many(2500).map((each) => ({ ...each, qrId: "code 3", hash: "h3" })));
  await fold(stub);
  expect(await read()).toEqual(before);
});

it("knows when each code was last scanned, also once that scan isn't stored", async () => {
  const stub = newLedger();
  const last = start + 5 * hour + 1;
  await record(
    stub,
    scan({ ...codes[0], at: start }),
    scan({ ...codes[0], at: last }),
    scan({ ...codes[1], userAgent: "Googlebot/2.1" }),
  );
  const read = async () =>
    (await stub.sparklines(["code 1", "code 2", "unknown"], 30, now)).map(({ lastScanAt }) => lastScanAt);
  expect(await read()).toEqual([last, null, null]);
  await stub.changeReporting({ keepScansDays: 30 }, start);
  await record(
    stub,
    scan({ ...codes[1], at: last + day }),
    scan({ ...codes[0], at: last + day, userAgent: "bot" }),
  );
  await runAlarms(stub, start + 31.5 * day);
  expect(await rowsOf(stub, "scans")).toBe(1);
  expect(await read()).toEqual([start, last + day, null]);
  await runAlarms(stub, start + 40 * day);
  expect(await read()).toEqual([start, start + day, null]);
  // A full ledger counts without storing.
  await resize(stub, bounds.ledger.full);
  await record(stub, scan({ ...codes[0], at: last + 2 * day }));
  expect(await read()).toEqual([start + 2 * day, start + day, null]);
});

it("reads as many rows for many scans as for few", async () => {
  const rows = [];
  for (const count of [6000, 12_000]) {
    const stub = newLedger();
    const scans = Array.from({ length: count }, (_, i) => scan({ at: start + i * 5000, ...codes[i % 3] }));
    for (let from = 0; from < count; from += 3000) await record(stub, ...scans.slice(from, from + 3000));
    await fold(stub);
    const { read } = await countRows(stub, async (ledger) => {
      const [first] = await ledger.sparklines(["code 1"], 30, now);
      expect(first?.total).toBe(count / 3);
    });
    rows.push(read);
  }
  expect(rows[1]).toBe(rows[0]);
});
