import { newId, timeOfId } from "../../lib/text/ids.ts";
import type { ScanBatch } from "../../protocol/messages.ts";
import { saveDeadLetter } from "../../store/operations/save-dead-letter.ts";
import type { EdgeDeps } from "../deps.ts";

/**
 * How long scans that couldn't be recorded are kept, from the time of the oldest, milliseconds. Retries then never restore
 * a scan whose id the ledger may no longer know.
 */
export const keptScansMilliseconds = 14 * 24 * 60 * 60_000;

/** Keeps scans as a dead letter, from which the sweep records them on the next day. */
export async function keepScans({ db, now }: EdgeDeps, batches: readonly ScanBatch[]): Promise<void> {
  const createdAt = now();
  const times = batches.flatMap(({ scans, closed }) =>
    [...scans.map(([id]) => id), ...(closed === undefined ? [] : [closed.id])].map(timeOfId),
  );
  const oldest = times.reduce((one, other) => Math.min(one, other), createdAt);
  await saveDeadLetter(db, {
    id: newId(createdAt),
    queue: "scans",
    messageId: crypto.randomUUID(),
    body: JSON.stringify({ batches }),
    createdAt,
    expiresAt: oldest + keptScansMilliseconds,
  });
}
