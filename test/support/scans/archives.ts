import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { gunzipLines } from "../../../src/lib/web/gzip-lines.ts";
import type { WorkspaceLedger } from "../../../src/objects/ledger/workspace-ledger.ts";
import type { ArchivedScan } from "../../../src/protocol/archives.ts";
import { type newLedger, scan, visitor } from "./analytics.ts";

type Stub = ReturnType<typeof newLedger>;

/** Returns the keys of a ledger's files of archived scans. */
export async function archiveKeys(stub: Stub): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: `archives/${stub.name ?? stub.id}/` });
  return objects.map(({ key }) => key);
}

/** Returns the scans of a file. */
export async function readArchive(key: string): Promise<ArchivedScan[]> {
  const object = await env.FILES.get(key);
  if (object === null) throw new Error(`${key} is missing`);
  const scans: ArchivedScan[] = [];
  for await (const lines of gunzipLines(object.body)) {
    for (const line of lines) scans.push(JSON.parse(line) as ArchivedScan);
  }
  return scans;
}

/** Returns all archived scans, in order of the files' keys. */
export async function archived(stub: Stub): Promise<ArchivedScan[]> {
  const files = await Promise.all((await archiveKeys(stub)).map(readArchive));
  return files.flat();
}

/** Runs the alarm until none is due. @param until epoch milliseconds @returns how often it ran */
export async function runAlarms(stub: Stub, until: number): Promise<number> {
  let runs = 0;
  for (;;) {
    const at = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    if (at === null || at > until) return runs;
    await runDurableObjectAlarm(stub);
    runs += 1;
    if (runs > 500) throw new Error("the ledger never ends its work");
  }
}

/** Returns the number of rows in a ledger's table. */
export const rowsOf = (stub: Stub, table: string): Promise<number> =>
  runInDurableObject(
    stub,
    (_, { storage }) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
  );

/** Makes a ledger report this size in bytes. */
export const resize = (stub: Stub, bytes: number): Promise<void> =>
  runInDurableObject(stub, (_, { storage }) => {
    Object.defineProperty(storage.sql, "databaseSize", { value: bytes, configurable: true });
  });

/** Returns scans of a code, a minute apart, by a few visitors. */
export const scansFrom = (at: number, count: number, more: Partial<ScanRecord> = {}): ScanRecord[] =>
  Array.from({ length: count }, (_, i) => scan({ at: at + i * 60_000, visitor: visitor(i % 50), ...more }));

/** Functions that replace some of a bucket's. */
interface Replaced {
  put?(...args: Parameters<R2Bucket["put"]>): Promise<unknown>;
  get?(...args: Parameters<R2Bucket["get"]>): Promise<unknown>;
  delete?(...args: Parameters<R2Bucket["delete"]>): Promise<unknown>;
}

/** Replaces functions of the bucket that a ledger uses, until it is evicted. */
export const withBucket = (stub: Stub, replace: (ledger: WorkspaceLedger) => Replaced): Promise<void> =>
  runInDurableObject(stub, (ledger) => {
    const replaced: object = replace(ledger);
    const bucket = new Proxy(env.FILES, {
      get: (target, name) => {
        const value: unknown = Reflect.get(name in replaced ? replaced : target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    Object.assign(ledger, { env: { ...env, FILES: bucket } });
  });
