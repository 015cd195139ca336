import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nodeOn } from "./cores.ts";

/** A script of bench/ in a process of its own that messages are exchanged with. It ends when this process does. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  /** @param script relative to bench/ @param part whose core it gets; any core when absent */
  constructor(script: string, args: readonly string[] = [], part?: "server" | "load") {
    const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
    const [command, all] = nodeOn(part, [path, ...args]);
    this.#process = spawn(command, all, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Wrangler would warn of secrets that its files lack, and read other files under a test runner's variables.
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

  /** The next message. @throws when the process ends first */
  async receive<T>(): Promise<T> {
    const [message] = await Promise.race([once(this.#process, "message"), this.#ended]);
    return message as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#ended.catch(() => {});
  }
}
