import type { Placement, Server } from "./server.ts";
import { Child } from "./child.ts";
import type { Load, LoadResult } from "./generator.ts";
import { cpuMicroseconds, untilIdle } from "./process-tree.ts";

export interface Measurement extends LoadResult {
  readonly requestsPerSecond: number;
  /** Microseconds a request of the server's whole process tree, deferred work included. */
  readonly serverCpu: number;
}

/** The share of its core that a generator may use. Above it, the load and not the server may set the pace. */
const maxGeneratorCpu = 0.6;

/** Loads servers from a process of its own, and measures what that cost them. */
export class LoadGenerator implements AsyncDisposable {
  readonly #child: Child;
  /** The most CPU it has used in any measurement, as a share of its core. */
  #peakCpu = 0;

  constructor({ pinned }: Placement) {
    this.#child = new Child("load/process.ts", [], pinned ? "load" : undefined);
  }

  /**
   * @param expected the only status that may be answered
   * @param settle whether to wait for the server's deferred work; without it the CPU is that of the answers alone
   * @throws when anything else is answered, or a connection fails
   */
  async measure(
    server: Server,
    load: Omit<Load, "origin">,
    { expected, settle }: { expected: number; settle: boolean },
  ): Promise<Measurement> {
    const before = cpuMicroseconds(server.pid);
    this.#child.send({ ...load, origin: server.origin });
    const { result, error } = await this.#child.receive<{ result?: LoadResult; error?: string }>();
    if (result === undefined) throw new Error(`${server.name}: ${error}`);
    const { answers, statuses, seconds, cpu } = result;
    if (statuses[expected] !== answers || answers === 0) {
      throw new Error(`${server.name} answered ${JSON.stringify(statuses)} instead of ${expected}`);
    }
    if (settle) await untilIdle(server.pid);
    this.#peakCpu = Math.max(this.#peakCpu, cpu);
    const serverCpu = (cpuMicroseconds(server.pid) - before) / answers;
    return { ...result, requestsPerSecond: answers / seconds, serverCpu };
  }

  /** @throws when it has used more of its core than it may */
  assertLight(): void {
    if (this.#peakCpu > maxGeneratorCpu) {
      throw new Error(`the load generator used ${(this.#peakCpu * 100).toFixed(0)} % of its core`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}
