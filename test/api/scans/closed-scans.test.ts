import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { RowMeter } from "../../../bench/workers/row-meter.ts";
import { Deleted, Qr, type QrCreateInput } from "../../../src/contract/resources/codes/qr.ts";
import { OperatorDomain } from "../../../src/contract/resources/domains.ts";
import type { ClosedReason } from "../../../src/contract/resources/enums.ts";
import { Analytics } from "../../../src/contract/resources/scans/analytics.ts";
import {
  ClosedCodeList,
  closedColumns,
  ScanListResponse,
} from "../../../src/contract/resources/scans/scans.ts";
import { eraseDeleted } from "../../../src/domain/operations/erasure.ts";
import { emptyBatch } from "../../../src/edge/scans/pack.ts";
import { isScansMessage } from "../../../src/edge/scans/record.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import type { ClosedCounts, ScansMessage } from "../../../src/protocol/messages.ts";
import { expectError } from "../../support/endpoints.ts";
import { makePage } from "../../support/hosted-pages.ts";
import { runAlarms } from "../../support/scans/archives.ts";
import { settingsPath, settledReporting } from "../../support/scans/reporting.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, emittedEvents, FakeClock, phone, Service } from "../../support/service.ts";
import { setSuspension } from "../../support/suspension.ts";
import { ledgerOf } from "../../support/world/watchable.ts";

const day = 86_400_000;
/** In the future, so that alarms fire only when a test runs them. */
const clock = new FakeClock(Date.UTC(2100, 4, 10, 12));
let sent: ScansMessage[] = [];
const scanQueue = {
  send: async (message: ScansMessage) => void sent.push(structuredClone(message)),
  sendBatch: async (messages: Iterable<{ body: ScansMessage }>) => {
    for (const { body } of messages) sent.push(structuredClone(body));
  },
} as unknown as Queue<ScansMessage>;
let service: Service;
let client: Client;

beforeEach(async () => {
  sent = [];
  service = new Service({ now: clock.now, scanQueue });
  client = await service.workspace();
});

/** Delivers what was sent, `times` over. */
async function deliver(times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    for (const body of sent) expect((await service.consume("scans", [{ body }])).retryMessages).toEqual([]);
  }
  sent = [];
}

const scansOf = ({ id }: { id: string }) =>
  client.expect(200, ScanListResponse.strict(), "GET", `/qr/${id}/scans`);
/** A code's counts, as `reason scans` by day. */
const closedOf = async (code: { id: string }) => {
  const { closed } = await scansOf(code);
  return closed.days.map(({ day: date, reason, scans }) => `${date} ${reason} ${scans}`);
};
const today = () => new Date(clock.now()).toISOString().slice(0, 10);

const at = (days: number) => new Date(clock.now() + days * day).toISOString();
const change = (code: Qr, body: object) => client.expect(200, Qr, "PATCH", `/qr/${code.id}`, body);
const remove = (code: Qr) => client.expect(200, Deleted, "DELETE", `/qr/${code.id}`);
let hosts = 0;

/** The ways to close a code. */
const closings: readonly [reason: ClosedReason, close: (code: Qr) => Promise<unknown>][] = [
  ["paused", (code) => change(code, { status: "paused" })],
  ["not_started", (code) => change(code, { startsAt: at(1) })],
  ["expired", (code) => change(code, { startsAt: at(-2), expiresAt: at(-1) })],
  ["suspended", (code) => setSuspension({ service, clock }, "qr", code.id)],
  ["suspended", () => setSuspension({ service, clock }, "workspaces", client.workspaceId)],
  ["deleted", remove],
];

describe.each([false, true])("behind a Worker for scans: %s", (edge) => {
  it.each(closings)(
    "scans of a code that is %s are counted apart, at each of its addresses",
    async (reason, close) => {
      service = new Service({ now: clock.now, scanQueue }, { edge });
      client = await service.workspace();
      hosts += 1;
      const host = `closed${hosts}.acme.example`;
      await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
        workspaceId: client.workspaceId,
      });
      const code = await client.createQr({ aliases: [`${host}/menu`] });
      const addresses = [`/${code.hash}`, `https://${host}/${code.hash}`, `https://${host}/menu`];
      const scan = async () => {
        for (const address of addresses) await service.fetch(address, { headers: { "user-agent": phone } });
      };
      await scan();
      await close(code);
      await scan();
      await deliver();
      const { stats, closed, events } = await scansOf(code);
      expect(closed).toEqual({
        total: 3,
        reasons: [{ reason, scans: 3, firstDay: today(), lastDay: today() }],
        days: [{ day: today(), reason, scans: 3 }],
      });
      expect([stats.total, events.length]).toEqual([3, 3]);
      const { totals, allTime } = await client.expect(200, Analytics, "GET", `/qr/${code.id}/analytics`);
      expect([totals.scans, totals.botScans, allTime.scans]).toEqual([3, 0, 3]);
    },
  );
});

it("are counted by day of the reports' time zone, also after the code was erased", async () => {
  const session = await service.sessionIn(client.workspaceId);
  await session.send("PATCH", settingsPath, { timeZone: "Pacific/Auckland" });
  await settledReporting(session);
  const code = await client.createQr();
  await remove(code);
  await service.scan(code.hash);
  clock.advance(31 * day);
  await eraseDeleted(service.deps);
  await service.scan(code.hash);
  await service.scan(code.hash);
  await deliver();
  const local = (time: number) => new Date(time + day / 2).toISOString().slice(0, 10);
  expect(await closedOf(code)).toEqual([
    `${local(clock.now())} deleted 2`,
    `${local(clock.now() - 31 * day)} deleted 1`,
  ]);
});

it("aren't counted for HEAD, prefetches and programs", async () => {
  const code = await client.createQr({ status: "paused" });
  await service.fetch(`/${code.hash}`, { method: "HEAD", headers: { "user-agent": phone } });
  await service.scan(code.hash, { "sec-purpose": "prefetch" });
  await service.scan(code.hash, { "user-agent": "Googlebot/2.1" });
  expect(sent).toEqual([]);
});

it("are counted where the code's fallback answers them", async () => {
  const code = await client.createQr({ status: "paused", fallbackUrl: "https://example.com/soon" });
  expect((await service.scan(code.hash)).headers.get("location")).toBe("https://example.com/soon");
  await deliver();
  expect(await closedOf(code)).toEqual([`${today()} paused 1`]);
});

it("are counted for the code of a hosted page that is suspended", async () => {
  const session = await service.sessionIn(client.workspaceId);
  const page = await makePage({ client, session });
  const input: QrCreateInput = { qrType: "servicepage", data: { type: "servicepage", pageId: page.id } };
  const code = await client.createQr(input);
  await setSuspension({ service, clock }, "pages", page.id);
  await service.scan(code.hash);
  await deliver();
  expect(await closedOf(code)).toEqual([`${today()} suspended 1`]);
});

it("are listed by code, and exported by code, day and reason, page after page", async () => {
  const [poster, flyer, resumed] = await Promise.all(
    ["Poster", "Flyer", "Resumed"].map((name) => client.createQr({ name, status: "paused" })),
  );
  if (!poster || !flyer || !resumed) throw new Error("unreachable");
  const scan = async ({ hash }: Qr, times: number) => {
    for (let i = 0; i < times; i += 1) await service.scan(hash);
  };
  await Promise.all([scan(flyer, 1), scan(resumed, 5)]);
  await deliver();
  const before = today();
  clock.advance(day);
  await change(resumed, { status: "active" });
  await Promise.all([scan(poster, 3), scan(flyer, 1)]);
  await deliver();
  const { items, ...rest } = await client.expect(200, ClosedCodeList, "GET", "/scans/closed");
  const paused = { reason: "paused", lastDay: today(), erased: false };
  expect(items).toEqual([
    { qrId: poster.id, name: "Poster", scanUrl: poster.scanUrl, scans: 3, ...paused },
    { qrId: flyer.id, name: "Flyer", scanUrl: flyer.scanUrl, scans: 2, ...paused },
  ]);
  expect(rest).toEqual({ days: bounds.lately, more: false });
  const all = [
    [flyer, before, 1],
    [flyer, today(), 1],
    [poster, today(), 3],
    [resumed, before, 5],
  ] as const;
  const lines = (wanted: typeof all | (typeof all)[number][]) =>
    wanted.map(([{ id, hash }, date, scans]) => `${id},${hash},${date},paused,${scans}`).toSorted();
  const exported = async (query = "") => {
    const [head, ...rows] = (await (await client.send("GET", `/scans/closed/export${query}`)).text())
      .trim()
      .split("\r\n");
    expect(head).toBe(closedColumns.join());
    return rows.toSorted();
  };
  expect(await exported()).toEqual(lines(all));
  expect(await exported(`?from=${today()}`)).toEqual(lines(all.filter(([, date]) => date === today())));
  expect(await exported(`?to=${before}`)).toEqual(lines(all.filter(([, date]) => date === before)));
  await expectError(
    await client.send("GET", `/scans/closed/export?from=${today()}&to=${before}`),
    400,
    "invalid_input",
  );
  const json = await (await client.send("GET", "/scans/closed/export?format=ndjson")).text();
  expect(
    json
      .trim()
      .split("\n")
      .map((line) => Object.values(JSON.parse(line)).join())
      .toSorted(),
  ).toEqual(lines(all));
  const pages = await runInDurableObject(ledgerOf(client), (ledger) => {
    const [first, second] = [ledger.closedCounts(null, 3), ledger.closedCounts(null, 4)];
    return [first.counts.length, ledger.closedCounts(first.next, 3), second.next !== null];
  });
  expect(pages).toMatchObject([3, { counts: [{ scans: expect.any(Number) }], next: null }, true]);
});

it("send no webhook, and don't move the code's version", async () => {
  const code = await client.createQr({ status: "paused" });
  const before = (await client.send("GET", `/qr/${code.id}`)).headers.get("etag");
  await service.scan(code.hash);
  await deliver();
  expect((await client.send("GET", `/qr/${code.id}`)).headers.get("etag")).toBe(before);
  const kinds = emittedEvents().filter(({ workspaceId }) => workspaceId === client.workspaceId);
  expect(kinds.map(({ kind }) => kind)).toEqual(["qr.created"]);
});

describe("a message", () => {
  const counts = (codes: ClosedCounts["codes"], id = newId(clock.now())): ScansMessage => ({
    batches: [{ ...emptyBatch(client.workspaceId), closed: { id, codes, domains: [] } }],
  });

  it("that is delivered again adds nothing, alone and beside scans, until it can't come any more", async () => {
    const code = await client.createQr({ status: "paused" });
    const paused = { qrId: code.id, hash: code.hash, reason: "paused", scans: 7 } as const;
    sent.push(counts([paused]));
    const [batch] = packed(
      scanRecord({ at: clock.now(), workspaceId: client.workspaceId, qrId: code.id, hash: code.hash }),
    );
    const closed = { id: newId(clock.now()), codes: [paused], domains: [] };
    if (batch !== undefined)
      sent.push({
        batches: [
          { ...batch, closed },
          { ...batch, closed },
        ],
      });
    await deliver(3);
    expect(await closedOf(code)).toEqual([`${today()} paused 14`]);
    expect((await scansOf(code)).stats.total).toBe(1);
    const ids = () =>
      runInDurableObject(ledgerOf(client), (_, { storage }) =>
        Number(storage.sql.exec("SELECT count(*) AS n FROM counted_scans").one().n),
      );
    expect(await ids()).toBe(2);
    clock.advance(14 * day);
    await runAlarms(ledgerOf(client), clock.now());
    expect(await ids()).toBe(2);
    clock.advance(20 * day);
    await runAlarms(ledgerOf(client), clock.now());
    expect(await ids()).toBe(0);
  });

  it("is one for a flood, and writes two rows", async () => {
    const code = await client.createQr({ status: "paused" });
    await service.scan(code.hash);
    await deliver();
    await Promise.all(Array.from({ length: 300 }, () => service.scan(code.hash)));
    const scans = sent.flatMap(({ batches }) => batches.map(({ closed }) => closed?.codes[0]?.scans ?? 0));
    expect(scans.reduce((sum, some) => sum + some, 0)).toBe(300);
    sent = [];
    const flood = Array.from({ length: 1000 }, () =>
      counts([{ qrId: code.id, hash: code.hash, reason: "paused", scans: 100 }]),
    ).flatMap(({ batches }) => batches);
    const rows = await runInDurableObject(ledgerOf(client), async (ledger, { storage }) => {
      const meter = new RowMeter(storage);
      await ledger.recordScans(flood, clock.now());
      return meter.take();
    });
    // The id of each message, and one row of the code.
    expect(rows.written).toBe(1000 + 1);
    expect(await closedOf(code)).toEqual([`${today()} paused 100001`]);
  });

  it("holds the counts of many codes within its bytes", async () => {
    const codes = await Promise.all(Array.from({ length: 12 }, () => client.createQr({ status: "paused" })));
    await Promise.all(codes.flatMap(({ hash }) => [service.scan(hash), service.scan(hash)]));
    for (const message of sent) {
      expect(isScansMessage(message)).toBe(true);
      expect(JSON.stringify(message).length).toBeLessThanOrEqual(bounds.scanMessage.bytes);
    }
    await deliver();
    for (const code of codes) expect(await closedOf(code)).toEqual([`${today()} paused 2`]);
  });

  it("with counts that can't be read is refused as a whole", () => {
    const [batch] = counts([{ qrId: "q", hash: "h", reason: "paused", scans: 1 }]).batches;
    expect(isScansMessage({ batches: [batch] })).toBe(true);
    const { closed } = batch ?? {};
    for (const bad of [
      7,
      null,
      {},
      { ...closed, id: "1" },
      { ...closed, domains: 1 },
      { ...closed, codes: [7] },
    ]) {
      expect(isScansMessage({ batches: [{ ...batch, closed: bad }] })).toBe(false);
    }
    for (const scans of [0, -1, 0.5, "1", null]) {
      const codes = [{ ...closed?.codes[0], scans }];
      expect(isScansMessage({ batches: [{ ...batch, closed: { ...closed, codes } }] })).toBe(false);
    }
  });
});

it("go with the code's sums when these are erased, late ones too, and stay with its details", async () => {
  const session = await service.sessionIn(client.workspaceId);
  const code = await client.createQr({ status: "paused" });
  await service.scan(code.hash);
  const late = [...sent];
  await deliver();
  const erase = (sums: string) => session.send("DELETE", `/developer/qr/${code.id}/scans?sums=${sums}`);
  await erase("keep");
  expect(await closedOf(code)).toEqual([`${today()} paused 1`]);
  await service.scan(code.hash);
  late.push(...sent);
  sent = [];
  await erase("erase");
  sent = late;
  await deliver();
  expect(await closedOf(code)).toEqual([]);
  clock.advance(1000);
  await service.scan(code.hash);
  await deliver();
  expect(await closedOf(code)).toEqual([`${today()} paused 1`]);
});

it("that no ledger takes wait as a dead letter, and are counted once by a retry", async () => {
  const away = () => Promise.reject(new Error("the ledger is away"));
  const refusing = { ...scanQueue, send: away } as unknown as Queue<ScansMessage>;
  const code = await client.createQr({ status: "paused" });
  const broken = new Service({
    now: clock.now,
    scanQueue: refusing,
    ledger: () => ({ recordScans: away }) as never,
  });
  expect((await broken.scan(code.hash)).status).toBe(404);
  const { results } = await env.DB.prepare(
    "SELECT id, expires_at AS expiresAt FROM dead_letters WHERE queue = 'scans' AND body LIKE ?",
  )
    .bind(`%${code.id}%`)
    .all<{ id: string; expiresAt: number }>();
  expect(results.map(({ expiresAt }) => expiresAt)).toEqual([clock.now() + 14 * day]);
  await service.operator.send("POST", `/operator/dead-letters/${results[0]?.id}/retry`);
  expect(sent).toHaveLength(1);
  await deliver(2);
  expect(await closedOf(code)).toEqual([`${today()} paused 1`]);
});
