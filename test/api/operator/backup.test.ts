import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { alertConditions } from "../../../src/domain/operations/alert-conditions.ts";
import { checkReadiness } from "../../../src/domain/operations/readiness.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { tableDecisions as ledgerTables, valueDecisions } from "../../../src/objects/ledger/backup/tables.ts";
import type {
  LedgerChanges,
  LedgerCopyAnswer,
  LedgerPlace,
  StoredRows,
  TablePage,
} from "../../../src/protocol/backup.ts";
import { serviceActor } from "../../../src/protocol/history.ts";
import type { NewWebhook } from "../../../src/protocol/workspace-ledger.ts";
import { tableDecisions as catalogueTables } from "../../../src/store/backup/tables.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { FakeClock, Service } from "../../support/service.ts";

const backupSecret = "a-secret-that-allows-backups-for-tests";
const clock = new FakeClock();
const open = new Service({ now: clock.now, settings: { backupSecret } });
const id = newId(clock.now());

const send = (service: Service, secret: string, method: string, path: string, body?: object) =>
  service.fetch(`/operator/backup${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const newLedger = () => env.LEDGERS.get(env.LEDGERS.newUniqueId());
type Stub = ReturnType<typeof newLedger>;

const tablesOf = (sql: SqlStorage) =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .toArray()
    .map(({ name }) => name)
    .filter((name) => !/^(_cf|sqlite)_/.test(name));

/** Everything in a ledger that a backup has. */
const contentsOf = (stub: Stub) =>
  runInDurableObject(stub, (_, { storage: { sql, kv } }) => ({
    tables: tablesOf(sql).flatMap((table) => {
      if (ledgerTables[table] !== "copied") return [];
      return [[table, [...sql.exec(`SELECT * FROM ${table}`).raw()].map((row) => row.map(readable)).sort()]];
    }),
    size: sql.exec("SELECT * FROM history_size").toArray(),
    values: [...kv.list()].filter(([name]) => valueDecisions[name] === "copied"),
  }));

const readable = (value: SqlStorageValue) =>
  value instanceof ArrayBuffer ? new Uint8Array(value).toHex() : value;

it("every table of the catalogue and of a ledger, and every value, is copied or left out for a reason", async () => {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
  ).all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => name !== "d1_migrations");
  expect(names.sort()).toEqual(Object.keys(catalogueTables).sort());
  const stub = newLedger();
  await stub.copyStep({ step: "begin", id, holds: false }, clock.now());
  const tables = await runInDurableObject(stub, (_, { storage }) => tablesOf(storage.sql));
  expect(tables).toEqual(Object.keys(ledgerTables).sort());
});

it("nothing answers without the secret, or while none is set", async () => {
  const closed = new Service({ settings: { backupSecret: "" } });
  const short = new Service({ settings: { backupSecret: "short" } });
  for (const [service, secret] of [
    ...([
      [closed, ""],
      [closed, backupSecret],
      [short, "short"],
    ] as const),
    ...([
      [open, ""],
      [open, `${backupSecret}x`],
      [open, open.operatorSecret],
    ] as const),
  ]) {
    for (const [method, path] of [
      ...[
        ["GET", ""],
        ["POST", "/begin"],
        ["POST", "/end"],
        ["GET", "/catalogue/users"],
        ["PUT", "/catalogue/users"],
      ],
      ...[
        ["POST", `/ledgers/${id}/copy`],
        ["POST", `/ledgers/${id}/restore`],
        ["POST", "/restore"],
      ],
      ...[
        ["GET", "/files?prefix=logos/"],
        ["GET", "/file?key=logos/1"],
        ["PUT", "/file?key=logos/1"],
      ],
    ] as const) {
      expect((await send(service, secret, method, path, method === "GET" ? undefined : { id })).status).toBe(
        404,
      );
    }
  }
});

it("never gives sessions, links, invitations or challenges, and names what it can't read", async () => {
  for (const table of [
    "sessions",
    "operator_sessions",
    "sign_in_links",
    "invitations",
    "spent_challenges",
    "odd",
  ]) {
    expect((await send(open, backupSecret, "GET", `/catalogue/${table}`)).status).toBe(404);
  }
  expect((await send(open, backupSecret, "GET", "/files?prefix=prints/")).status).toBe(404);
  expect((await send(open, backupSecret, "POST", "/begin", { id: "odd" })).status).toBe(400);
  expect((await send(open, backupSecret, "GET", "/catalogue/users?after=odd")).status).toBe(400);
});

it("each begin is recorded, alerts the operator and shows in the readiness", async () => {
  const finding = async (service = open) =>
    (await checkReadiness(service.deps)).findings.find(({ name }) => name === "backup");
  expect(await finding()).toMatchObject({ status: "ok", what: "None is complete yet." });
  await send(open, backupSecret, "POST", "/begin", { id });
  expect(await finding()).toMatchObject({
    what: expect.stringMatching(/^None is complete yet\. One began at /),
  });
  const { found } = await alertConditions(open.deps, []);
  expect(found.map(({ name }) => name)).toContain("backup begun");
  await send(open, backupSecret, "POST", "/end", { id });
  expect(await finding()).toMatchObject({
    status: "ok",
    what: expect.stringMatching(/^The last one was complete at/),
  });
  clock.advance(25 * 60 * 60_000);
  const deployed = new Service({
    now: clock.now,
    settings: { backupSecret, appOrigin: "https://app.example" },
  });
  expect(await finding(deployed)).toMatchObject({
    status: "warning",
    mend: "npx wrangler secret delete BACKUP_SECRET",
  });
});

/** Copies a ledger. @param between runs before each step @returns what a file would have, in its order */
async function copy(stub: Stub, between: (step: number) => Promise<void>) {
  const parts: (TablePage | LedgerChanges)[] = [];
  const begun = await stub.copyStep({ step: "begin", id, holds: false }, clock.now());
  if (begun.kind !== "begun") throw new Error("not begun");
  let place: LedgerPlace | null = { table: begun.tables[0] ?? "", after: null };
  let steps = 0;
  for (; place !== null; steps += 1) {
    await between(steps);
    const answer = (await stub.copyStep(
      { step: "pages", id, before: null, ...place },
      clock.now(),
    )) as LedgerCopyAnswer;
    if (answer.kind !== "pages") throw new Error(answer.kind);
    parts.push(...answer.pages);
    place = answer.next;
  }
  for (let after = 0, complete = false; !complete; ) {
    await between(steps);
    const answer = (await stub.copyStep({ step: "changes", id, after }, clock.now())) as LedgerCopyAnswer;
    if (answer.kind !== "changes") throw new Error(answer.kind);
    parts.push(answer.changes);
    ({ seq: after, complete } = answer.changes);
  }
  return parts;
}

async function restore(stub: Stub, parts: readonly (TablePage | LedgerChanges)[]) {
  expect(await stub.restoreStep({ step: "begin", id }, clock.now())).toBe("ready");
  let values: LedgerChanges["values"] = {};
  const store = (step: "rows" | "remove", rows: StoredRows) =>
    stub.restoreStep({ step, id, rows }, clock.now());
  for (const part of parts) {
    if (!("tables" in part)) await store("rows", part);
    else {
      ({ values } = part);
      for (const { removed, ...page } of part.tables) {
        await store("remove", { ...page, lines: removed.map((key) => `${JSON.stringify(key)}\n`).join("") });
        await store("rows", page);
      }
    }
  }
  await stub.restoreStep({ step: "complete", id, values: { ...values } }, clock.now());
}

it("a ledger that changes while it is copied is restored as it was at the last step", async () => {
  const random = new SeededRandom(65);
  const [stub, other] = [newLedger(), newLedger()];
  const webhook: NewWebhook = {
    ...{ id: newId(clock.now()), url: "https://example.com/hook", events: ["qr.scanned"], mode: "realtime" },
    ...{ scopeQrId: null, scopePageId: null, secret: "encrypted", createdAt: clock.now(), keyId: null },
  };
  const codes = Array.from({ length: 5 }, () => newId(clock.now()));
  const scanSome = (scans: number) =>
    stub.recordScans(
      packed(
        ...Array.from({ length: scans }, () =>
          scanRecord({ at: clock.now() - random.below(1e9), qrId: random.pick(codes) }),
        ),
      ),
      clock.now(),
    );
  await stub.createWebhook(webhook, 10);
  await scanSome(3000);
  let before = await contentsOf(stub);
  const parts = await copy(stub, async () => {
    await scanSome(1 + random.below(40));
    if (random.below(3) === 0) {
      const [qrId = ""] = codes;
      const erasure = { qrId, hash: "hash", sums: random.pick(["erase", "keep"] as const) };
      await stub.eraseScans(erasure, clock.now(), serviceActor);
    }
    before = await contentsOf(stub);
  });
  expect(parts.length).toBeGreaterThan(10);
  await restore(other, parts);
  expect(await contentsOf(other)).toEqual(before);

  // Nothing is sent while the other installation still sends.
  expect(await other.claim(webhook.id, clock.now())).toBeUndefined();
  await other.restoreStep({ step: "release", id }, clock.now());
  expect((await other.claim(webhook.id, clock.now()))?.deliveries).not.toEqual([]);
  expect(await other.restoreStep({ step: "begin", id: newId(clock.now()) }, clock.now())).toBe("refused");
  expect(await stub.restoreStep({ step: "begin", id }, clock.now())).toBe("refused");
});

it("a copy is given up once no step comes, and leaves nothing that counts changes", async () => {
  const stub = newLedger();
  await stub.copyStep({ step: "begin", id, holds: false }, Date.now() - 60 * 60_000);
  await runDurableObjectAlarm(stub);
  expect((await stub.copyStep({ step: "changes", id, after: 0 }, Date.now())).kind).toBe("given up");
  const triggers = await runInDurableObject(stub, (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_schema WHERE name LIKE 'backup_%_INSERT'").toArray(),
  );
  expect(triggers).toEqual([]);
});
