import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../../scripts/dev.ts", import.meta.url));
const keyLine = /^API key: (sk_live_[0-9A-Za-z]{32})$/m;

/** A start that takes longer than this has failed. */
const startMilliseconds = 90_000;

/** One that was to be refused, and is still running after this, was not. */
const refusalMilliseconds = 20_000;

/** A browser's user agent, for scans that must count as a person's. */
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

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
export class DevServer implements AsyncDisposable {
  readonly port: number;
  /** The identity provider's. */
  readonly oidcPort: number;
  readonly key: string;
  readonly origin: string;
  readonly issuer: string;
  readonly #run: Run;

  private constructor(run: Run, port: number, oidcPort: number, key: string) {
    this.#run = run;
    this.port = port;
    this.oidcPort = oidcPort;
    this.key = key;
    this.origin = `http://localhost:${port}`;
    this.issuer = `http://localhost:${oidcPort}`;
  }

  /**
   * Starts it and waits until it has printed all it has to say.
   * @param ports to listen on; free ones, if left out
   */
  static async start(args: string[], ports?: { port: number; oidcPort: number }): Promise<DevServer> {
    const { port, oidcPort } = ports ?? { port: await freePort(), oidcPort: await freePort() };
    const run = new Run(["--port", String(port), "--oidc-port", String(oidcPort), ...args]);
    try {
      const [, key = ""] = await run.match(keyLine);
      return new DevServer(run, port, oidcPort, key);
    } catch (error) {
      await run.interrupt();
      throw error;
    }
  }

  /** Everything it has printed so far. */
  get output(): string {
    return this.#run.output;
  }

  /** Sends a request with the key to a path under `/api/v1`. */
  send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
  }

  /** Opens a scan URL as a person does, without following it. */
  scan(url: string): Promise<Response> {
    return fetch(url, {
      redirect: "manual",
      headers: { "user-agent": browser },
      signal: AbortSignal.timeout(10_000),
    });
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

/** A port of the loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return address.port;
}
