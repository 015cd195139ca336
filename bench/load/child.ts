import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pinnedNode } from "./cores.ts";

/** A script of bench/ in a process of its own, pinned to its part's core, and spoken to by messages. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #kill = () => this.#process.kill();

  /** @param script relative to bench/ */
  constructor(part: "server" | "load", script: string, args: readonly string[] = []) {
    const path = fileURLToPath(new URL(`../${script}`, import.meta.url));
    const [command, all] = pinnedNode(part, [path, ...args]);
    this.#process = spawn(command, all, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Wrangler warns of secrets that are set here and not in its files; a test runner's variables would change how it reads them.
      env: { ...process.env, WRANGLER_LOG: "error", NODE_ENV: undefined, VITEST: undefined },
    });
    // A benchmark that fails must not leave its processes behind.
    process.once("exit", this.#kill);
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
    process.removeListener("exit", this.#kill);
    this.#process.kill("SIGTERM");
    await this.#ended.catch(() => {});
  }
}
