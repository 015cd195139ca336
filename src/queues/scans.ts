import type { Deps } from "../domain/deps.ts";
import { isScansMessage, recordScans } from "../domain/scans/record.ts";
import { chunksBySize } from "../lib/chunks.ts";
import { describeError, log } from "../lib/log.ts";
import type { ScanBatch } from "../protocol/messages.ts";
import { readableMessages } from "./readable.ts";

/**
 * Ledgers that one batch of messages calls. A ledger takes two subrequests, and one more for each 10 000 of its scans, of
 * which a batch has 50 000 at most; a message holds those of some 200 workspaces, and takes three subrequests if all of them
 * fail. An invocation has at least 1000.
 */
const maxLedgers = 300;

/** When scans that are retried apart arrive again, as after `retry_delay` in wrangler.toml. */
const apartSeconds = 5;

/**
 * Records the scans of a batch of messages in their workspaces' ledgers, with one call per ledger. Only the scans of
 * ledgers that failed are retried. Messages for more ledgers than an invocation can call are retried at once, in another.
 */
export async function consumeScans(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  const readable: { message: Message<unknown>; batches: readonly ScanBatch[] }[] = [];
  let ledgers = new Set<string>();
  for (const message of readableMessages(batch, isScansMessage)) {
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
  await Promise.all(
    readable.map(async ({ message, batches }) => {
      const failedBatches = batches.filter(({ workspaceId }) => failed.has(workspaceId));
      if (failedBatches.length === 0) message.ack();
      else if (failedBatches.length === batches.length) message.retry();
      else await retryApart(deps, message, failedBatches);
    }),
  );
}

/** Messages that a queue takes at once. */
const messagesAtOnce = 100;

/**
 * Retries some of a message's scans, each workspace's in a message of its own: it fails, and becomes a dead letter, without
 * those of others. If the queue refuses, the message is retried as a whole; recording its other scans again changes nothing.
 */
async function retryApart(
  deps: Deps,
  message: Message<unknown>,
  failedBatches: readonly ScanBatch[],
): Promise<void> {
  const byWorkspace = Map.groupBy(failedBatches, ({ workspaceId }) => workspaceId);
  const messages = Array.from(byWorkspace.values(), (batches) => ({ body: { batches } }));
  try {
    for (const portion of chunksBySize(messages, messagesAtOnce, () => 1)) {
      await deps.scanQueue.sendBatch(portion, { delaySeconds: apartSeconds });
    }
    message.ack();
  } catch (error) {
    log("warn", "scans not retried apart", { error: describeError(error) });
    message.retry();
  }
}
