import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import type { WorkspaceLedger } from "../../../src/objects/ledger/workspace-ledger.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { visitor } from "../../support/scans/analytics.ts";
import { archiveKeys, resize, runAlarms } from "../../support/scans/archives.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, phone, Service } from "../../support/service.ts";

const day = 24 * 60 * 60 * 1000;
/** In the future, so that alarms fire only when a test runs them. */
const may = Date.UTC(2100, 4, 10);
const now = may + 40 * day;

const service = new Service({ now: () => now });
let client: Client;
let stub: DurableObjectStub<WorkspaceLedger>;
let codes: { id: string; hash: string }[];
/** By ascending id. */
let scans: ScanRecord[];

/** Scans of a code, three minutes apart. */
const some = (code: { id: string; hash: string } | undefined, at: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    scanRecord({
      workspaceId: client.workspaceId,
      qrId: code?.id ?? "",
      hash: code?.hash ?? "",
      at: at + i * 3 * 60_000,
      visitor: visitor(i),
      userAgent: `=${phone}, "x"`,
      city: i % 3 === 0 ? null : '+Ort,\n"St. Pölten" 🍕',
      via: i % 5 === 0 ? 'go.example/men%C3%BC,"a"' : null,
    }),
  );

const record = (more: ScanRecord[]) => {
  scans = [...scans, ...more].sort((a, b) => (a.id < b.id ? -1 : 1));
  return stub.recordScans(packed(...more), now);
};

/** Archives what is older than thirty days. A pass begins a day after the last. */
async function archive(until = now) {
  await resize(stub, bounds.ledger.high);
  await stub.changeReporting({}, now);
  await runAlarms(stub, until);
  await resize(stub, 1e6);
}

const exported = async (query = "", from: Client = client): Promise<string> => {
  const response = await from.send("GET", `/scans/export${query}`);
  expect(response.status).toBe(200);
  return response.text();
};

const idsOf = (ndjson: string): string[] =>
  ndjson
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { id: string }).id);

beforeEach(async () => {
  client = await service.workspace();
  stub = env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));
  codes = [await client.createQr(), await client.createQr()];
  scans = [];
  // The first code's scans are archived but for its newest ones, those of the second stay between them.
  await record(some(codes[0], may, 700));
  await record(some(codes[1], may + 1, 300));
  await record([
    scanRecord({ workspaceId: client.workspaceId, at: may, prefetch: true, qrId: codes[0]?.id ?? "" }),
  ]);
  scans = scans.filter(({ prefetch }) => !prefetch);
});

it("an export is the same before and after scans are archived, byte for byte", async () => {
  const queries = [
    "",
    "?format=ndjson",
    `?qrId=${codes[0]?.id}`,
    `?qrId=${codes[1]?.id}&format=ndjson`,
    "?from=2100-05-10&to=2100-05-10",
    "?from=2100-05-11",
  ];
  const before = await Promise.all(queries.map((query) => exported(query)));
  await archive();
  expect(await archiveKeys(stub)).toHaveLength(1);
  expect(await Promise.all(queries.map((query) => exported(query)))).toEqual(before);
  expect(idsOf(before[1] ?? "")).toEqual(scans.map(({ id }) => id));
});

it("files that overlap are merged", async () => {
  await archive();
  // The newest scans of the first code are not its newest any more; the second file has scans between those of the first.
  await record(some(codes[0], may + 35 * day, 500));
  await record(some(codes[1], may + 35 * day + 1, 500));
  await archive(now + 2 * day);
  expect((await archiveKeys(stub)).length).toBeGreaterThan(1);
  expect(idsOf(await exported("?format=ndjson"))).toEqual(scans.map(({ id }) => id));
});

it("scans that are archived while an export runs are in it, once", async () => {
  let pages = 0;
  const own = new Service({
    now: () => now,
    ledger: () =>
      ({
        exportSources: (...args: Parameters<typeof stub.exportSources>) => stub.exportSources(...args),
        exportPage: async (request: Parameters<typeof stub.exportPage>[0]) => {
          pages += 1;
          // Small pages, so that the archive is in the middle of them.
          const page = await stub.exportPage({ ...request, limit: 40 });
          if (pages === 3) await archive();
          return page;
        },
        acquireExport: (...args: Parameters<typeof stub.acquireExport>) => stub.acquireExport(...args),
        releaseExport: (...args: Parameters<typeof stub.releaseExport>) => stub.releaseExport(...args),
      }) as unknown as typeof stub,
  });
  const response = await own.fetch("/api/v1/scans/export?format=ndjson", {
    headers: { authorization: `Bearer ${client.key}` },
  });
  expect(idsOf(await response.text())).toEqual(scans.map(({ id }) => id));
  expect(await archiveKeys(stub)).toHaveLength(1);
});

it("an export ends early, rather than without some scans, if a file is missing", async () => {
  await archive();
  await env.FILES.delete(await archiveKeys(stub));
  const response = await client.send("GET", "/scans/export");
  await expect(response.text()).rejects.toThrow();
});

it("the workspace says how many scans are archived", async () => {
  await archive();
  const session = await service.sessionIn(client.workspaceId);
  const { usage } = await session.expect(200, Workspace, "GET", "/developer/workspace");
  expect(usage.storage.archive).toMatchObject({ files: 1, scans: 200, failingSince: null });
});

it("an export reads on where it was, if R2 breaks off in the middle of a file", async () => {
  await archive();
  let reads = 0;
  const files = new Proxy(env.FILES, {
    get: (target, name) => {
      if (name !== "get") return Reflect.get(target, name);
      return async (key: string) => {
        const object = await target.get(key);
        reads += 1;
        if (reads > 2 || object === null) return object;
        const bytes = new Uint8Array(await object.arrayBuffer());
        // The first half of the file, and then an error.
        let sent = false;
        const body = new ReadableStream({
          pull: (controller) => {
            if (sent) controller.error(new Error("R2 broke off"));
            else controller.enqueue(bytes.subarray(0, bytes.length / 2));
            sent = true;
          },
        });
        return { body };
      };
    },
  });
  const own = new Service({ now: () => now, files });
  const response = await own.fetch("/api/v1/scans/export?format=ndjson", {
    headers: { authorization: `Bearer ${client.key}` },
  });
  expect(idsOf(await response.text())).toEqual(scans.map(({ id }) => id));
  expect(reads).toBe(3);
});
