import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { countRows } from "../../support/catalogue/sql-rows.ts";
import { runs } from "../../support/runner/runs.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";
import { EventStream } from "../../support/scans/event-stream.ts";
import { packed } from "../../support/scans/scans.ts";
import { FakeClock, Service } from "../../support/service.ts";
import { january, ledgerOf, watchable } from "../../support/world/watchable.ts";

const service = new Service();
const { liveCalls, liveScans, liveScansPerSecond } = bounds;

const idsOf = (scans: readonly { id: string }[]) => scans.map(({ id }) => id);
const shown = (events: readonly { name: string | undefined; data: Record<string, unknown> }[]) =>
  events.filter(({ name }) => name === "scan").map(({ data }) => data.id);

describe("a scan of the redirect", () => {
  it("arrives as it is in the list, at the watchers of its code and of its workspace, by key and by session", async () => {
    // The queue takes a second, in which pauses without length would use up a stream's hour.
    const patient = new Service({ pause: (milliseconds) => scheduler.wait(milliseconds) });
    const { client, a, b } = await watchable(patient);
    const session = await patient.sessionIn(client.workspaceId);
    const watching = [
      await EventStream.open(client, `/qr/${a.id}/scans/live`),
      await EventStream.open(client, "/scans/live"),
      await EventStream.open(session, `/developer/qr/${a.id}/scans/live`),
      await EventStream.open(session, "/developer/scans/live"),
    ];
    const other = await EventStream.open(client, `/qr/${b.id}/scans/live`);
    expect((await patient.scan(a.hash)).status).toBe(302);
    const arrived = await Promise.all(watching.map((stream) => stream.take(1)));
    const list = await (await client.send("GET", `/qr/${a.id}/scans`)).json<{ events: object[] }>();
    for (const events of arrived) expect(events).toEqual([{ id: 1, name: "scan", data: list.events[0] }]);

    expect((await patient.scan(b.hash)).status).toBe(302);
    expect(await other.take(1)).toMatchObject([{ id: 2, name: "scan", data: { qrId: b.id } }]);
    for (const stream of [...watching, other]) await stream.cancel();
  });

  it("has the headers of a stream that is neither stored nor gathered", async () => {
    const { client } = await watchable(service);
    const stream = await EventStream.open(client, "/scans/live");
    const { headers } = stream.response;
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("x-ratelimit-remaining")).toBeTruthy();
    await stream.cancel();
  });
});

describe("events", () => {
  it("are in the order of recording, whatever the ids, and without bots, prefetches and repetitions", async () => {
    const { client, a, b, scanOf, record } = await watchable(service);
    const stream = await EventStream.open(client, "/scans/live");
    const first = await record(scanOf(a, { at: january + 5000 }));
    await record(scanOf(a, { userAgent: "Googlebot/2.1" }), scanOf(b, { prefetch: true }));
    const late = await record(scanOf(b, { at: january - 5000 }), ...first);
    const last = await record(scanOf(a, { at: january }));
    const events = await stream.take(3);
    expect(shown(events)).toEqual(idsOf([...first, ...late.slice(0, 1), ...last]));
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3]);
    await stream.cancel();
  });

  it("begin with what comes, unless the client resumes; `Last-Event-ID` wins over `after`", async () => {
    const { client, a, scanOf, record } = await watchable(service);
    const old = await record(scanOf(a), scanOf(a), scanOf(a));
    const fresh = await EventStream.open(client, "/scans/live");
    expect(fresh.lastEventId).toBe("3");
    const resumed = await EventStream.open(client, "/scans/live?after=0");
    const again = await EventStream.open(client, "/scans/live?after=0", 2);
    const ahead = await EventStream.open(client, "/scans/live?after=999999999999999");
    const unset = await EventStream.open(client, "/scans/live", "");
    const next = await record(scanOf(a));
    expect(shown(await resumed.take(4))).toEqual(idsOf([...old, ...next]));
    expect(shown(await again.take(2))).toEqual(idsOf([...old.slice(2), ...next]));
    for (const stream of [fresh, ahead, unset]) {
      expect(await stream.take(1)).toMatchObject([{ id: 4, data: { id: next[0]?.id } }]);
    }
    for (const stream of [fresh, resumed, again, ahead, unset]) await stream.cancel();
  });

  it("are each received once by clients that disconnect at any time and resume", async () => {
    const random = new SeededRandom(4);
    for (let run = 0; run < runs(1, 30); run += 1) {
      const { client, a, b, scanOf, record } = await watchable(service);
      const recorded: ScanRecord[] = [];
      const paths = { all: "/scans/live", ofA: `/qr/${a.id}/scans/live` };
      const received = { all: [] as unknown[], ofA: [] as unknown[] };
      const position = { all: "0", ofA: "0" };
      for (let step = 0; step < 12; step += 1) {
        const watcher = random.pick(["all", "ofA"]);
        const stream = await EventStream.open(client, paths[watcher], position[watcher]);
        const before = recorded.length;
        for (let calls = random.below(4); calls > 0; calls -= 1) {
          const scans = Array.from({ length: 1 + random.below(3) }, () =>
            scanOf(random.pick([a, b]), { at: january - random.below(1e6) }),
          );
          recorded.push(...(await record(...scans)));
        }
        const all = recorded.filter(({ qrId }) => watcher === "all" || qrId === a.id);
        // The client leaves somewhere among the events that it may have.
        const pending = all.length - received[watcher].length;
        const taken = await stream.take(random.below(pending + 1));
        received[watcher].push(...shown(taken));
        position[watcher] = stream.lastEventId;
        await stream.cancel();
        expect(recorded.length).toBeGreaterThanOrEqual(before);
      }
      for (const watcher of ["all", "ofA"] as const) {
        const all = recorded.filter(({ qrId }) => watcher === "all" || qrId === a.id);
        const stream = await EventStream.open(client, paths[watcher], position[watcher]);
        received[watcher].push(...shown(await stream.take(all.length - received[watcher].length)));
        expect(received[watcher]).toEqual(idsOf(all));
        await stream.cancel();
      }
    }
  });
});

describe("the scans of a busy desk", () => {
  it("are all shown while there are at most 50 a second, of a code also among many of another", async () => {
    const clock = new FakeClock(january);
    const busy = new Service({ now: clock.now });
    const { client, a, b, scanOf } = await watchable(busy);
    const all = await EventStream.open(client, "/scans/live");
    const ofB = await EventStream.open(client, `/qr/${b.id}/scans/live`);
    const consume = async (count: number, code = a, more: readonly ScanRecord[] = []) => {
      clock.advance(1000);
      const scans = [...Array.from({ length: count }, () => scanOf(code)), ...more];
      await busy.consume("scans", [{ body: { batches: packed(...scans) } }]);
      return idsOf(scans);
    };
    const desk: string[] = [];
    for (let second = 0; second < 6; second += 1) desk.push(...(await consume(liveScansPerSecond)));
    expect(shown(await all.take(desk.length))).toEqual(desk);

    // As many as the seconds before left over are shown, the rest counted.
    const crowd = await consume(3 * liveScansPerSecond, a, [scanOf(b)]);
    const events = await all.take(liveScans + 1);
    expect(shown(events)).toEqual(crowd.slice(0, liveScans));
    expect(events.at(-1)).toMatchObject({ name: "skipped", data: { scans: crowd.length - liveScans } });
    expect(shown(await ofB.take(1))).toEqual(crowd.slice(-1));
    const next = await consume(2 * liveScansPerSecond);
    expect(shown(await all.take(liveScansPerSecond + 1))).toEqual(next.slice(0, liveScansPerSecond));
    for (const stream of [all, ofB]) await stream.cancel();
  });
});

describe("skipped scans", () => {
  it("are a call's scans beyond the bound, of those that a stream watches", async () => {
    const { client, a, b, scanOf, record } = await watchable(service);
    const all = await EventStream.open(client, "/scans/live");
    const ofB = await EventStream.open(client, `/qr/${b.id}/scans/live`);
    const many = Array.from({ length: liveScans + 8 }, (_, i) => scanOf(i < liveScans + 5 ? a : b));
    await record(...many);
    const next = scanOf(b);
    await ledgerOf(client).recordScans(packed(next), january + 1000);
    const events = await all.take(liveScans + 2);
    const firstOnes = idsOf(many.slice(0, liveScans));
    expect(shown(events)).toEqual([...firstOnes, next.id]);
    const skipped = { id: liveScans + 8, name: "skipped", data: { scans: 8 } };
    expect(events[liveScans]).toEqual(skipped);
    expect(shown(await ofB.take(4))).toEqual([...idsOf(many.slice(-3)), next.id]);

    // A client that resumes inside of the call, at its end, or between the two.
    for (const [after, ids, more] of [
      [10, firstOnes.slice(10), [skipped]],
      [liveScans, [], [skipped]],
      [liveScans + 3, [], [{ ...skipped, data: { scans: 5 } }]],
      [liveScans + 8, [], []],
    ] as const) {
      const resumed = await EventStream.open(client, "/scans/live", after);
      const found = await resumed.take(ids.length + more.length + 1);
      expect(shown(found)).toEqual([...ids, next.id]);
      expect(found.filter(({ name }) => name === "skipped")).toEqual(more);
      await resumed.cancel();
    }
    const resumed = await EventStream.open(client, `/qr/${b.id}/scans/live`, 0);
    expect(await resumed.take(2)).toMatchObject([skipped, { data: { id: next.id } }]);
    for (const stream of [all, ofB, resumed]) await stream.cancel();
  });

  it("are those that a client missed for too long", async () => {
    const { client, a, scanOf, record } = await watchable(service);
    const recorded: ScanRecord[] = [];
    const lost = 10;
    for (let i = 0; i < liveCalls + lost; i += 1) recorded.push(...(await record(scanOf(a), scanOf(a))));
    // The first row of the ring only says where the next one begins.
    const missed = 2 * (lost + 1);
    for (const [after, skipped] of [
      [0, missed],
      [missed - 1, 1],
      [missed, 0],
    ] as const) {
      const stream = await EventStream.open(client, `/qr/${a.id}/scans/live`, after);
      const left = recorded.slice(missed);
      const events = await stream.take(left.length + (skipped > 0 ? 1 : 0));
      if (skipped > 0) expect(events[0]).toEqual({ id: missed, name: "skipped", data: { scans: skipped } });
      expect(shown(events)).toEqual(idsOf(left));
      await stream.cancel();
    }
  });

  it("are those that are no longer stored", async () => {
    const { client, a, scanOf, record } = await watchable(service);
    const [gone, kept] = await record(scanOf(a), scanOf(a));
    await runInDurableObject(ledgerOf(client), (_, { storage }) => {
      storage.sql.exec("DELETE FROM scans WHERE id = unhex(?)", gone?.id.replaceAll("-", ""));
    });
    const stream = await EventStream.open(client, "/scans/live", 0);
    expect(await stream.take(2)).toMatchObject([
      { id: 2, name: "scan", data: { id: kept?.id } },
      { id: 2, name: "skipped", data: { scans: 1 } },
    ]);
    await stream.cancel();
  });
});

describe("recording", () => {
  it("writes one row more for the scans of a call, whether anyone watches or not", async () => {
    const { client, a, b, scanOf, record } = await watchable(service);
    await record(scanOf(a), scanOf(b));
    const call = () =>
      packed(
        ...Array.from({ length: 50 }, (_, i) => scanOf(i % 2 ? a : b)),
        scanOf(a, { userAgent: "Googlebot/2.1" }),
      );
    await ledgerOf(client).recordScans(call(), january);
    // Two for each scan, with its index entry; one for each code's totals; one for the bot; one for the recent scans.
    const expected = 50 * 2 + 2 + 1 + 1;
    const stream = async () => EventStream.open(client, "/scans/live");
    for (const open of [undefined, stream]) {
      const watching = await open?.();
      const { written } = await countRows(ledgerOf(client), (ledger) => ledger.recordScans(call(), january));
      expect(written).toBe(expected);
      await watching?.cancel();
    }
    const bots = packed(scanOf(a, { userAgent: "Googlebot/2.1" }));
    expect((await countRows(ledgerOf(client), (ledger) => ledger.recordScans(bots, january))).written).toBe(
      1,
    );
  });

  it("that fails is not shown and takes no number", async () => {
    const { client, a, scanOf, record } = await watchable(service);
    const stream = await EventStream.open(client, "/scans/live");
    await record(scanOf(a));
    const session = await service.sessionIn(client.workspaceId);
    const hook = { url: "https://example.com/hook", events: ["qr.scanned"] };
    expect((await session.send("POST", "/developer/webhooks", hook)).status).toBe(201);
    const exec = (sql: string) =>
      runInDurableObject(ledgerOf(client), (_, { storage }) => {
        storage.sql.exec(sql);
      });
    await exec("CREATE TRIGGER broken BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'broken'); END");
    const failing = scanOf(a);
    await expect(record(failing)).rejects.toThrow("broken");
    await exec("DROP TRIGGER broken");
    await record(failing);
    const events = await stream.take(2);
    expect(events.map(({ id }) => id)).toEqual([1, 2]);
    expect(events[1]?.data.id).toBe(failing.id);
    await stream.cancel();
  });

  it("succeeds even if the scans can't be shown; the clients resume", async () => {
    const { client, a, scanOf, record } = await watchable(service);
    const stream = await EventStream.open(client, "/scans/live");
    await record(scanOf(a));
    await stream.take(1);
    const exec = (sql: string) =>
      runInDurableObject(ledgerOf(client), (_, { storage }) => {
        storage.sql.exec(sql);
      });
    // Recording has the user agent in memory; showing reads what is known of it.
    await exec("ALTER TABLE clients RENAME TO missing");
    const [second] = await record(scanOf(a));
    await exec("ALTER TABLE missing RENAME TO clients");
    expect(await stream.rest()).toEqual([]);
    expect(stream.lastEventId).toBe("1");
    const resumed = await EventStream.open(client, "/scans/live", stream.lastEventId);
    expect(await resumed.take(1)).toMatchObject([{ id: 2, data: { id: second?.id } }]);
    await resumed.cancel();
  });
});
