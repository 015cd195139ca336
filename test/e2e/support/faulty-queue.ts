import type { ScansMessage } from "../../../src/protocol/messages.ts";

/** One message in this many meets a fault. */
const messagesPerFault = 4;

/**
 * Kinds of faults. once: the first attempt fails. always: every attempt fails. unanswered: the message is queued, but
 * the sender gets an error.
 */
const faults = ["once", "always", "unanswered"] as const;

/** Wraps the real queue so that its sends meet the kinds of faults in turn. */
export function faultyQueue(queue: Queue<ScansMessage>): Queue<ScansMessage> {
  /** Attempts so far by the id of a message's first scan, because each attempt may build a new message. */
  const messages = new Map<string, { number: number; attempts: number }>();

  const send: typeof queue.send = async (message, options) => {
    const firstScan = message.batches[0]?.scans[0]?.[0] ?? "";
    const entry = messages.get(firstScan) ?? { number: messages.size + 1, attempts: 0 };
    entry.attempts += 1;
    messages.set(firstScan, entry);

    const fault = faultOf(entry.number);
    if (fault === undefined || (fault === "once" && entry.attempts > 1)) return queue.send(message, options);
    if (fault === "unanswered") await queue.send(message, options);
    throw new Error(`test fault: ${fault}`);
  };
  return {
    send,
    sendBatch: (messages, options) => queue.sendBatch(messages, options),
    metrics: () => queue.metrics(),
  };
}

function faultOf(number: number): (typeof faults)[number] | undefined {
  return number % messagesPerFault === 0 ? faults[(number / messagesPerFault) % faults.length] : undefined;
}
