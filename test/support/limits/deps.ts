import type { Deps } from "../../../src/domain/deps.ts";
import type { createWorker } from "../../../src/worker.ts";
import { connection, invoke, subrequest } from "./invocation.ts";
import { checkLimit, platform } from "./platform.ts";
import { checkSend, checkSendBatch } from "./queue.ts";
import { clonedBytes } from "./sizes.ts";

type Worker = ReturnType<typeof createWorker>;

/**
 * Returns the dependencies with the platform's limits on the network, Durable Objects and queues, including those that
 * tests provide.
 */
export function limitDeps(deps: Deps): Deps {
  return {
    ...deps,
    fetch: (input, init) => connection(() => deps.fetch(input, init)),
    ledger: (workspaceId) => limitObject(deps.ledger(workspaceId)),
    meter: (name) => limitObject(deps.meter(name)),
    feed: (region) => limitObject(deps.feed(region)),
    scanQueue: limitQueue(deps.scanQueue),
    bulkQueue: limitQueue(deps.bulkQueue),
    printQueue: limitQueue(deps.printQueue),
    deliveryQueue: limitQueue(deps.deliveryQueue),
    routeRepairQueue: limitQueue(deps.routeRepairQueue),
  };
}

/** Returns the Worker with each of its handlers running as an invocation. */
export function limitWorker(worker: Worker): Worker {
  return {
    fetch: (...args) => invoke(() => worker.fetch(...args)),
    queue: (...args) => invoke(() => worker.queue(...args)),
    scheduled: (...args) => invoke(() => worker.scheduled(...args)),
  };
}

/** Returns a Durable Object whose calls are subrequests with a limited size. */
function limitObject<T extends object>(stub: T): T {
  return new Proxy(stub, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== "function" || typeof name === "symbol") return method;
      return async (...args: unknown[]): Promise<unknown> => {
        checkLimit(`bytes of the arguments of ${name}`, clonedBytes(args), platform.rpc);
        const result: unknown = await subrequest(() => Reflect.apply(method, target, args));
        checkLimit(`bytes of the result of ${name}`, clonedBytes(result), platform.rpc);
        return result;
      };
    },
  });
}

function limitQueue<Body>(queue: Queue<Body>): Queue<Body> {
  return new Proxy(queue, {
    get(target, name) {
      if (name === "send") {
        return async (body: Body, options?: QueueSendOptions) => {
          checkSend(body, options);
          return subrequest(() => target.send(body, options));
        };
      }
      if (name === "sendBatch") {
        return async (messages: Iterable<MessageSendRequest<Body>>, options?: QueueSendBatchOptions) => {
          const list = [...messages];
          checkSendBatch(list, options);
          return subrequest(() => target.sendBatch(list, options));
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
