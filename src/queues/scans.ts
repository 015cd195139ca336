import type { ScanRecord, ScansMessage } from "../protocol/messages.ts";
import type { Deps } from "../domain/deps.ts";
import { recordScans } from "../domain/scans/record.ts";
import { describeError, log } from "../lib/log.ts";
import { discard } from "./discard.ts";

/**
 * Records the scans of a batch in their workspaces' ledgers, with one call per ledger. A message is retried if any of
 * its ledgers failed; recording its other scans again changes nothing.
 */
export async function consumeScans(batch: MessageBatch<unknown>, deps: Deps): Promise<void> {
  const readable: { message: Message<unknown>; scans: readonly ScanRecord[] }[] = [];
  for (const message of batch.messages) {
    if (isScansMessage(message.body)) readable.push({ message, scans: message.body.scans });
    else discard(message, batch.queue);
  }

  const failed = await recordScans(
    deps,
    readable.flatMap(({ scans }) => scans),
  );
  for (const [workspaceId, error] of failed) {
    log("error", "scans not recorded", { workspaceId, error: describeError(error) });
  }
  for (const { message, scans } of readable) {
    if (scans.some((scan) => failed.has(scan.workspaceId))) message.retry();
    else message.ack();
  }
}

function isScansMessage(body: unknown): body is ScansMessage {
  return (
    typeof body === "object" &&
    body !== null &&
    "scans" in body &&
    Array.isArray(body.scans) &&
    body.scans.every(
      (scan: Partial<ScanRecord> | null) =>
        typeof scan?.id === "string" && typeof scan.workspaceId === "string" && typeof scan.qrId === "string",
    )
  );
}
