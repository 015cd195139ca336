import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nodeOn } from "./cores.ts";

/** Runs a script of bench/ in its own process, with messages in both directions. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  /** @param script relative to bench/ @param part determines the core it runs on; any core if undefined */
  constructor(script: string, args: readonly string[] = [], part?: "server" | "load") {
    const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
    const [command, allArgs] = nodeOn(part, [path, ...args]);
    this.#process = spawn(command, allArgs, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Otherwise wrangler would warn about missing secrets, and read other files when run by a test.
      env: { ...process.env, WRANGLER_LOG: "error", NODE_ENV: undefined, VITEST: undefined },
    });
    this.#ended = once(this.#process, "exit").then(([code]) => {
      throw new Error(`${script} ${args.join(" ")} ended with ${code}`);
    });
    this.#ended.catch(() => {});
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  send(message: object): void {
    this.#process.send(message);
  }

  /** Waits for the next message. @throws if the process ends first */
  async receive<T>(): Promise<T> {
    const [message] = await Promise.race([once(this.#process, "message"), this.#ended]);
    return message as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#ended.catch(() => {});
  }
}
