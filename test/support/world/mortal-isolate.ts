import type { Deps } from "../../../src/domain/deps.ts";
import { Service } from "../service.ts";
import { wrapBinding, wrapDatabase } from "./wrapped-database.ts";

/** An isolate that dies: after a number of calls of its bindings, no further call reaches them. */
export class MortalIsolate {
  readonly #service: Service;
  readonly #died: Promise<undefined>;
  readonly #die: () => void;
  readonly #buried: Promise<void>;
  readonly #bury: () => void;
  readonly #underWay = new Set<Promise<unknown>>();
  #callsLeft: number;

  /** @param deps of a living isolate @param calls how many calls return before the isolate dies */
  constructor(deps: Deps, calls: number) {
    this.#callsLeft = calls;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#died = promise;
    this.#die = () => resolve(undefined);
    const burial = Promise.withResolvers<void>();
    this.#buried = burial.promise;
    this.#bury = burial.resolve;
    const call = <T>(work: () => Promise<T>) => this.#call(work);
    this.#service = new Service({
      ...deps,
      db: wrapDatabase(deps.db, call),
      routeCache: wrapBinding(deps.routeCache, call),
      feed: (region) => wrapBinding(deps.feed(region), call),
      ledger: (workspaceId) => wrapBinding(deps.ledger(workspaceId), call),
      meter: (name) => wrapBinding(deps.meter(name), call),
      routeRepairQueue: wrapBinding(deps.routeRepairQueue, call),
      bulkQueue: wrapBinding(deps.bulkQueue, call),
    });
  }

  /** Sends a request. @returns undefined if the isolate died before it had finished the request's work */
  async fetch(path: string, init: RequestInit<IncomingRequestCfProperties>): Promise<Response | undefined> {
    return this.#untilDeath(this.#service.fetch(path, init));
  }

  /** Delivers a message to a queue's consumer, which may die before it has finished. */
  async consume(queue: string, messages: readonly { body: unknown }[]): Promise<void> {
    await this.#untilDeath(this.#service.consume(queue, messages));
  }

  async #untilDeath<T>(work: Promise<T>): Promise<T | undefined> {
    const result = await Promise.race([work, this.#died]);
    await Promise.allSettled(this.#underWay);
    this.#bury();
    return result;
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#callsLeft === 0) {
      this.#die();
      // Only rejected to end the work, because the test runner waits for promises that never settle.
      await this.#buried;
      throw new Error("the isolate died");
    }
    this.#callsLeft -= 1;
    const running = work();
    this.#underWay.add(running);
    return running;
  }
}
