import type { Deps } from "../domain/deps.ts";
import { isScansMessage, recordScans } from "../edge/scans/record.ts";
import { chunksBySize } from "../lib/chunks.ts";
import { isQuotaUsedUp, secondsUntilTomorrow } from "../lib/daily-quota.ts";
import { describeError, log } from "../lib/log.ts";
import type { ScanBatch } from "../protocol/messages.ts";
import { readableMessages } from "./readable.ts";

/**
 * How many ledgers one batch of messages may call. A ledger takes two subrequests plus one per 10,000 scans, and a
 * batch has at most 50,000 scans. A message covers up to about 200 workspaces, and takes three subrequests if all of
 * them fail. An invocation has at least 1,000.
 */
const maxLedgers = 300;

/** When scans whose ledger failed are delivered again, matching `retry_delay` in wrangler.toml. */
const retrySeconds = 5;

/** The longest delay at a time, half of what a queue allows, and by how much deliveries after midnight are spread. */
const maxDelaySeconds = 12 * 60 * 60;
const spreadSeconds = 10 * 60;

/**
 * Records a batch's scans in their workspaces' ledgers, with one call per ledger. Only the scans of failed ledgers are
 * retried. Messages for more ledgers than an invocation can call are retried at once, in another invocation.
 */
export async function consumeScans(
  batch: MessageBatch<unknown>,
  deps: Deps,
  ctx: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
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
  const recorded = readable.flatMap(({ batches }) =>
    batches.filter(({ workspaceId }) => !failed.has(workspaceId)),
  );
  const scans = recorded.reduce((sum, batch) => sum + batch.scans.length, 0);
  if (scans > 0) deps.counter.count({ scans }, ctx);
  for (const [workspaceId, error] of failed) {
    log("error", "scans not recorded", { workspaceId, error: describeError(error) });
  }
  // Until midnight UTC, retries would only use up more of the quotas.
  const delaySeconds = [...failed.values()].some(isQuotaUsedUp) ? secondsOfQuota(deps.now()) : retrySeconds;
  await Promise.all(
    readable.map(async ({ message, batches }) => {
      const failedBatches = batches.filter(({ workspaceId }) => failed.has(workspaceId));
      if (failedBatches.length === 0) message.ack();
      else if (failedBatches.length === batches.length) message.retry({ delaySeconds });
      else await retryApart(deps, message, failedBatches, delaySeconds);
    }),
  );
}

const secondsOfQuota = (now: number): number =>
  Math.min(maxDelaySeconds, secondsUntilTomorrow(now) + Math.floor(Math.random() * spreadSeconds));

/** Cloudflare Queues accepts 100 messages per call. */
const messagesAtOnce = 100;

/**
 * Retries some of a message's scans, with one message per workspace, so that each fails and becomes a dead letter on
 * its own. If the queue refuses, the whole message is retried; recording its other scans again has no effect.
 */
async function retryApart(
  deps: Deps,
  message: Message<unknown>,
  failedBatches: readonly ScanBatch[],
  delaySeconds: number,
): Promise<void> {
  const byWorkspace = Map.groupBy(failedBatches, ({ workspaceId }) => workspaceId);
  const messages = Array.from(byWorkspace.values(), (batches) => ({ body: { batches } }));
  try {
    for (const portion of chunksBySize(messages, messagesAtOnce, () => 1)) {
      await deps.scanQueue.sendBatch(portion, { delaySeconds });
    }
    message.ack();
  } catch (error) {
    log("warn", "scans not retried separately", { error: describeError(error) });
    message.retry();
  }
}
