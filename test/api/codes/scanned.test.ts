import { beforeAll, describe, expect, it } from "vitest";
import { type ListedQr, type Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { seededRandom } from "../../../src/lib/seeded-random.ts";
import { expectError } from "../../support/endpoints.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, FakeClock, phone, Service } from "../../support/service.ts";
import { ledgerOf } from "../../support/world/watchable.ts";

const day = 86_400_000;
/** In the future, so that alarms fire only when a test runs them. */
const clock = new FakeClock(Date.UTC(2100, 4, 10, 12));
const calls: string[] = [];
const service = new Service({
  now: clock.now,
  ledger: (id) =>
    new Proxy(ledgerOf({ workspaceId: id }), {
      get: (target, name) => {
        if (typeof name === "string") calls.push(name);
        return Reflect.get(target, name, target);
      },
    }),
});
let client: Client;
/** Oldest first. The last ones are never scanned. */
const codes: Qr[] = [];
const count = 12;
/** The times of human scans of each code, in the order of recording. */
const scanned = new Map<string, number[]>();

beforeAll(async () => {
  client = await service.workspace("business");
  for (let i = 0; i < count; i += 1) {
    codes.push(await client.createQr({ name: `Code ${i}`, tags: [i % 2 === 0 ? "even" : "odd"] }));
  }
  const random = seededRandom(64);
  // The more, the lower the number; some of them late, and many longer ago than 30 days.
  for (let i = 0; i < 300; i += 1) {
    const code = codes[Math.floor(random() ** 2 * (count - 2))] ?? expect.fail();
    await scan([code, clock.now() - Math.floor(random() ** 2 * 60 * day)]);
  }
  await scan([codes.at(-1) ?? expect.fail(), clock.now(), { userAgent: "Googlebot/2.1" }]);
});

/** Records scans of codes, at times. */
async function scan(...scans: readonly [code: Qr, at: number, more?: Partial<ScanRecord>][]): Promise<void> {
  const { workspaceId } = client;
  const records = scans.map(([{ id, hash }, at, more]) =>
    scanRecord({ workspaceId, qrId: id, hash, at, userAgent: phone, ...more }),
  );
  await ledgerOf(client).recordScans(packed(...records), clock.now());
  for (const [{ id }, at, more] of scans) {
    if (more === undefined) scanned.set(id, [...(scanned.get(id) ?? []), at]);
  }
}

/** A code's scans as a list should have them, by a recount. */
function recount({ id }: Pick<Qr, "id">) {
  const times = scanned.get(id) ?? [];
  const from = Math.floor(clock.now() / day) * day - 29 * day;
  const last = Math.max(...times);
  return {
    scans: times.length,
    scans30d: times.filter((time) => time >= from).length,
    lastScanAt: times.length === 0 ? null : new Date(last).toISOString(),
  };
}

const listed = async (query: string) => (await client.expect(200, QrList, "GET", `/qr?${query}`)).items;
const scansOf = ({ scans, scans30d, lastScanAt }: ListedQr) => ({ scans, scans30d, lastScanAt });

describe("a list with include=scans", () => {
  it("has each code's scans, by one call of the ledger a page", async () => {
    calls.length = 0;
    const found = await listed("include=scans&limit=100");
    expect(calls).toEqual(["sparklines"]);
    expect(found.map(scansOf)).toEqual(codes.toReversed().map(recount));
    expect(found.map(({ scans }) => scans)).toContain(0);
    const [first] = await listed("limit=1");
    expect(first).not.toHaveProperty("scans");
  });

  it("goes on with the same cursor, and needs a key that reads scans", async () => {
    const page = await client.expect(200, QrList, "GET", "/qr?limit=5&q=code");
    const rest = await listed(`include=scans&limit=100&q=code&cursor=${page.nextCursor}`);
    expect(rest).toHaveLength(count - 5);
    expect(rest.map(scansOf)).toEqual(rest.map(recount));
    const other = await service.client(client.workspaceId, ["qr:read"]);
    const refusal = await expectError(await other.send("GET", "/qr?include=scans"), 403, "forbidden");
    expect(refusal).toContain("scans:read");
    await expectError(await client.send("GET", "/qr?include=visitors"), 400, "invalid_input");
  });
});
