import type { Deps } from "../../src/domain/deps.ts";
import { Service } from "./service.ts";

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** An isolate that dies: after a number of calls of its bindings, no further call reaches them. */
export class MortalIsolate {
  readonly #service: Service;
  readonly #died: Promise<undefined>;
  readonly #die: () => void;
  readonly #buried: Promise<void>;
  readonly #bury: () => void;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #statements = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
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
    this.#service = new Service({
      ...deps,
      db: this.#database(deps.db) as D1Database,
      routeCache: this.#binding(deps.routeCache),
      feed: (region) => this.#binding(deps.feed(region)),
      ledger: (workspaceId) => this.#binding(deps.ledger(workspaceId)),
      meter: (name) => this.#binding(deps.meter(name)),
      routeRepairQueue: this.#binding(deps.routeRepairQueue),
    });
  }

  /** Sends a request. @returns undefined if the isolate died before it had finished the request's work */
  async fetch(path: string, init: RequestInit<IncomingRequestCfProperties>): Promise<Response | undefined> {
    const response = await Promise.race([this.#service.fetch(path, init), this.#died]);
    await Promise.allSettled(this.#underWay);
    this.#bury();
    return response;
  }

  async #call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#callsLeft === 0) {
      this.#die();
      // Rejected only to end the work: the test runner waits for promises that never settle.
      await this.#buried;
      throw new Error("the isolate died");
    }
    this.#callsLeft -= 1;
    const running = work();
    this.#underWay.add(running);
    return running;
  }

  /** A binding whose methods are all calls. */
  #binding<T extends object>(target: T): T {
    return new Proxy(target, {
      // A proxy with `then` would be mistaken for a promise.
      get: (_, name) =>
        name === "then" || typeof name === "symbol"
          ? undefined
          : (...args: unknown[]) => this.#call(async () => (target as unknown as Methods)[name]?.(...args)),
    });
  }

  #database(real: D1Database | D1DatabaseSession): Pick<D1Database, "prepare" | "batch" | "withSession"> {
    return {
      prepare: (sql) => this.#statement(real.prepare(sql)),
      batch: <T>(statements: D1PreparedStatement[]) =>
        this.#call(() => real.batch<T>(statements.map((each) => this.#statements.get(each) ?? each))),
      withSession: (constraint) =>
        this.#database((real as D1Database).withSession(constraint)) as unknown as D1DatabaseSession,
    };
  }

  #statement(real: D1PreparedStatement): D1PreparedStatement {
    const calls = this.#binding(real);
    const statement = new Proxy(real, {
      get: (_, name) =>
        name === "bind"
          ? (...values: unknown[]) => this.#statement(real.bind(...values))
          : Reflect.get(calls, name),
    });
    this.#statements.set(statement, real);
    return statement;
  }
}
