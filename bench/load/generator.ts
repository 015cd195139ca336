import { createHistogram } from "node:perf_hooks";
import { Connection } from "./connection.ts";

export interface LoadRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH";
  /** With a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly origin: string;
  /** Sent repeatedly in this order, over all connections. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** Seconds after which no more requests are sent; unlimited when absent. */
  readonly seconds?: number;
  /** How many requests are sent in all; unlimited when absent. */
  readonly requestCount?: number;
}

export interface LoadResult {
  /** Numbers of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly responses: number;
  readonly seconds: number;
  /** Latencies in milliseconds. */
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU use of this process during the load, as a fraction of one core. */
  readonly generatorCpu: number;
}

/** Time allowed for a response, in milliseconds. */
const timeout = 60_000;

/**
 * Loads an HTTP/1.1 server: each connection sends its next request as soon as it has received the last response. Uses
 * plain sockets, because HTTP clients use more CPU per request than the fastest servers measured here.
 * @param onResponse called with the index of each request and the status of its response
 * @throws if a connection fails or closes early, or a response takes too long
 */
export async function generate(
  { origin, requests, connections: count, seconds = Number.POSITIVE_INFINITY, requestCount }: Load,
  onResponse?: (index: number, status: number) => void,
): Promise<LoadResult> {
  const { hostname, port, host } = new URL(origin);
  const prepared = requests.map((request) => ({
    bytes: requestBytes(request, host),
    isHead: request.method === "HEAD",
  }));
  const latencies = createHistogram();
  const statuses: Record<number, number> = {};
  let sent = 0;
  const cpu = process.cpuUsage();
  // From the first request on: on a busy machine, connecting may take longer than a short load.
  let startedAt = performance.now();
  let end = Number.POSITIVE_INFINITY;

  const next = (now: number) => {
    if (sent === 0) {
      startedAt = now;
      end = now + seconds * 1000;
    }
    if (now >= end || sent === requestCount) return undefined;
    const index = sent % prepared.length;
    sent += 1;
    const request = prepared[index];
    return request && { ...request, index };
  };
  const handleResponse = (index: number, status: number, milliseconds: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    latencies.record(Math.max(1, Math.round(milliseconds * 1000)));
    onResponse?.(index, status);
  };
  const connections = Array.from(
    { length: count },
    () => new Connection({ hostname, port: Number(port), timeout, next, onResponse: handleResponse }),
  );
  try {
    await Promise.all(connections.map((connection) => connection.ended));
  } finally {
    for (const connection of connections) connection.destroy();
  }

  const milliseconds = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return {
    statuses,
    responses: latencies.count,
    seconds: milliseconds / 1000,
    mean: latencies.mean / 1000,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    generatorCpu: (user + system) / 1000 / milliseconds,
  };
}

function requestBytes({ method, path, headers = {}, body = "" }: LoadRequest, host: string): Buffer {
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
