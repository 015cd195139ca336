import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HistoryKind } from "../../src/contract/resources/history/history.ts";
import { idAt, newId } from "../../src/lib/text/ids.ts";
import { bounds } from "../../src/protocol/bounds.ts";
import { type HistoryEntry, serviceActor } from "../../src/protocol/history.ts";
import type { Remote } from "../../src/protocol/remote.ts";
import type { WorkspaceLedgerMethods } from "../../src/protocol/workspace-ledger.ts";

const day = 24 * 60 * 60 * 1000;
/** In the future, so that no alarm fires by itself. */
const start = Date.UTC(2090, 0, 1);

let ledger: ReturnType<typeof env.LEDGERS.get>;

/** Much less than they would be. */
const { rows, examined, guarded } = bounds.history;
beforeAll(
  () => void Object.assign(bounds.history, { rows: 2000, examined: 50, guarded: { ...guarded, rows: 6000 } }),
);
afterAll(() => void Object.assign(bounds.history, { rows, examined, guarded }));

beforeEach(() => {
  ledger = env.LEDGERS.get(env.LEDGERS.newUniqueId());
});

const entry = (at: number, name = "Menu"): HistoryEntry => ({
  v: 1,
  id: newId(at),
  action: "code.updated",
  actor: serviceActor,
  object: { kind: "code", id: "the-code", name },
  changes: { name: ["before", name] },
});

const add = (entries: readonly HistoryEntry[], now = start) => ledger.receive({ events: [], entries }, now);

/** The ledger as the Worker sees it. */
const remote = (): Remote<WorkspaceLedgerMethods> => ledger;

const list = async (limit = 1000) => (await remote().listHistory({}, null, limit)).items;

/** Fills the history with old rows that claim a number of bytes each. @param at their time, epoch milliseconds */
const fill = (rows: number, bytes: number, kind: HistoryKind = "code", from = 0, at = 0) =>
  runInDurableObject(ledger, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
       INSERT INTO history (id, object_id, object_kind, actor_kind, bytes, entry)
       SELECT printf(?5 || '-7000-8000-%012x', i + ?4), 'old', ?3, 'service', ?2, '{}' FROM n`,
      ...[rows, bytes, kind, from, idAt(at).slice(0, 13)],
    );
    storage.kv.delete("history");
    storage.sql.exec("UPDATE history_size SET rows = rows + ?, bytes = bytes + ?", rows, rows * bytes);
  });

const size = () =>
  runInDurableObject(ledger, (_, { storage }) =>
    storage.sql
      .exec<{ rows: number; bytes: number; counted: number; sum: number }>(
        "SELECT s.rows, s.bytes, (SELECT count(*) FROM history) AS counted, (SELECT sum(bytes) FROM history) AS sum FROM history_size s",
      )
      .one(),
  );

describe("the oldest entries go first", () => {
  it("when there are too many of them", async () => {
    await fill(bounds.history.rows, 10);
    const newest = [entry(start), entry(start + 1), entry(start + 2)];
    await add(newest);
    const { rows, counted, bytes, sum } = await size();
    expect({ rows, bytes }).toEqual({ rows: counted, bytes: sum });
    expect(rows).toBe(bounds.history.rows);
    const first = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql.exec<{ id: string }>("SELECT min(id) AS id FROM history").one(),
    );
    expect(first.id.endsWith("000000000003")).toBe(true);
    expect((await list(3)).map(({ id }) => id)).toEqual(newest.map(({ id }) => id).toReversed());
  });

  it("when they take up too many bytes", async () => {
    const each = bounds.history.bytes / 1000;
    await fill(1000, each);
    await add([entry(start)]);
    const { rows, bytes } = await size();
    expect(rows).toBe(1000);
    expect(bytes).toBeLessThanOrEqual(bounds.history.bytes);
  });

  it("400 days after the change, also if nothing else happens", async () => {
    const [old, kept] = [entry(start), entry(start + 2 * day)];
    await add([old, kept]);
    const alarmAt = () => runInDurableObject(ledger, (_, { storage }) => storage.getAlarm());
    const due = start + (bounds.history.days + 1) * day;
    expect(await alarmAt()).toBe(due);
    await runInDurableObject(ledger, async (instance, { storage }) => {
      storage.kv.put("alarm_at", due);
      await instance.alarm();
    });
    expect((await list()).map(({ id }) => id)).toEqual([kept.id]);
    expect(await alarmAt()).toBe(due + 2 * day);
  });
});

describe("entries about people, keys, webhooks and settings", () => {
  const about = (kind: HistoryKind, at: number): HistoryEntry => ({
    ...entry(at),
    action: kind === "member" ? "member.joined" : "key.created",
    object: { kind, id: "someone", name: "Ada" },
  });
  const kinds = ["member", "invitation", "key", "webhook", "workspace", "brand"] as const;

  const idsOf = (kinds: string) =>
    runInDurableObject(ledger, (_, { storage }) =>
      storage.sql
        .exec<{ id: string }>(`SELECT id FROM history WHERE object_kind IN (${kinds}) ORDER BY id`)
        .toArray()
        .map(({ id }) => id),
    );

  it("outlast any number of changes of codes, which undo their newest", async () => {
    const guarded = kinds.map((kind, i) => about(kind, start - 10_000 + i));
    await add(guarded);
    await fill(bounds.history.rows, 10, "code", 10, start - 10);
    // In the order of ids: older than what was deleted before, too.
    for (let at = start; at < start + 3; at += 1) await add([entry(at), entry(at - 1000)], at);
    expect(await idsOf(kinds.map((kind) => `'${kind}'`).join())).toEqual(guarded.map(({ id }) => id));
    const codes = await idsOf("'code'");
    expect(codes).toHaveLength(bounds.history.rows);
    expect(codes[0]?.slice(24)).toBe("00000000000d");
    const { rows, counted, bytes, sum } = await size();
    expect({ rows, bytes }).toEqual({ rows: counted, bytes: sum });
    expect((await list(1))[0]).toMatchObject({ changes: { name: ["before", "Menu"] } });
  });

  it.each(["rows", "bytes"] as const)(
    "have a bound of their own, in %s, and displace nothing else",
    async (unit) => {
      const { guarded } = bounds.history;
      await fill(50, 10, "code");
      const rows = unit === "rows" ? guarded.rows : 100;
      await fill(rows, unit === "rows" ? 10 : guarded.bytes / rows, "member", 1000);
      const newest = about("key", start);
      await add([newest]);
      const left = await idsOf("'member', 'key'");
      expect(left.at(-1)).toBe(newest.id);
      expect(left.length).toBeLessThan(rows);
      expect(left.length).toBeGreaterThan(rows * 0.9);
      expect(await idsOf("'code'")).toHaveLength(50);
      const whole = await size();
      expect({ rows: whole.rows, bytes: whole.bytes }).toEqual({ rows: whole.counted, bytes: whole.sum });
    },
  );
});

it.each(["rows", "bytes"] as const)("more than usual within an hour is noticed: %s", async (unit) => {
  const unusualAt = async () => (await remote().notices(1)).historyUnusualAt;
  await add([entry(start)]);
  const one = (await size())[unit];
  const claim = (added: number) =>
    runInDurableObject(ledger, (_, { storage }) => {
      const facts = storage.kv.get<{ hour: object }>("history");
      storage.kv.put("history", { ...facts, hour: { ...facts?.hour, [unit]: added } });
    });
  await claim(bounds.history.unusual[unit] - one);
  await add([entry(start + 1)], start + 1);
  expect(await unusualAt()).toBeNull();
  await add([entry(start + 2)], start + 2);
  expect(await unusualAt()).toBe(start + 2);
  // The next hour begins anew.
  await add([entry(start + 2 * 60 * 60_000)], start + 2 * 60 * 60_000);
  expect(await unusualAt()).toBe(start + 2);
});

it("an entry that arrives twice counts once", async () => {
  const once = entry(start);
  await add([once]);
  const before = await size();
  await add([once, once]);
  expect(await size()).toEqual(before);
});

it("values and names of an erased object leave the history, and only they", async () => {
  const other = { ...entry(start + 1), object: { kind: "code", id: "another", name: "Other" } } as const;
  await add([entry(start, "Secret recipe"), other, entry(start + 2, "Secret menu")]);
  await ledger.receive({ events: [], erased: [{ kind: "code", id: "the-code" }] }, start);
  const [last, second, first] = await list();
  expect(second).toEqual(other);
  for (const erased of [first, last]) {
    expect(erased).toMatchObject({ action: "code.updated", changes: {}, object: { name: null } });
  }
  const { bytes, sum } = await size();
  expect(bytes).toBe(sum);
});

it("a filter without an index examines a bounded number of entries a page", async () => {
  await fill(bounds.history.examined + 10, 10);
  const page = await remote().listHistory({ actor: "nobody" }, null, 10);
  expect(page.items).toEqual([]);
  expect(page.next).not.toBeNull();
  expect(await remote().listHistory({ actor: "nobody" }, page.next, 10)).toEqual({ items: [], next: null });
});

it("entries of a kind are found at once, however many codes have changed since", async () => {
  const made = {
    ...entry(0),
    action: "template.created",
    object: { kind: "template", id: "one", name: "Red" },
  };
  await add([made as HistoryEntry]);
  await fill(bounds.history.examined + 10, 10, "code", 0, 1000);
  const { items, next } = await remote().listHistory({ kinds: ["template"] }, null, 10);
  expect([items.map(({ object }) => object.id), next]).toEqual([["one"], null]);
  expect((await remote().listHistory({ kinds: ["template", "page"] }, null, 10)).next).not.toBeNull();
});
