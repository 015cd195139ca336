import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { RunningService } from "./running-service.ts";

const script = fileURLToPath(new URL("../../../scripts/dev.ts", import.meta.url));
const welcome = /^API key: (sk_live_[0-9A-Za-z]{32})\n\nDashboard: (http\S+)/m;

/** A start that takes longer than this has failed. */
const startMilliseconds = 90_000;

/** One that was to be refused, and is still running after this, was not. */
const refusalMilliseconds = 20_000;

/** A run of `scripts/dev.ts` and what it has printed so far, both streams together. */
class Run {
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = "";

  constructor(args: string[], env: Record<string, string> = {}) {
    // npm's variable as under `npm run dev`: the script then ends with this process, however that ends.
    const npm = { npm_lifecycle_event: "dev" };
    const settings = { ...process.env, NODE_ENV: undefined, PORT: undefined, ...npm, ...env };
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

  /** The first match in the output, as soon as it is there. */
  async match(pattern: RegExp): Promise<RegExpExecArray> {
    const over = this.ended.then((code) => `ended with ${code}`);
    const late = delay(startMilliseconds, "took too long", { ref: false });
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found !== null) return found;
      const more = once(this.#child, "output").then(() => undefined);
      const failure = await Promise.race([more, over, late]);
      if (failure !== undefined) throw new Error(`scripts/dev.ts ${failure}:\n${this.#output}`);
    }
  }

  /** Ends it as Ctrl-C does. Returns the exit code. */
  interrupt(signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}

/** The service as `npm run dev` runs it, and a client with the key it printed. `await using` ends it. */
export class DevServer extends RunningService implements AsyncDisposable {
  readonly port: number;
  /** The identity provider's. */
  readonly oidcPort: number;
  readonly #run: Run;

  private constructor(run: Run, port: number, oidcPort: number, key: string, dashboard: string) {
    const [origin, issuer] = [`http://localhost:${port}`, `http://localhost:${oidcPort}`];
    super({ origin, issuer, dashboard, key });
    this.#run = run;
    this.port = port;
    this.oidcPort = oidcPort;
  }

  /**
   * Starts it and waits until it has printed all it has to say.
   * @param ports to listen on; free ones, if left out
   */
  static async start(args: string[], ports?: { port: number; oidcPort: number }): Promise<DevServer> {
    const { port, oidcPort } = ports ?? { port: await freePort(), oidcPort: await freePort() };
    // Two services that start at once must not both take the first free port for their debugger.
    const listen = { "--port": port, "--oidc-port": oidcPort, "--inspector-port": await freePort() };
    const run = new Run([...Object.entries(listen).flat().map(String), ...args]);
    try {
      const [, key = "", dashboard = ""] = await run.match(welcome);
      return new DevServer(run, port, oidcPort, key, dashboard);
    } catch (error) {
      await run.interrupt();
      throw error;
    }
  }

  /** Ends it as Ctrl-C does. Returns the exit code. */
  interrupt(signal?: NodeJS.Signals): Promise<number | null> {
    return this.#run.interrupt(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.interrupt();
  }
}

/** Runs `scripts/dev.ts` where it is to end by itself; one that does not is ended after a while. */
export async function runDev(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const run = new Run(args, env);
  const late = setTimeout(() => void run.interrupt(), refusalMilliseconds);
  const code = await run.ended;
  clearTimeout(late);
  return { code, output: run.output };
}

/**
 * A port of the loopback that nobody listens on. Not one that the system hands out by itself: between here and its use
 * it would give the same to a connection of a test that runs beside this one.
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
