import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ledgerMigrations } from "../../src/objects/ledger/migrations/index.ts";
import { migrateObject, type ObjectMigration } from "../../src/objects/migrations.ts";
import { feedMigrations } from "../../src/objects/route-feed.ts";
import type { Remote } from "../../src/protocol/remote.ts";
import type { WorkspaceLedgerMethods } from "../../src/protocol/workspace-ledger.ts";
import { ids, ledgerVersions, type Row, start, type Tables } from "../support/catalogue/schema-versions.ts";
import { feedVersions } from "../support/feed-versions.ts";
import { reportOf } from "../support/scans/analytics.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";

const newLedger = () => env.LEDGERS.get(env.LEDGERS.newUniqueId());
const newFeed = () => env.FEEDS.get(env.FEEDS.newUniqueId());
type Stub = ReturnType<typeof newLedger> | ReturnType<typeof newFeed>;

/** Runs a function on an object's storage, whatever its class. */
const inStorage = <T>(stub: Stub, run: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> =>
  runInDurableObject(stub as DurableObjectStub, (_, state) => run(state.storage));

/**
 * Replaces an object's storage by what its first `migrations` and these rows make, as 1.0.0 and the versions until 1.1.0
 * recorded that, and evicts it.
 */
async function build(stub: Stub, migrations: readonly ObjectMigration[], tables: Tables): Promise<void> {
  await inStorage(stub, async (storage) => {
    await storage.deleteAll();
    for (const { sql } of migrations) storage.sql.exec(sql);
    storage.kv.put("schema_version", migrations.length);
    expect(tableNames(storage.sql)).toEqual(Object.keys(tables).sort());
    for (const [table, rows] of Object.entries(tables)) {
      // A migration may have filled the table.
      storage.sql.exec(`DELETE FROM ${table}`);
      for (const row of rows) {
        const columns = Object.keys(row);
        const values = columns.map(() => "?").join(", ");
        storage.sql.exec(
          `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${values})`,
          ...Object.values(row),
        );
      }
    }
  });
  await evictDurableObject(stub);
}

const tableNames = (sql: SqlStorage): string[] =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .toArray()
    .map(({ name }) => name)
    .filter((name) => !/^(_cf|sqlite)_/.test(name));

/** All rows of all tables, with blobs as text. */
const contents = (stub: Stub) =>
  inStorage(stub, ({ sql }) =>
    Object.fromEntries(
      tableNames(sql).map((table) => [
        table,
        sql
          .exec(`SELECT * FROM ${table} ORDER BY ${columnsOf(sql, table)}`)
          .toArray()
          .map(readable),
      ]),
    ),
  );

const columnsOf = (sql: SqlStorage, table: string) =>
  sql.exec(`SELECT * FROM ${table} LIMIT 0`).columnNames.join(", ");

const readable = (row: Row | Record<string, SqlStorageValue>) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (value instanceof ArrayBuffer) return [column, new Uint8Array(value).toHex()];
      return [column, value instanceof Uint8Array ? value.toHex() : value];
    }),
  );

const readableTables = (tables: Tables) =>
  Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.map(readable)]));

const numbers = (versions: readonly Tables[]) => versions.map((_, i) => i + 1);

it("every version has test data", () => {
  expect(ledgerVersions).toHaveLength(ledgerMigrations.length);
  expect(feedVersions).toHaveLength(feedMigrations.length);
});

describe.each(numbers(ledgerVersions))("a ledger of version %i", (version) => {
  const open = async () => {
    const stub = newLedger();
    await build(stub, ledgerMigrations.slice(0, version), ledgerVersions[version - 1] ?? {});
    return stub;
  };

  it("keeps every row of every table", async () => {
    const stub = await open();
    await stub.countScans();
    const { visitor_changes: changes, ...tables } = await contents(stub);
    const { visitor_changes: _, ...expected } = readableTables(ledgerVersions.at(-1) ?? {});
    expect(tables).toEqual(expected);
    // Its visitors were told apart in another way.
    expect(changes).toEqual([{ at: expect.any(Number) }]);
  });

  it("keeps its scans, visitors and totals, and recognises duplicates", async () => {
    const stub = await open();
    const [first = "", second = ""] = ids.scans;
    const duplicates = [
      scanRecord({ id: first, at: start, qrId: ids.qr }),
      scanRecord({ id: ids.bot, at: start, qrId: ids.qr, userAgent: "Googlebot/2.1" }),
    ];
    await stub.recordScans(packed(...duplicates), start);
    expect(await stub.countScans()).toBe(2);
    const { stats, events } = await stub.listScans(ids.qr, 10);
    expect(stats).toEqual({ total: 2, uniqueVisitors: 1 });
    expect(events.map(({ id }) => id)).toEqual([second, first]);
    expect(events[0]).toMatchObject({ country: "DE", city: "Köln", device: "mobile", os: "iOS" });
    const range = { from: 0, until: start * 2, after: null };
    const page = { ...range, qrId: null, format: "csv", limit: 10, indexed: false } as const;
    const { lines } = await stub.exportPage(page);
    const exported = new TextDecoder().decode(lines).trimEnd().split("\r\n");
    expect(exported.map((line) => line.split(",")[0])).toEqual([first, second]);
    expect((await contents(stub)).bot_scans).toHaveLength(1);
    const report = await reportOf(stub, { from: "2100-01-01", to: "2100-01-02" });
    expect(report.totals).toEqual({ scans: 2, newVisitors: 0, visitors: null, botScans: 1 });
    expect(report.incomplete.daysWithoutVisitors).toBe(1);
  });

  it("keeps its submissions", async () => {
    const stub = await open();
    expect((await stub.listSubmissions(ids.page, "oldest", null, 10)).items).toMatchObject([
      { id: ids.submission, fields: { email: "a@example.com" } },
    ]);
    expect(await stub.submissionFields(ids.page)).toEqual(["name", "email"]);
    const repeated = { id: crypto.randomUUID(), pageId: ids.page, fingerprint: "f1", sender: "", fields: {} };
    await stub.submit(repeated, start);
    expect((await stub.listSubmissions(ids.page, "newest", null, 10)).items).toHaveLength(1);
  });

  it("keeps its webhooks, deliveries and batches", async () => {
    const stub: Remote<WorkspaceLedgerMethods> = await open();
    const [realtime, batched] = await stub.listWebhooks();
    expect(realtime).toMatchObject({ id: ids.realtime, scopeQrId: ids.qr, consecutiveFailures: 3 });
    expect(batched).toMatchObject({ id: ids.batched, mode: "batched_5m", consecutiveFailures: 0 });
    const backoffEnd = start + 60_000;
    const retryAt = start + 30_000;
    expect(await stub.listDeliveries(ids.realtime, null, null, 10)).toMatchObject([
      { id: ids.pending, status: "pending", nextAttemptAt: new Date(retryAt).toISOString() },
      { id: ids.succeeded, status: "succeeded", attempts: 2, nextAttemptAt: null },
    ]);
    expect((await stub.getDelivery(ids.realtime, ids.succeeded))?.attemptLog).toEqual([
      {
        at: new Date(start + 30_000).toISOString(),
        status: 200,
        durationMs: 12,
        error: null,
        responseBody: "ok",
      },
    ]);
    expect((await stub.claim(ids.realtime, retryAt - 1))?.deliveries).toEqual([]);
    expect(await stub.claim(ids.realtime, retryAt)).toMatchObject({
      secrets: ["current", "previous"],
      deliveries: [{ id: ids.pending, attempt: 2 }],
    });
    await stub.changeWebhook(ids.batched, { mode: "realtime" }, backoffEnd);
    const [closed, ...earlier] = (await stub.listDeliveries(ids.batched, null, null, 10)) ?? [];
    expect(earlier.map(({ id }) => id)).toEqual([ids.batch]);
    const delivery = await stub.getDelivery(ids.batched, closed?.id ?? "");
    expect(delivery?.payload).toMatchObject({ events: [{ event: "qr.created", data: { id: "x" } }] });
  });
});

it("a new ledger has never told visitors apart in another way", async () => {
  const stub = newLedger();
  await stub.recordScans(packed(scanRecord({ at: start })), start);
  expect((await contents(stub)).visitor_changes).toEqual([]);
});

describe.each(numbers(feedVersions))("a feed of version %i", (version) => {
  it("keeps its changes", async () => {
    const stub = newFeed();
    await build(stub, feedMigrations.slice(0, version), feedVersions[version - 1] ?? {});
    const a = { key: "a", version: 7 };
    const b = { key: "b", version: 2 };
    expect(await stub.changes(0)).toMatchObject({ seq: 5, changes: [a, b], more: false });
    expect(await stub.changes(3)).toMatchObject({ seq: 5, changes: [b], more: false });
    expect(await contents(stub)).toEqual(readableTables(feedVersions.at(-1) ?? {}));
  });
});

it("a feed that has dropped all its changes numbers on from them", async () => {
  const stub = newFeed();
  await build(stub, feedMigrations.slice(0, 1), feedVersions[0] ?? {});
  await inStorage(stub, ({ sql }) => sql.exec("DELETE FROM changed_routes"));
  await evictDurableObject(stub);
  const { seq } = await stub.changes(0);
  expect(seq).toBe(5);
  await stub.publish([{ key: "c", version: 1 }]);
  expect(await stub.changes(seq)).toMatchObject({ seq: 6, changes: [{ key: "c", version: 1 }] });
});

/** An object's schema version and number of migrations. */
const recorded = ({ kv }: DurableObjectStorage) => [kv.get("schema_version"), kv.get("schema_migrations")];

describe("an object", () => {
  const additive = (sql: string): ObjectMigration => ({ sql, additive: true });
  const breaking = (sql: string): ObjectMigration => ({ sql, additive: false });
  const migrate = (stub: Stub, ...later: ObjectMigration[]) =>
    inStorage(stub, (storage) => {
      migrateObject(storage, [...feedMigrations, ...later]);
      return recorded(storage);
    });

  it("runs the migrations that it has not run, in order, and keeps its rows", async () => {
    const stub = newFeed();
    await build(stub, feedMigrations, feedVersions.at(-1) ?? {});
    const add = additive("ALTER TABLE changed_routes ADD COLUMN region TEXT NOT NULL DEFAULT 'weur'");
    const rename = breaking("ALTER TABLE changed_routes RENAME COLUMN region TO place");
    const rows = feedVersions.at(-1)?.changed_routes ?? [];
    const before = feedMigrations.length;
    expect(await migrate(stub, add)).toEqual([1, before + 1]);
    expect(await contents(stub)).toEqual({ changed_routes: rows.map((row) => ({ ...row, region: "weur" })) });
    expect(await migrate(stub, add, rename)).toEqual([2, before + 2]);
    expect(await migrate(stub, add, rename)).toEqual([2, before + 2]);
    expect(await contents(stub)).toEqual({ changed_routes: rows.map((row) => ({ ...row, place: "weur" })) });
  });

  it("opens after additive migrations of a newer release, and leaves their count as it is", async () => {
    const stub = newFeed();
    const [one, two] = ["one", "two"].map((name) => additive(`CREATE TABLE ${name} (id TEXT)`));
    if (one === undefined || two === undefined) throw new Error("unreachable");
    const reached = feedMigrations.length + 2;
    expect(await migrate(stub, one, two)).toEqual([1, reached]);
    expect(await migrate(stub)).toEqual([1, reached]);
    expect(await migrate(stub, one)).toEqual([1, reached]);
    expect(await migrate(stub, one, two)).toEqual([1, reached]);
  });

  it("does not open after other migrations of a newer release", async () => {
    await runInDurableObject(newLedger(), (_, { storage }) => {
      migrateObject(storage, [...ledgerMigrations, breaking("DROP TABLE history")]);
      expect(() => migrateObject(storage, ledgerMigrations)).toThrow("is newer than this release's 1");
    });
    await runInDurableObject(newFeed(), (_, { storage }) => {
      storage.kv.delete("schema_migrations");
      storage.kv.put("schema_version", feedMigrations.length + 1);
      expect(() => migrateObject(storage, feedMigrations)).toThrow("is newer than this release's 1");
    });
  });

  it("that counted an additive migration in its version writes that back when it starts", async () => {
    const stub = newLedger();
    await build(stub, ledgerMigrations, ledgerVersions.at(-1) ?? {});
    await stub.countScans();
    expect(await inStorage(stub, recorded)).toEqual([1, ledgerMigrations.length]);
  });

  it("stays as it was when a migration fails", async () => {
    const stub = newFeed();
    await build(stub, feedMigrations, feedVersions.at(-1) ?? {});
    const before = await contents(stub);
    await expect(migrate(stub, breaking("DROP TABLE changed_routes"), additive("not SQL"))).rejects.toThrow();
    expect(await inStorage(stub, (storage) => storage.kv.get("schema_version"))).toBe(1);
    expect(await contents(stub)).toEqual(before);
  });
});

/** The statements of the last release run on the feed's rebuilt table in test/objects/route-feed.test.ts. */
const isRebuilt = (migration: ObjectMigration) => migration === feedMigrations[1];

it.each(
  [...ledgerMigrations, ...feedMigrations].filter((migration) => migration.additive && !isRebuilt(migration)),
)("an additive migration only adds what older statements needn't know: $sql", ({ sql }) => {
  const statements = sql
    .split(";")
    .map((statement) => statement.trim())
    .filter((each) => each !== "");
  const created = [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name);
  const others = statements.filter((statement) => {
    const [, table] = /^(?:CREATE UNIQUE INDEX \w+ ON|INSERT INTO) (\w+)/.exec(statement) ?? [];
    if (table !== undefined) return !created.includes(table);
    const isColumn = /^ALTER TABLE \w+ ADD (?:COLUMN )?\w+ \w+(?<required> NOT NULL)?(?<default> DEFAULT)?/;
    const column = isColumn.exec(statement)?.groups;
    if (column !== undefined) return column.required !== undefined && column.default === undefined;
    return !/^CREATE (?:TABLE|INDEX) /.test(statement);
  });
  expect(others).toEqual([]);
});
