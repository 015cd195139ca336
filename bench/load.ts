import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import autocannon from "autocannon";
import { cpuMicroseconds, untilIdle } from "./process-tree.ts";
import type { ServerName } from "./servers.ts";

export interface Server {
  readonly name: ServerName;
  readonly process: ChildProcess;
  readonly pid: number;
  readonly origin: string;
  readonly paths: string[];
}

/** Starts a server in a process of its own. */
export async function spawnServer(name: ServerName, port: number, hashes: number): Promise<Server> {
  const child = fork(new URL("serve.ts", import.meta.url), [name, String(port), String(hashes)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // A benchmark that fails must not leave its servers behind.
  process.once("exit", () => child.kill());
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`server ${name} ended with ${code} before it was ready`);
  });
  const [{ paths }] = (await Promise.race([once(child, "message"), ended])) as [{ paths: string[] }];
  ended.catch(() => {});
  return { name, process: child, pid: child.pid ?? 0, origin: `http://127.0.0.1:${port}`, paths };
}

export async function stopServer(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  await once(server.process, "exit");
}

export interface Measurement {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds a request of the whole server, deferred work included. */
  readonly cpu: number;
  readonly requests: number;
}

const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

/**
 * Loads a server for some seconds and counts what it cost.
 * @throws when anything but 302, or 200 with a page, is answered
 */
export async function measure(
  server: Server,
  options: { connections: number; hashes: number; seconds: number },
): Promise<Measurement> {
  const before = cpuMicroseconds(server.pid);
  const requests = server.paths.slice(0, options.hashes).map((path) => ({ method: "GET" as const, path }));
  let clients = 0;
  const result = await autocannon({
    url: server.origin,
    // Each connection begins elsewhere: in step they would all ask for the same hash at once.
    setupClient: (client) => {
      const start = Math.floor((clients * requests.length) / options.connections);
      clients += 1;
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
    },
    connections: options.connections,
    duration: options.seconds,
    headers: { "user-agent": phone },
    requests,
  });
  const count = (status: `${number}`) => result.statusCodeStats?.[status]?.count ?? 0;
  const answered = count("302") + count("200");
  if (answered !== result.requests.total || result.errors > 0) {
    throw new Error(`${server.name}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  }
  await untilIdle(server.pid);
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (cpuMicroseconds(server.pid) - before) / answered,
    requests: answered,
  };
}
