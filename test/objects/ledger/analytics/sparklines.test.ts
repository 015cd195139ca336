import { expect, it } from "vitest";
import { countRows } from "../../../support/catalogue/sql-rows.ts";
import { fold, hour, many, newLedger, record, scan, start } from "../../../support/scans/analytics.ts";

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
