import { emptyBatch, packScans } from "../../edge/scans/pack.ts";
import { isScansMessage } from "../../edge/scans/record.ts";
import { describeError, log } from "../../lib/log.ts";
import { idToHex } from "../../lib/text/ids.ts";
import type { ScanBatch } from "../../protocol/messages.ts";
import {
  deleteDeadLetters,
  replaceDeadLetter,
  type StoredMessage,
} from "../../store/operations/dead-letters.ts";
import type { Deps } from "../deps.ts";
import { callLedger } from "../ledger.ts";

/**
 * How many workspaces' ledgers are asked at once, unless a single letter has more. An invocation has 1,000 subrequests.
 */
const maxLedgers = 150;

/** A dead letter; `body` is null if nothing is left of it. */
export interface RemainingLetter {
  readonly id: string;
  readonly body: string | null;
}

/** By code id, the scan id below which scans are erased. */
type Erased = ReadonlyMap<string, string>;

/**
 * Removes erased scans from dead letters. If a ledger doesn't respond, its scans are kept; a retry would not store
 * erased ones.
 * @returns the first letters, as many as there are ledgers to ask for
 */
export async function dropErasedScans(
  deps: Deps,
  letters: readonly StoredMessage[],
): Promise<RemainingLetter[]> {
  const qrIds = new Map<string, Set<string>>();
  const asked: { readonly letter: StoredMessage; readonly batches: readonly ScanBatch[] }[] = [];
  for (const letter of letters) {
    const batches = batchesOf(letter);
    const ledgers = new Set([...qrIds.keys(), ...batches.map(({ workspaceId }) => workspaceId)]);
    if (asked.length > 0 && ledgers.size > maxLedgers) break;
    for (const { workspaceId, codes } of batches) {
      const own = qrIds.get(workspaceId) ?? new Set();
      qrIds.set(workspaceId, own);
      for (const { qrId } of codes) own.add(qrId);
    }
    asked.push({ letter, batches });
  }
  const erased = new Map(
    await Promise.all(
      Array.from(
        qrIds,
        async ([workspaceId, ids]) => [workspaceId, await erasedOf(deps, workspaceId, ids)] as const,
      ),
    ),
  );
  const remaining = await Promise.all(
    asked.map(({ letter, batches }) => replaceLetter(deps, letter, batches, erased)),
  );
  const emptied = remaining.filter(({ body }) => body === null).map(({ id }) => id);
  if (emptied.length > 0) await deleteDeadLetters(deps.db, emptied);
  return remaining;
}

function batchesOf({ queue, body }: StoredMessage): readonly ScanBatch[] {
  const message: unknown = queue === "scans" ? JSON.parse(body) : undefined;
  return isScansMessage(message) ? message.batches : [];
}

async function erasedOf(deps: Deps, workspaceId: string, qrIds: ReadonlySet<string>): Promise<Erased> {
  try {
    const erased = await callLedger(deps, workspaceId, (ledger) => ledger.erasedScans([...qrIds]));
    return new Map(erased.map(({ qrId, before }) => [qrId, before]));
  } catch (error) {
    log("warn", "erased scans not dropped", { workspaceId, error: describeError(error) });
    return new Map();
  }
}

/** Stores a letter without its erased scans, if it has any. The caller deletes letters that would be empty. */
async function replaceLetter(
  deps: Deps,
  { id, body }: StoredMessage,
  batches: readonly ScanBatch[],
  erased: ReadonlyMap<string, Erased>,
): Promise<RemainingLetter> {
  const left = batches.map((batch) => withoutErased(batch, erased.get(batch.workspaceId)));
  if (left.every((batch, i) => batch?.scans.length === batches[i]?.scans.length)) return { id, body };
  const kept = left.filter((batch) => batch !== undefined);
  if (kept.length === 0) return { id, body: null };
  const replaced = JSON.stringify({ batches: kept });
  await replaceDeadLetter(deps.db, id, replaced);
  return { id, body: replaced };
}

/** Returns a batch with the remaining scans and only the values they refer to; undefined if nothing remains. */
function withoutErased(batch: ScanBatch, erased: Erased | undefined): ScanBatch | undefined {
  const { workspaceId, codes, userAgents, places, referrers, vias = [] } = batch;
  const records = batch.scans.flatMap(([id, visitor, code, userAgent, place, prefetch, referrer, via]) => {
    const [scanned, from] = [codes[code], places[place]];
    if (scanned === undefined || from === undefined) return [];
    if (idToHex(id) < (erased?.get(scanned.qrId) ?? "")) return [];
    return [
      {
        id,
        workspaceId,
        ...scanned,
        ...from,
        isMailNetwork: from.isMailNetwork === true,
        userAgent: userAgents[userAgent] ?? null,
        visitor,
        referrer: referrers[referrer] ?? null,
        prefetch: prefetch === 1,
        via: via === undefined ? null : (vias[via] ?? null),
      },
    ];
  });
  const [left] = packScans(records);
  // A ledger drops counts that were erased.
  return batch.closed === undefined ? left : { ...(left ?? emptyBatch(workspaceId)), closed: batch.closed };
}
