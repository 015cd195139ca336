import { chunksBySize } from "../../lib/chunks.ts";
import { isId } from "../../lib/text/ids.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { bounds } from "../../protocol/bounds.ts";
import type {
  ClosedCount,
  ClosedCounts,
  DomainVisits,
  ScanBatch,
  ScansMessage,
} from "../../protocol/messages.ts";
import type { EdgeDeps } from "../deps.ts";
import { enqueueDeliveries } from "./enqueue.ts";

/**
 * How long work for many workspaces waits for one workspace's ledger, milliseconds. A ledger records the largest batch
 * of scans in a fraction of it.
 */
export const ledgerTimeout = 8000;

/**
 * Records scans in their workspaces' ledgers, nearly always with one call per ledger. A ledger that fails or doesn't
 * respond in time doesn't delay the others. Recording a scan twice has no effect.
 * @returns the workspaces whose scans could not be recorded, with the error
 */
export async function recordScans(
  deps: EdgeDeps,
  batches: readonly ScanBatch[],
): Promise<Map<string, unknown>> {
  const failed = new Map<string, unknown>();
  const byWorkspace = Map.groupBy(batches, ({ workspaceId }) => workspaceId);
  await Promise.all(
    Array.from(byWorkspace, async ([workspaceId, ownBatches]) => {
      try {
        const webhookIds = new Set<string>();
        for (const portion of chunksBySize(ownBatches, bounds.scansPerCall, entriesOf)) {
          const due = await withTimeout(deps, ledgerTimeout, () =>
            deps.ledger(workspaceId).recordScans(portion, deps.now()),
          );
          for (const id of due) webhookIds.add(id);
        }
        await enqueueDeliveries(deps, workspaceId, [...webhookIds]);
      } catch (error) {
        failed.set(workspaceId, error);
      }
    }),
  );
  return failed;
}

/** Scans of a batch, and counts of what is none. */
const entriesOf = ({ scans, closed }: ScanBatch): number =>
  scans.length + (closed === undefined ? 0 : closed.codes.length + closed.domains.length);

/** Returns whether a queue message has the expected form. One that failed may have any form. */
export function isScansMessage(body: unknown): body is ScansMessage {
  if (typeof body !== "object" || body === null || !("batches" in body)) return false;
  return Array.isArray(body.batches) && body.batches.every(isScanBatch);
}

function isScanBatch(value: Partial<ScanBatch> | null): boolean {
  if (typeof value?.workspaceId !== "string") return false;
  const { codes, userAgents, places, referrers, vias = [], scans, closed } = value;
  if (closed !== undefined && !isClosedCounts(closed)) return false;
  if (![codes, userAgents, places, referrers, vias, scans].every(Array.isArray)) return false;
  return (scans ?? []).every((scan) => {
    if (!Array.isArray(scan)) return false;
    const [id, , code, userAgent, place, , referrer, via] = scan;
    return (
      typeof id === "string" &&
      codes?.[code] !== undefined &&
      userAgents?.[userAgent] !== undefined &&
      places?.[place] !== undefined &&
      referrers?.[referrer] !== undefined &&
      (via === undefined || vias[via] !== undefined)
    );
  });
}

function isClosedCounts(value: Partial<ClosedCounts> | null): boolean {
  const { id, codes, domains } = value ?? {};
  if (typeof id !== "string" || !isId(id) || !Array.isArray(codes) || !Array.isArray(domains)) return false;
  const isCount = (count: unknown) => Number.isSafeInteger(count) && Number(count) > 0;
  return (
    codes.every(
      (code: Partial<ClosedCount> | null) =>
        typeof code?.qrId === "string" &&
        typeof code.hash === "string" &&
        typeof code.reason === "string" &&
        isCount(code.scans),
    ) &&
    domains.every(
      (domain: Partial<DomainVisits> | null) => typeof domain?.host === "string" && isCount(domain.visits),
    )
  );
}
