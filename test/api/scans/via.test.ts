import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { exportColumns, ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { packScans, ScanPacker } from "../../../src/edge/scans/pack.ts";
import { isScansMessage } from "../../../src/edge/scans/record.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import type { ExportRequest } from "../../../src/protocol/workspace-ledger.ts";
import { EventStream } from "../../support/scans/event-stream.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, Service } from "../../support/service.ts";

const service = new Service();
const january = Date.UTC(2026, 0, 1);
const [alias, domain] = ["go.acme.example/Menu_1/männer", "go.acme.example"];
let client: Client;
let code: Qr;

beforeEach(async () => {
  client = await service.workspace();
  code = await client.createQr();
});

const stub = () => env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));

const scanBy = (via: string | null, at = january) =>
  scanRecord({ at, workspaceId: client.workspaceId, qrId: code.id, hash: code.hash, via });

/** Delivers scans by these addresses as one message, a second apart. */
async function consume(...vias: (string | null)[]): Promise<void> {
  const body = { batches: packed(...vias.map((via, i) => scanBy(via, january + i * 1000))) };
  expect((await service.consume("scans", [{ body }])).retryMessages).toEqual([]);
}

const listed = async (limit = 50) => {
  const path = `/qr/${code.id}/scans?limit=${limit}`;
  return (await client.expect(200, ScanListResponse, "GET", path)).events.map(({ via }) => via);
};

const exported = async (format: "csv" | "ndjson", from = client): Promise<string[]> =>
  (await (await from.send("GET", `/scans/export?format=${format}`)).text()).trimEnd().split(/\r?\n/);

const viasOf = (lines: readonly string[]) =>
  lines.map((line) => (JSON.parse(line) as { via?: string | null }).via);

describe("the address by which a scan came", () => {
  it("is in the list, the live stream and the export, and null at the scan origin", async () => {
    const stream = await EventStream.open(client, `/qr/${code.id}/scans/live`);
    await consume(alias, null, domain, alias);
    expect(await listed()).toEqual([alias, domain, null, alias]);
    expect((await stream.take(4)).map(({ data }) => data.via)).toEqual([alias, null, domain, alias]);
    await stream.cancel();
    expect(viasOf(await exported("ndjson"))).toEqual([alias, null, domain, alias]);
    const [head, ...lines] = await exported("csv");
    expect(head).toBe(exportColumns.join(","));
    expect(lines.map((line) => line.split('"').at(-1)?.split(",").at(-1))).toEqual([
      alias,
      "",
      domain,
      alias,
    ]);
  });

  it("is null for a scan that the redirect makes at the scan origin, whose message is as it was", async () => {
    const messages: unknown[] = [];
    const send = async (message: unknown) => messages.push(structuredClone(message));
    const edge = new Service({ scanQueue: { ...env.SCANS, send } as unknown as Queue });
    expect((await edge.scan(code.hash)).status).toBe(302);
    expect(messages).toEqual([{ batches: [expect.not.objectContaining({ vias: expect.anything() })] }]);
    const [message] = messages;
    if (!isScansMessage(message)) throw new Error("not a message of scans");
    expect(message.batches[0]?.scans).toEqual([[expect.any(String), expect.any(String), 0, 0, 0, 0, 0]]);
    await service.consume("scans", [{ body: message }]);
    expect(await listed()).toEqual([null]);
  });

  it("goes with the scan's details when these are erased", async () => {
    await consume(alias, null);
    const session = await service.sessionIn(client.workspaceId);
    const path = `/developer/qr/${code.id}/scans?sums=keep`;
    expect((await session.send("DELETE", path)).status).toBe(202);
    expect([await listed(), await exported("ndjson")]).toEqual([[], [""]]);
  });

  it("is not stored of bots", async () => {
    const body = { batches: packed({ ...scanBy(alias), userAgent: "Googlebot/2.1" }) };
    await service.consume("scans", [{ body }]);
    expect(await runInDurableObject(stub(), addresses)).toEqual([]);
  });

  it("is stored once, and new ones are distinguished up to a limit", async () => {
    const { total } = bounds.entries.vias;
    await runInDurableObject(stub(), (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO vias (address) SELECT 'go.example/' || i FROM n`,
        total - 2,
      );
    });
    await consume(domain, "go.acme.example/last", domain, "go.acme.example/a", "go.acme.example/b");
    expect(await listed(4)).toEqual(["(other)", "(other)", domain, "go.acme.example/last"]);
    const stored = await runInDurableObject(stub(), addresses);
    expect(stored.filter((address) => !address.startsWith("go.example/")).sort()).toEqual([
      "(other)",
      domain,
      "go.acme.example/last",
    ]);
    expect(stored).toHaveLength(total + 1);
  });
});

const addresses = (_: unknown, { storage }: DurableObjectState): string[] =>
  storage.sql
    .exec<{ address: string }>("SELECT address FROM vias")
    .toArray()
    .map(({ address }) => address);

describe("an export", () => {
  /** A service whose ledgers answer as these functions say. */
  const withLedger = (
    own: (ledger: ReturnType<typeof stub>) => Partial<ReturnType<typeof stub>> | Record<string, unknown>,
  ) =>
    new Service({
      ledger: () => {
        const ledger = stub();
        const replaced: object = own(ledger);
        return new Proxy(ledger, {
          get: (target, name) => Reflect.get(name in replaced ? replaced : target, name),
        });
      },
    });

  it("has no such column while its ledger runs code that doesn't know it", async () => {
    await consume(alias);
    const early = withLedger((ledger) => ({
      exportSources: async (...range: Parameters<typeof ledger.exportSources>) => {
        const { via: _, ...sources } = await ledger.exportSources(...range);
        return sources;
      },
    }));
    const reader = await early.client(client.workspaceId);
    const lines = await exported("csv", reader);
    expect(lines[0]).toBe("id,qrId,hash,scannedAt,country,city,device,os,userAgent");
    expect(lines.map((line) => line.includes(alias))).toEqual([false, false]);
    expect(viasOf(await exported("ndjson", reader))).toEqual([undefined]);
  });

  it("of a Worker that doesn't ask for it has lines without it", async () => {
    await consume(alias);
    const request: ExportRequest = {
      ...{ qrId: null, from: 0, until: january + 1, after: null },
      ...{ format: "ndjson", limit: 10, indexed: false },
    };
    const { lines } = await stub().exportPage(request);
    expect(viasOf([new TextDecoder().decode(lines)])).toEqual([undefined]);
  });
});

describe("a message", () => {
  it("has each address once, within the bytes that were counted for it", () => {
    const scans = Array.from({ length: 100 }, (_, i) =>
      scanBy([null, domain, alias, `${domain}/${"é".repeat(i)}`][i % 4] ?? null),
    );
    const packer = new ScanPacker();
    for (const scan of scans) packer.add(scan);
    const batches = packScans(scans);
    const bytes = new TextEncoder().encode(JSON.stringify({ batches })).length;
    expect(packer.bytes).toBeGreaterThanOrEqual(bytes);
    expect(packer.bytes).toBeLessThan(1.2 * bytes);
    expect(batches[0]?.vias).toHaveLength(2 + 25);
    expect(isScansMessage({ batches })).toBe(true);
  });

  it("that names an address it doesn't have is not valid", () => {
    const [batch] = packScans([scanBy(domain)]);
    expect(isScansMessage({ batches: [batch] })).toBe(true);
    expect(isScansMessage({ batches: [{ ...batch, vias: [] }] })).toBe(false);
    expect(isScansMessage({ batches: [{ ...batch, vias: undefined }] })).toBe(false);
    expect(isScansMessage({ batches: [{ ...batch, vias: 7 }] })).toBe(false);
  });
});
