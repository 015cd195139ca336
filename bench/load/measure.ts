import { Child } from "./child.ts";
import type { Load, LoadResult } from "./generator.ts";
import { cpuMicroseconds, untilIdle } from "./process-tree.ts";
import type { Placement, Server } from "./server.ts";

export interface Measurement extends LoadResult {
  readonly requestsPerSecond: number;
  /**
   * CPU per request of the server's whole process tree in microseconds, including deferred work if that was awaited.
   */
  readonly serverCpu: number;
}

/** The share of its core that the generator may use. Beyond this, it may limit the rate. */
const maxGeneratorCpu = 0.6;

/** Loads servers from a separate process, and measures their CPU. */
export class LoadGenerator implements AsyncDisposable {
  readonly #child: Child;
  /** Its highest CPU use in any measurement, as a share of its core. */
  #peakCpu = 0;

  constructor({ pinned }: Placement) {
    this.#child = new Child("load/process.ts", [], pinned ? "load" : undefined);
  }

  /**
   * @param expected the status that every response must have
   * @param awaitIdle whether to wait for the server's deferred work; otherwise its CPU is not included
   * @throws if a response has another status, or a connection fails
   */
  async measure(
    server: Server,
    load: Omit<Load, "origin">,
    { expected, awaitIdle }: { expected: number; awaitIdle: boolean },
  ): Promise<Measurement> {
    const before = cpuMicroseconds(server.pid);
    this.#child.send({ ...load, origin: server.origin });
    const { result, error } = await this.#child.receive<{ result?: LoadResult; error?: string }>();
    if (result === undefined) throw new Error(`${server.name}: ${error}`);
    const { responses, statuses, seconds, generatorCpu } = result;
    if (statuses[expected] !== responses || responses === 0) {
      throw new Error(`${server.name} answered ${JSON.stringify(statuses)} instead of ${expected}`);
    }
    if (awaitIdle) await untilIdle(server.pid);
    this.#peakCpu = Math.max(this.#peakCpu, generatorCpu);
    const serverCpu = (cpuMicroseconds(server.pid) - before) / responses;
    return { ...result, requestsPerSecond: responses / seconds, serverCpu };
  }

  /** @throws if the generator used so much CPU that it may have limited the rates */
  assertNotSaturated(): void {
    if (this.#peakCpu > maxGeneratorCpu) {
      throw new Error(`the load generator used ${(this.#peakCpu * 100).toFixed(0)} % of its core`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}
