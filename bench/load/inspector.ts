import { once } from "node:events";
import type { CpuProfile } from "./cpu-profile.ts";

/** Microseconds between samples. */
const interval = 200;

/** Profiles an isolate through the runtime's debugger protocol. `using` detaches it. */
export class Inspector implements Disposable {
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /**
   * @param url the inspector URL of Miniflare
   * @param isolate its name's prefix: `core:user` for the Worker, `queues:queue` for a queue, `d1:db` for the database
   */
  static async attach(url: string, isolate: string): Promise<Inspector> {
    const response = await fetch(new URL("/json", url.replace(/^ws/, "http")));
    const targets = (await response.json()) as { id: string; webSocketDebuggerUrl: string }[];
    const target = targets.find(({ id }) => id.startsWith(isolate));
    if (target === undefined) {
      throw new Error(`no isolate ${isolate} among ${targets.map(({ id }) => id).join(", ")}`);
    }
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await once(socket, "open");
    return new Inspector(socket);
  }

  async start(): Promise<void> {
    await this.#call("Profiler.enable");
    await this.#call("Profiler.setSamplingInterval", { interval });
    await this.#call("Profiler.start");
  }

  async stop(): Promise<CpuProfile> {
    const { profile } = await this.#call<{ profile: CpuProfile }>("Profiler.stop");
    return profile;
  }

  async #call<T>(method: string, params: object = {}): Promise<T> {
    this.#calls += 1;
    const id = this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const receive = ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as { id?: number; result?: T; error?: { message: string } };
      if (message.id !== id) return;
      // If a call has no result, workerd returns the call itself.
      if (message.error === undefined) resolve(message.result as T);
      else reject(new Error(`${method}: ${message.error.message}`));
    };
    const close = () => reject(new Error(`${method}: the debugger closed the connection`));
    this.#socket.addEventListener("message", receive);
    this.#socket.addEventListener("close", close);
    this.#socket.send(JSON.stringify({ id, method, params }));
    try {
      return await promise;
    } finally {
      this.#socket.removeEventListener("message", receive);
      this.#socket.removeEventListener("close", close);
    }
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
