import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { requireFreePort } from "../../../scripts/lib/port.ts";
import { readyMessage } from "../../../scripts/lib/ready-message.ts";
import { steps } from "../../../scripts/lib/start-output.ts";
import { requireCleanLog } from "../../support/runner/log-watch.ts";
import { RunningService } from "./running-service.ts";

const script = fileURLToPath(new URL("../../../scripts/dev.ts", import.meta.url));
const startMessage =
  /^Dashboard: +(http\S+)\n[\s\S]*^API key: +(sk_live_[0-9A-Za-z]{32}) \(kept in (.+)\)\n[\s\S]*--help\n\n/m;

/** Time allowed for a start: on a busy machine it can take ten times as long. */
const startMilliseconds = 240_000;

/** Time after which a run that should have exited with an error is interrupted. */
const exitMilliseconds = 120_000;

/** A run of `scripts/dev.ts` and its output so far, stdout and stderr together. */
class Run {
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = "";

  constructor(args: string[], env: Record<string, string> = {}) {
    // The variable that npm sets for `npm run dev`: with it, the script ends when this process does.
    const npm = { npm_lifecycle_event: "dev" };
    // As a newcomer runs it: without the settings of the tests' own process.
    const unset = { NODE_ENV: undefined, PORT: undefined, WRANGLER_LOG: undefined };
    const settings = { ...process.env, ...unset, ...npm, ...env };
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: settings,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
        child.emit("output");
      });
    }
    this.#child = child;
    this.ended = once(child, "close").then(([code]) => code);
  }

  get output(): string {
    return this.#output;
  }

  /** Waits for a match in the output. @throws when the run ends or takes too long before it */
  async match(pattern: RegExp): Promise<RegExpExecArray> {
    const exit = this.ended.then((code) => `ended with ${code}`);
    const timeout = delay(startMilliseconds, "took too long", { ref: false });
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found !== null) return found;
      const output = once(this.#child, "output").then(() => undefined);
      const failure = await Promise.race([output, exit, timeout]);
      if (failure !== undefined) throw new Error(`scripts/dev.ts ${failure}:\n${this.#output}`);
    }
  }

  /** Interrupts it as Ctrl-C does. @returns the exit code */
  interrupt(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}

interface StartMessage {
  readonly dashboard: string;
  readonly key: string;
  readonly keyFile: string;
  readonly hasExample: boolean;
}

/** A run of `npm run dev`, and a client with the key it printed. `await using` ends it. */
export class DevServer extends RunningService implements AsyncDisposable {
  readonly port: number;
  /** The port of the identity provider. */
  readonly oidcPort: number;
  /** The line that it prints once it answers. */
  readonly startMessage: string;
  readonly #run: Run;

  private constructor(run: Run, port: number, oidcPort: number, message: StartMessage) {
    const { dashboard, key, keyFile, hasExample } = message;
    const [origin, issuer] = [`http://localhost:${port}`, `http://localhost:${oidcPort}`];
    super({ origin, issuer, dashboard, key });
    this.startMessage = readyMessage({ origin, issuer, key, keyFile }, { hasExample, hasLarge: false });
    this.#run = run;
    this.port = port;
    this.oidcPort = oidcPort;
  }

  /**
   * Starts it and waits for its start message.
   * @param ports to listen on; free ones when absent
   */
  static async start(args: string[], ports?: { port: number; oidcPort: number }): Promise<DevServer> {
    const { port, oidcPort } = ports ?? { port: await freePort(), oidcPort: await freePort() };
    // By default two services that start together could choose the same port for their debuggers.
    const options = { "--port": port, "--oidc-port": oidcPort, "--inspector-port": await freePort() };
    const run = new Run([...Object.entries(options).flat().map(String), ...args]);
    try {
      const [, dashboard = "", key = "", keyFile = ""] = await run.match(startMessage);
      const hasExample = args.includes("--example");
      return new DevServer(run, port, oidcPort, { dashboard, key, keyFile, hasExample });
    } catch (error) {
      await run.interrupt();
      throw error;
    }
  }

  /** All that it has printed so far. */
  get output(): string {
    return this.#run.output;
  }

  /** Interrupts it as Ctrl-C does. @returns the exit code @throws if its output held a secret */
  async interrupt(signal?: NodeJS.Signals): Promise<number | null> {
    const code = await this.#run.interrupt(signal);
    // The start message shows the demo key; all else is the log.
    requireCleanLog(this.output.replace(this.startMessage, "").split("\n"));
    return code;
  }

  /** Ends it as Ctrl-C does. @throws if it fails, or leaves something behind that listens */
  async stop(): Promise<void> {
    const code = await this.interrupt();
    if (code !== 0) throw new Error(`scripts/dev.ts ended with ${code}:\n${this.output}`);
    await requireFreePort(this.port);
    await requireFreePort(this.oidcPort);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
  }
}

/** Returns the output of a start that adds no example company, up to its message. */
export const outputOfStart = (startMessage: string): string =>
  [steps.database, steps.provider, steps.bundle, steps.workers, "Ready after N s.", startMessage, ""].join(
    "\n",
  );

/** Replaces the time that a start took. */
export const withoutTime = (output: string): string => output.replace(/^(Ready after) \d+ s\.$/m, "$1 N s.");

/** Runs `scripts/dev.ts` until its output matches, and kills it. @returns its output */
export async function killDevAt(pattern: RegExp, args: string[]): Promise<string> {
  const run = new Run(args);
  try {
    await run.match(pattern);
    return run.output;
  } finally {
    await run.interrupt("SIGKILL");
  }
}

/** Runs `scripts/dev.ts` with options that should make it exit, and interrupts it if it does not. */
export async function runDev(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const run = new Run(args, env);
  const timeout = setTimeout(() => void run.interrupt(), exitMilliseconds);
  const code = await run.ended;
  clearTimeout(timeout);
  return { code, output: run.output };
}

/**
 * An unused port of the loopback interface. It is below the ephemeral range, so that the system can't assign it to an
 * outgoing connection before the caller listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const taken = await once(server, "listening").then(
      () => false,
      () => true,
    );
    if (taken) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
