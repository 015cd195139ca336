import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { packed, scanRecord } from "../scans/scans.ts";
import type { Service } from "../service.ts";

/** When these tests' scans are recorded. */
export const january = Date.UTC(2026, 0, 1);

export const ledgerOf = ({ workspaceId }: { workspaceId: string }) =>
  env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));

/** Returns the number of open connections of a workspace's ledger. */
export const connections = (client: { workspaceId: string }) =>
  runInDurableObject(
    ledgerOf(client),
    (_, state) => state.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN).length,
  );

/** Creates a workspace with two codes, and a function that records scans of them. */
export async function watchable(service: Service) {
  const client = await service.workspace();
  const [a, b] = [await client.createQr(), await client.createQr()];
  const scanOf = (
    { id, hash }: { id: string; hash: string },
    more: Partial<ScanRecord> & { at?: number } = {},
  ) => scanRecord({ workspaceId: client.workspaceId, qrId: id, hash, ...more });
  const record = async (...scans: ScanRecord[]) => {
    await ledgerOf(client).recordScans(packed(...scans), january);
    return scans;
  };
  return { client, a, b, scanOf, record };
}
