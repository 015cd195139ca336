import type { Deps } from "../domain/deps.ts";
import { recordScans } from "../domain/scans/record.ts";
import { describeError, log } from "../lib/log.ts";
import type { ScanBatch, ScansMessage } from "../protocol/messages.ts";
import { discard } from "./discard.ts";

/**
 * Ledgers that one batch of messages calls, unless a single message has more. A ledger takes two subrequests at most,
 * and an invocation has at least 1000 of them.
 */
const maxLedgers = 400;

/**
 * Records the scans of a batch of messages in their workspaces' ledgers, with one call per ledger. A message is retried
 * if any of its ledgers failed; recording its other scans again changes nothing. Messages for more ledgers than an
 * invocation can call are retried at once, in another.
 */
export async function consumeScans(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  const readable: { message: Message<unknown>; batches: readonly ScanBatch[] }[] = [];
  let ledgers = new Set<string>();
  for (const message of batch.messages) {
    if (!isScansMessage(message.body)) {
      discard(message, batch.queue);
      continue;
    }
    const { batches } = message.body;
    const withOwn = new Set([...ledgers, ...batches.map(({ workspaceId }) => workspaceId)]);
    if (ledgers.size > 0 && withOwn.size > maxLedgers) {
      message.retry({ delaySeconds: 0 });
      continue;
    }
    ledgers = withOwn;
    readable.push({ message, batches });
  }

  const failed = await recordScans(
    deps,
    readable.flatMap(({ batches }) => batches),
  );
  for (const [workspaceId, error] of failed) {
    log("error", "scans not recorded", { workspaceId, error: describeError(error) });
  }
  for (const { message, batches } of readable) {
    if (batches.some(({ workspaceId }) => failed.has(workspaceId))) message.retry();
    else message.ack();
  }
}

function isScansMessage(body: unknown): body is ScansMessage {
  if (typeof body !== "object" || body === null || !("batches" in body)) return false;
  return Array.isArray(body.batches) && body.batches.every(isScanBatch);
}

function isScanBatch(value: Partial<ScanBatch> | null): boolean {
  if (typeof value?.workspaceId !== "string") return false;
  const { codes, userAgents, places, scans } = value;
  if (![codes, userAgents, places, scans].every(Array.isArray)) return false;
  return (scans ?? []).every(
    ([id, , code, userAgent, place]) =>
      typeof id === "string" &&
      codes?.[code] !== undefined &&
      userAgents?.[userAgent] !== undefined &&
      places?.[place] !== undefined,
  );
}
