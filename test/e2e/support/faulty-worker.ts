import type { ScansMessage } from "../../../src/protocol/messages.ts";
import { createWorker } from "../../../src/worker.ts";

export { KeyMeter } from "../../../src/objects/key-meter.ts";
export { RouteFeed } from "../../../src/objects/route-feed.ts";
export { WorkspaceLedger } from "../../../src/objects/ledger/workspace-ledger.ts";

/** One message in this many meets a fault. With what fails twice, that is more than 5 % of sends. */
const faultEvery = 20;

/**
 * How sends fail. Once: the second try gets through. Always: no try does. Unanswered: every try gets through, and
 * its sender is told that it failed.
 */
const faults = ["once", "always", "unanswered"] as const;

/** The real queue behind sends that fail in turn, so that every run meets every fault. */
function faultyQueue(queue: Queue<ScansMessage>): Queue<ScansMessage> {
  /** Tries so far of each message, known by its first scan: a message may be built anew for every try. */
  const tries = new Map<string, { number: number; tries: number }>();

  const send: typeof queue.send = async (message, options) => {
    const first = message.batches[0]?.scans[0]?.[0] ?? "";
    const known = tries.get(first) ?? { number: tries.size + 1, tries: 0 };
    known.tries += 1;
    tries.set(first, known);

    const fault = faultOf(known.number);
    if (fault === undefined || (fault === "once" && known.tries > 1)) return queue.send(message, options);
    if (fault === "unanswered") await queue.send(message, options);
    throw new Error(`a fault for the test: ${fault}`);
  };
  return {
    send,
    sendBatch: (messages, options) => queue.sendBatch(messages, options),
    metrics: () => queue.metrics(),
  };
}

function faultOf(number: number): (typeof faults)[number] | undefined {
  return number % faultEvery === 0 ? faults[(number / faultEvery) % faults.length] : undefined;
}

// The Worker as it is deployed, on a queue that fails.
export default createWorker((env) => ({ scanQueue: faultyQueue(env.SCANS) }));
