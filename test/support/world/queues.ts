import type { BulkTask, RouteRepair } from "../../../src/protocol/messages.ts";
import type { Service } from "../service.ts";

/** A message of the queues `route-repairs` or `bulk`. */
interface QueuedMessage {
  readonly queue: "route-repairs" | "bulk";
  readonly due: number;
  readonly attempts: number;
  readonly body: RouteRepair | BulkTask;
}

/** Seconds after which a failed message is delivered again. */
const retryDelays = { "route-repairs": 0, bulk: 30 };

/** The queues of a world, whose messages are delivered when due by its clock. */
export class WorldQueues {
  readonly #now: () => number;
  readonly #refusesRepairs: () => boolean;
  #messages: QueuedMessage[] = [];

  /** @param options the clock, and whether messages that repair routes are refused */
  constructor(options: { now: () => number; refusesRepairs: () => boolean }) {
    this.#now = options.now;
    this.#refusesRepairs = options.refusesRepairs;
  }

  /** Returns when the next message is due; infinity if there is none. */
  nextDue(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#messages.map(({ due }) => due));
  }

  /** Delivers the message that is due first to an isolate. */
  async deliverNext(service: Service): Promise<void> {
    this.#messages.sort((a, b) => a.due - b.due);
    const message = this.#messages.shift();
    if (message === undefined) return;
    const result = await service.consume(message.queue, [message]);
    for (const retry of result.retryMessages) {
      // The result of a batch doesn't include the delay that its consumer requested.
      const due = this.#now() + (retry.delaySeconds ?? retryDelays[message.queue]) * 1000;
      this.#messages.push({ ...message, due, attempts: message.attempts + 1 });
    }
  }

  /** Takes the messages with which bulk jobs continue. */
  takeBulkRuns(): { body: BulkTask }[] {
    const isRun = ({ body }: QueuedMessage) => "task" in body && body.task === "run";
    const taken = this.#messages.filter(isRun);
    this.#messages = this.#messages.filter((message) => !isRun(message));
    return taken.map(({ body }) => ({ body: body as BulkTask }));
  }

  /** Returns the producer of a queue. */
  producer<Body extends RouteRepair | BulkTask>(queue: QueuedMessage["queue"]): Queue<Body> {
    const add = (body: Body, delaySeconds = 0) => {
      const isRepair = !("task" in body) || body.task === "fill";
      if (isRepair && this.#refusesRepairs()) throw new Error("queue is unavailable");
      this.#messages.push({ queue, due: this.#now() + delaySeconds * 1000, attempts: 1, body });
    };
    return {
      send: async (body: Body, options?: QueueSendOptions) => add(body, options?.delaySeconds),
      sendBatch: async (messages: Iterable<MessageSendRequest<Body>>, options?: QueueSendBatchOptions) => {
        for (const { body } of messages) add(body, options?.delaySeconds);
      },
    } as unknown as Queue<Body>;
  }
}
