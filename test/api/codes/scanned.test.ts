import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Deleted, type ListedQr, type Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { seededRandom } from "../../../src/lib/seeded-random.ts";
import { readTable } from "../../../src/lib/text/csv.ts";
import { formatDay } from "../../../src/lib/time/calendar.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { expectError } from "../../support/endpoints.ts";
import { runAlarms } from "../../support/scans/archives.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, FakeClock, phone, Service } from "../../support/service.ts";
import { ledgerOf } from "../../support/world/watchable.ts";

const day = 86_400_000;
const hour = day / 24;
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
let me: SignedInBrowser;
let client: Client;
/** Oldest first. The last ones are never scanned. */
const codes: Qr[] = [];
const count = 12;
/** The times of human scans of each code, in the order of recording. */
const scanned = new Map<string, number[]>();

beforeAll(async () => {
  me = await signedIn(service);
  client = me.client;
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

const cellsOf = ({ scans, scans30d, lastScanAt }: ReturnType<typeof recount>) =>
  [scans, scans30d, lastScanAt ?? ""].map(String);

/** The rows of a table at a path, without its header. */
async function table(answer: Response) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const [header = [], ...rows] = readTable(bytes, { maxColumns: 50, maxRecords: 100 });
  return { header, rows };
}

describe("an export", () => {
  it("has the scans in its last columns, if they are asked for, and can be sent back", async () => {
    const answer = await client.send("GET", "/qr/export?include=scans");
    const { header, rows } = await table(answer);
    const plain = await table(await client.send("GET", "/qr/export"));
    expect(header).toEqual([...plain.header, "scans", "scans30d", "lastScanAt"]);
    expect(rows.map((row) => row.slice(-3))).toEqual(
      codes.toReversed().map((code) => cellsOf(recount(code))),
    );
    const lines = await (await client.send("GET", "/qr/export?include=scans&format=ndjson&tag=odd")).text();
    const found = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as ListedQr);
    expect(found.map(scansOf)).toEqual(found.map(recount));
    const other = await service.client(client.workspaceId, ["qr:read"]);
    await expectError(await other.send("GET", "/qr/export?include=scans"), 403, "forbidden");
    const csv = await (await client.send("GET", "/qr/export?include=scans&bom=false")).text();
    const back = await client.send("POST", "/qr/bulk-update/csv?dryRun=true", csv, {
      "content-type": "text/csv",
    });
    expect(await back.json()).toMatchObject({ matched: count, samples: [] });
  });

  it("has them for people, too", async () => {
    const { header, rows } = await table(await me.browser.open("/dashboard/codes/export.csv"));
    expect(header.slice(-4)).toEqual(["Last changed", "Scans", "Scans in 30 days", "Last scan"]);
    expect(rows.map((row) => row.slice(-3))).toEqual(
      codes.toReversed().map((code) => cellsOf(recount(code))),
    );
  });
});

it("the dashboard's list has columns for them", async () => {
  const page = await pageAt(me.browser, "/dashboard/codes?columns=scans,scans30d,lastScan");
  const rows = [...page.matchAll(/<td class="(?:number|total|day)"[^>]*>(.*?)<\/td>/gs)];
  const cells = rows.map(
    ([, cell = ""]) => /datetime="([^"]*)"/.exec(cell)?.[1] ?? cell.replaceAll(/<.*/gs, ""),
  );
  const expected = codes.toReversed().flatMap((code) => {
    const { scans, scans30d, lastScanAt } = recount(code);
    return [String(scans30d), String(scans), lastScanAt ?? "Never"];
  });
  expect(cells).toEqual(expected);
  expect(page).toContain("In 30 days");
});

/** The catalogue's copy, by code: scans, and the day of the last one. */
async function copied(): Promise<Record<string, [scans: number, lastDay: string | null]>> {
  const { results } = await env.DB.prepare(
    "SELECT qr_id, scans, last_day FROM scan_totals WHERE workspace_id = ? ORDER BY qr_id",
  )
    .bind(client.workspaceId)
    .all<{ qr_id: string; scans: number; last_day: number | null }>();
  return Object.fromEntries(
    results.map(({ qr_id, scans, last_day }) => [
      qr_id,
      [scans, last_day === null ? null : formatDay(last_day)],
    ]),
  );
}

/** The copy as a recount makes it. */
const recounted = () =>
  Object.fromEntries(
    codes.flatMap((code) => {
      const { scans, lastScanAt } = recount(code);
      return lastScanAt === null ? [] : [[code.id, [scans, lastScanAt.slice(0, 10)]]];
    }),
  );

/** Lets time pass, with the ledger's alarms in it. */
async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await runAlarms(ledgerOf(client), clock.now());
}

describe("the catalogue's copy", () => {
  it("has new codes within an hour, and all others once a day", async () => {
    expect(await copied()).toEqual({});
    await pass(hour);
    const first = recounted();
    expect(await copied()).toEqual(first);
    const versions = await client.expect(200, QrList, "GET", "/qr?limit=100");
    const [scannedCode = expect.fail(), , , , , , , , , , newCode = expect.fail()] = codes;
    await scan([scannedCode, clock.now()], [newCode, clock.now()]);
    await pass(hour);
    expect(await copied()).toEqual({ ...first, [newCode.id]: [1, "2100-05-10"] });
    for (const days of [1, 1, 1]) {
      const random = seededRandom(clock.now());
      for (let i = 0; i < 20; i += 1) {
        await scan([
          codes[Math.floor(random() * (count - 1))] ?? expect.fail(),
          clock.now() - Math.floor(random() * 3 * day),
        ]);
      }
      await pass(days * day);
      expect(await copied()).toEqual(recounted());
    }
    // Nothing of the codes moves, and an idle ledger has nothing to do.
    expect(await client.expect(200, QrList, "GET", "/qr?limit=100")).toEqual(versions);
    const next = await runInDurableObject(ledgerOf(client), (_, { storage }) => storage.getAlarm());
    expect(next ?? 0).toBeGreaterThan(clock.now() + 300 * day);
  });

  it("waits while the database refuses, and loses nothing", async () => {
    const [code = expect.fail()] = codes;
    const before = await copied();
    await scan([code, clock.now()]);
    const stub = ledgerOf(client);
    let calls = 0;
    const refusing = {
      prepare: () => {
        calls += 1;
        throw new Error("D1_ERROR: refused");
      },
    };
    await runInDurableObject(stub, (instance) => {
      Object.assign(instance, { env: { ...env, DB: refusing } });
    });
    await pass(day);
    await pass(day);
    expect(calls).toBeGreaterThan(5);
    expect(calls).toBeLessThan(60);
    expect(await copied()).toEqual(before);
    await runInDurableObject(stub, (instance) => {
      Object.assign(instance, { env });
    });
    await pass(hour);
    expect(await copied()).toEqual(recounted());
  });

  it("forgets erased scans and erased codes, and has whatever an earlier release counted", async () => {
    const [first = expect.fail(), second = expect.fail(), third = expect.fail()] = codes;
    await scan([third, clock.now()]);
    // As an earlier release records: without a note.
    await runInDurableObject(ledgerOf(client), (_, { storage }) => {
      storage.kv.delete("copied_totals");
      storage.sql.exec("INSERT INTO uncopied_codes (code) VALUES (-1)");
    });
    await evictDurableObject(ledgerOf(client));
    const { hash, id: qrId } = first;
    await ledgerOf(client).eraseScans({ qrId, hash, sums: "erase" }, clock.now());
    scanned.delete(first.id);
    await pass(0);
    expect(await copied()).toEqual({ ...recounted(), [first.id]: [0, null] });
    await client.expect(200, Deleted, "DELETE", `/qr/${second.id}`);
    expect(await copied()).toHaveProperty(second.id);
    await client.expect(200, Deleted, "POST", `/qr/${second.id}/erase`);
    await scan([second, clock.now()]);
    await pass(2 * day);
    expect(await copied()).not.toHaveProperty(second.id);
  });
});

describe("lists by scans", () => {
  const idsOf = async (query: string) => {
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await client.expect(200, QrList, "GET", `/qr?limit=3&${query}${cursor}`);
      found.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) return found;
      cursor = `&cursor=${page.nextCursor}`;
    }
  };

  it("are sorted and filtered as the copy has it", async () => {
    await pass(2 * day);
    const live = await listed("limit=100");
    const facts = new Map(live.map((code) => [code.id, recount(code)]));
    const last = ({ id }: { id: string }) => facts.get(id)?.lastScanAt?.slice(0, 10) ?? null;
    const scans = ({ id }: { id: string }) => facts.get(id)?.scans ?? 0;
    for (const sign of [1, -1]) {
      const order = sign === 1 ? "asc" : "desc";
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -sign : sign);
      const byScans = live.toSorted((a, b) => sign * (scans(a) - scans(b)) || byId(a, b));
      expect(await idsOf(`sort=scans&order=${order}`)).toEqual(byScans.map(({ id }) => id));
      const byLast = live.toSorted((a, b) => {
        const [left, right] = [last(a), last(b)];
        if ((left === null) !== (right === null)) return left === null ? 1 : -1;
        return left === right ? byId(a, b) : (left ?? "") < (right ?? "") ? -sign : sign;
      });
      expect(await idsOf(`sort=lastScan&order=${order}`)).toEqual(byLast.map(({ id }) => id));
    }
    const where = (test: (code: ListedQr) => boolean) => live.filter(test).map(({ id }) => id);
    const never = where((code) => scans(code) === 0);
    expect(never.length).toBeGreaterThan(1);
    expect(await idsOf("scanned=never")).toEqual(never);
    expect(await idsOf("scanned=never&tag=odd&sort=scans")).toEqual(
      where((code) => scans(code) === 0 && code.tags.includes("odd")),
    );
    for (const date of ["2100-05-09", "2100-05-12", "2100-05-16"]) {
      expect(await idsOf(`scannedBefore=${date}`)).toEqual(where((code) => (last(code) ?? "9") < date));
      expect(await idsOf(`scannedAfter=${date}`)).toEqual(where((code) => (last(code) ?? "") >= date));
    }
    const file = await table(await client.send("GET", "/qr/export?scanned=never"));
    expect(file.rows.map(([id]) => id)).toEqual(never);
    await expectError(await client.send("GET", "/qr?scannedBefore=May"), 400, "invalid_input");
    // The first session has ended.
    const { cookie } = await service.sessionIn(client.workspaceId);
    const sorted = await service.fetch("/dashboard/codes?sort=scans&columns=scans", { headers: { cookie } });
    const page = await sorted.text();
    expect(page).toContain("This order is up to a day old");
    expect(page).toContain('aria-sort="descending"');
  });

  it("have a ledger that has never made a copy make it, unless the database refuses", async () => {
    await env.DB.prepare("DELETE FROM scan_totals WHERE workspace_id = ?").bind(client.workspaceId).run();
    await runInDurableObject(ledgerOf(client), (_, { storage }) => {
      storage.kv.delete("copied_totals");
      storage.sql.exec("INSERT INTO uncopied_codes (code) VALUES (-1)");
      storage.sql.exec("UPDATE codes SET copied = 0");
    });
    await evictDurableObject(ledgerOf(client));
    const refusing = { prepare: () => expect.fail("D1_ERROR: refused") };
    await runInDurableObject(ledgerOf(client), (instance) => {
      Object.assign(instance, { env: { ...env, DB: refusing } });
    });
    await expectError(await client.send("GET", "/qr?scanned=never"), 503, "internal");
    await runInDurableObject(ledgerOf(client), (instance) => {
      Object.assign(instance, { env });
    });
    clock.advance(hour);
    expect((await idsOf("scanned=never")).length).toBeLessThan(count);
  });

  it("know the first scans of a workspace at once, and have no answer to wait for without any", async () => {
    const other = await service.workspace();
    const [scannedCode, unscanned] = [await other.createQr(), await other.createQr()];
    const never = async () =>
      (await other.expect(200, QrList, "GET", "/qr?scanned=never")).items.map(({ id }) => id).sort();
    const { id: qrId, hash } = scannedCode;
    const record = scanRecord({ qrId, hash, workspaceId: other.workspaceId, at: clock.now() });
    await ledgerOf(other).recordScans(packed(record), clock.now());
    expect(await never()).toEqual([unscanned.id]);
    // Nothing of an erased code is copied, although the ledger still counts its scan.
    await env.DB.prepare("DELETE FROM scan_totals WHERE workspace_id = ?").bind(other.workspaceId).run();
    expect(await never()).toEqual([qrId, unscanned.id].sort());
  });
});
