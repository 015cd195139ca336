import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { WorkspaceLedger } from "../../../src/objects/ledger/workspace-ledger.ts";
import { Service } from "../service.ts";

/** The use of stores that Cloudflare counts towards the quotas of its plans. Alarms are not included. */
export interface Usage {
  d1Queries: number;
  d1Read: number;
  d1Written: number;
  kvReads: number;
  kvWrites: number;
  /** Calls of Durable Objects. */
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

/** The D1 rows that a sweep without work reads at most: one for each kind of work that there is, and its own last run. */
export const mostRowsOfIdleSweep = 42;

/** The quotas of the Free plan that can be used up here. Requests of Workers can't: they never reach the code. */
export type Quota = keyof typeof refusals;

/** The messages of the platform's errors. */
export const refusals = {
  "rows read from D1": "D1_ERROR: exceeded free tier daily row read limit",
  "rows written to D1": "D1_ERROR: exceeded free tier daily row write limit",
  "KV reads": "KV GET failed: 429 KV get() limit exceeded for the day.",
  "KV writes": "KV PUT failed: 429 KV put() limit exceeded for the day.",
  "queue operations": "Queue sendBatch failed: exceeded free tier daily operations limit",
  "Durable Object requests": "Exceeded allowed volume of requests in Durable Objects free tier.",
  "Durable Object duration": "Exceeded allowed duration in Durable Objects free tier.",
  "rows written by Durable Objects": "Exceeded allowed rows written in Durable Objects free tier.",
};

export const quotas = Object.keys(refusals) as Quota[];

let usedUp: ReadonlySet<Quota> = new Set();

/** Uses up quotas until the test ends, and no others. */
export function useUp(...these: Quota[]): void {
  usedUp = new Set(these);
}

function refuseIf(...these: Quota[]): void {
  const quota = these.find((each) => usedUp.has(each));
  if (quota !== undefined) throw new Error(refusals[quota]);
}

const writes = /^\s*(INSERT|UPDATE|DELETE|REPLACE)\b/i;

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

/** Runs `before` ahead of a method of all objects of a class, and `after` with its result. */
function wrap(
  prototype: object,
  name: string,
  before: (...args: readonly unknown[]) => void,
  after: (result: unknown) => void,
  isAsync = false,
): void {
  const original = Reflect.get(prototype, name) as Method;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: object, ...args: never[]) {
      try {
        before(...args);
      } catch (error) {
        if (isAsync) return Promise.reject(error);
        throw error;
      }
      const result = original.apply(this, args);
      after(result);
      return result;
    },
  });
}

const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object;

let installed = false;
let isCounting = false;

/** Set in alarms: those of objects that earlier test files left may ring at any time. */
const inAlarm = new AsyncLocalStorage<true>();
const isCounted = (): boolean => isCounting && inAlarm.getStore() === undefined;

/** Makes the catalogue and the storage of Durable Objects count. Their classes are changed, as all wrappers end there. */
async function install(): Promise<void> {
  if (installed) return;
  installed = true;
  const { alarm } = WorkspaceLedger.prototype;
  WorkspaceLedger.prototype.alarm = function () {
    return inAlarm.run(true, () => alarm.call(this));
  };
  // Every query of D1 passes here, and only here are the rows of all of them known.
  const checkQueries = (_: unknown, queries: unknown) => {
    refuseIf("rows read from D1");
    if ([queries].flat().some((query) => writes.test(String(query)))) refuseIf("rows written to D1");
  };
  wrap(prototypeOf(env.DB.withSession()), "_send", checkQueries, (sent) => {
    if (!isCounted()) return;
    const count = (results: D1Result[] | D1Result) => {
      // A query that failed has no counters.
      for (const { meta } of [results].flat() as Partial<D1Result>[]) {
        usage.d1Queries += 1;
        usage.d1Read += meta?.rows_read ?? 0;
        usage.d1Written += meta?.rows_written ?? 0;
      }
    };
    (sent as Promise<D1Result[] | D1Result>).then(count, () => {});
  });
  await runInDurableObject(env.FEEDS.get(env.FEEDS.newUniqueId()), (_, { storage }) => {
    const refuseWrite = () => refuseIf("rows written by Durable Objects");
    const checkSql = (query: unknown) => {
      if (writes.test(String(query))) refuseWrite();
    };
    wrap(prototypeOf(storage.sql), "exec", checkSql, (cursor) => {
      if (isCounted()) cursors.push(cursor as (typeof cursors)[number]);
    });
    const count = () => {
      if (isCounted()) usage.objectWritten += 1;
    };
    for (const name of ["put", "delete"]) wrap(prototypeOf(storage.kv), name, refuseWrite, count);
    for (const name of ["put", "setAlarm", "deleteAlarm"]) {
      wrap(prototypeOf(storage), name, refuseWrite, count, true);
    }
  });
}

interface KeptMessage {
  readonly body: unknown;
  /** When it may be delivered, epoch milliseconds. */
  readonly dueAt: number;
}

/** A queue that keeps its messages for the test. */
class KeptQueue {
  readonly #now: () => number;
  #messages: KeptMessage[] = [];
  readonly send = async (body: unknown, { delaySeconds = 0 }: QueueSendOptions = {}) =>
    this.#keep([{ body, delaySeconds }]);
  readonly sendBatch = async (
    batch: Iterable<MessageSendRequest>,
    { delaySeconds = 0 }: QueueSendBatchOptions = {},
  ) => this.#keep(Array.from(batch, (message) => ({ delaySeconds, ...message })));

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes the messages that are due. */
  takeDue(): KeptMessage[] {
    if (usedUp.has("queue operations")) return [];
    const due = this.#messages.filter(({ dueAt }) => dueAt <= this.#now());
    this.#messages = this.#messages.filter(({ dueAt }) => dueAt > this.#now());
    return due;
  }

  /** Keeps a message whose consumer wants it later. */
  retry({ body }: KeptMessage, delaySeconds: number): void {
    this.#messages.push({ body, dueAt: this.#now() + delaySeconds * 1000 });
  }

  #keep(messages: { body: unknown; delaySeconds?: number }[]): void {
    refuseIf("queue operations");
    usage.messages += messages.length;
    for (const { body, delaySeconds = 0 } of messages) {
      this.#messages.push({ body, dueAt: this.#now() + delaySeconds * 1000 });
    }
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
  readonly #queues: readonly (readonly [name: string, queue: KeptQueue])[];
  readonly #overrides: DepsOverrides;

  private constructor(overrides: DepsOverrides) {
    this.#overrides = overrides;
    const now = overrides.now ?? Date.now;
    this.#queues = Object.values(queueNames).map((name) => [name, new KeptQueue(now)] as const);
  }

  /** Starts an installation in a test, and counts until the test ends. */
  static async start(overrides: DepsOverrides = {}): Promise<MeteredInstallation> {
    await install();
    isCounting = true;
    onTestFinished(() => {
      isCounting = false;
      cursors = [];
      useUp();
    });
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

  /** Delivers what is due, and what that queues, one message at a time. */
  async drain(service: Service): Promise<void> {
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const [name, queue] of this.#queues) {
        for (const message of queue.takeDue()) {
          isDone = false;
          const { retryMessages } = await service.consume(name, [{ body: message.body }]);
          for (const { delaySeconds = 5 } of retryMessages) queue.retry(message, delaySeconds);
        }
      }
    }
  }
}

function countedKv(kv: KVNamespace): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return async (...args: unknown[]) => {
        const isWrite = name === "put" || name === "delete";
        refuseIf(isWrite ? "KV writes" : "KV reads");
        if (isWrite) usage.kvWrites += 1;
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
      return async (...args: unknown[]): Promise<unknown> => {
        refuseIf("Durable Object requests", "Durable Object duration");
        usage.objectRequests += 1;
        return Reflect.apply(method, target, args);
      };
    },
  });
}
