import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { DepsOverrides } from "../../../src/composition.ts";
import { Service } from "../service.ts";

/** What Cloudflare counts towards the quotas of its plans. */
export interface Usage {
  d1Queries: number;
  d1Read: number;
  d1Written: number;
  kvReads: number;
  kvWrites: number;
  /** Calls of Durable Objects, alarms not included. */
  objectRequests: number;
  objectRead: number;
  objectWritten: number;
  /** Messages of up to 64 KB. Each is three operations: a write, a read and a deletion. */
  messages: number;
}

const none: Usage = {
  ...{ d1Queries: 0, d1Read: 0, d1Written: 0, kvReads: 0, kvWrites: 0 },
  ...{ objectRequests: 0, objectRead: 0, objectWritten: 0, messages: 0 },
};

let usage: Usage = { ...none };
let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

/** Returns what was used since the last call. SQL cursors count as they are read, so call it when all work has ended. */
export function takeUsage(): Usage {
  const taken = usage;
  for (const { rowsRead, rowsWritten } of cursors) {
    taken.objectRead += rowsRead;
    taken.objectWritten += rowsWritten;
  }
  usage = { ...none };
  cursors = [];
  return taken;
}

type Method = (this: object, ...args: never[]) => unknown;

/** Runs `before` ahead of a method of all objects of a class. */
function wrap(prototype: object, name: string, after: (result: unknown) => void): void {
  const original = Reflect.get(prototype, name) as Method;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: object, ...args: never[]) {
      const result = original.apply(this, args);
      after(result);
      return result;
    },
  });
}

const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object;

let installed = false;

/** Makes the catalogue and the storage of Durable Objects count. Their classes are changed, as all wrappers end there. */
async function install(): Promise<void> {
  if (installed) return;
  installed = true;
  // Every query of D1 passes here, and only here are the rows of all of them known.
  wrap(prototypeOf(env.DB.withSession()), "_send", (sent) => {
    void (sent as Promise<D1Result[] | D1Result>).then((results) => {
      for (const { meta } of [results].flat()) {
        usage.d1Queries += 1;
        usage.d1Read += meta.rows_read;
        usage.d1Written += meta.rows_written;
      }
    });
  });
  await runInDurableObject(env.FEEDS.get(env.FEEDS.newUniqueId()), (_, { storage }) => {
    wrap(prototypeOf(storage.sql), "exec", (cursor) => cursors.push(cursor as (typeof cursors)[number]));
    for (const [object, name] of [
      [storage.kv, "put"],
      [storage.kv, "delete"],
      [storage, "put"],
      [storage, "setAlarm"],
      [storage, "deleteAlarm"],
    ] as const) {
      wrap(prototypeOf(object), name, () => {
        usage.objectWritten += 1;
      });
    }
  });
}

/** A queue that keeps its messages for the test. */
class KeptQueue {
  messages: { body: unknown }[] = [];
  readonly send = async (body: unknown) => this.#keep([{ body }]);
  readonly sendBatch = async (batch: Iterable<{ body: unknown }>) => this.#keep([...batch]);

  #keep(messages: { body: unknown }[]): void {
    usage.messages += messages.length;
    this.messages.push(...messages);
  }
}

const queueNames = {
  scanQueue: "scans",
  bulkQueue: "bulk",
  printQueue: "prints",
  deliveryQueue: "deliveries",
  routeRepairQueue: "route-repairs",
} as const;

/** An installation whose use of the stores is counted. Its queues deliver when `drain` is called. */
export class MeteredInstallation {
  readonly #queues = Object.values(queueNames).map((name) => [name, new KeptQueue()] as const);
  readonly #overrides: DepsOverrides;

  private constructor(overrides: DepsOverrides) {
    this.#overrides = overrides;
  }

  static async start(overrides: DepsOverrides = {}): Promise<MeteredInstallation> {
    await install();
    return new MeteredInstallation(overrides);
  }

  /** Starts an isolate, which remembers nothing. */
  isolate(): Service {
    const queues = Object.fromEntries(
      Object.keys(queueNames).map((name, index) => [name, this.#queues[index]?.[1]]),
    ) as unknown as DepsOverrides;
    return new Service({
      routeCache: countedKv(env.ROUTES),
      ledger: (id) => counted(env.LEDGERS.get(env.LEDGERS.idFromName(id))),
      meter: (id) => counted(env.METERS.get(env.METERS.idFromName(id))),
      feed: (region) => counted(env.FEEDS.get(env.FEEDS.idFromName(region))),
      ...queues,
      ...this.#overrides,
    });
  }

  /** Delivers what is queued, and what that queues, one message at a time. */
  async drain(service: Service): Promise<void> {
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const [name, queue] of this.#queues) {
        for (const { body } of queue.messages.splice(0)) {
          isDone = false;
          await service.consume(name, [{ body }]);
        }
      }
    }
  }
}

function countedKv(kv: KVNamespace): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (name === "put" || name === "delete") usage.kvWrites += 1;
        // A read of several keys counts for each.
        else usage.kvReads += [args[0]].flat().length;
        return method.apply(target, args);
      };
    },
  });
}

function counted<T extends object>(stub: T): T {
  return new Proxy(stub, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== "function" || typeof name === "symbol") return method;
      return (...args: unknown[]): unknown => {
        usage.objectRequests += 1;
        return Reflect.apply(method, target, args);
      };
    },
  });
}
