import { createHistogram } from "node:perf_hooks";
import { Connection } from "./connection.ts";

export interface LoadRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH";
  /** With its leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly origin: string;
  /** Sent in this order by all connections together, then again from the first. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** No request is sent after so many seconds, or after so many requests; absent means no such limit. */
  readonly seconds?: number;
  readonly amount?: number;
}

export interface LoadResult {
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly answers: number;
  readonly seconds: number;
  /** Latencies in milliseconds. */
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  /** CPU this process used meanwhile, as a share of one core. */
  readonly cpu: number;
}

/** An answer that takes longer than this many milliseconds fails the load. */
const timeout = 60_000;

/**
 * Loads an HTTP/1.1 server: each connection sends its next request as soon as the last one has been answered.
 * General HTTP clients use more CPU per request than the fastest servers measured here, hence plain sockets.
 * @param onAnswer called with the index of a request and the status of its answer
 * @throws when a connection fails or ends early, or an answer takes too long
 */
export async function generate(
  { origin, requests, connections: count, seconds = Number.POSITIVE_INFINITY, amount }: Load,
  onAnswer?: (index: number, status: number) => void,
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
  const began = performance.now();
  const end = began + seconds * 1000;

  const next = (now: number) => {
    if (now >= end || sent === amount) return undefined;
    const index = sent % prepared.length;
    sent += 1;
    const request = prepared[index];
    return request && { ...request, index };
  };
  const answered = (index: number, status: number, milliseconds: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    latencies.record(Math.max(1, Math.round(milliseconds * 1000)));
    onAnswer?.(index, status);
  };
  const connections = Array.from(
    { length: count },
    () => new Connection({ hostname, port: Number(port), timeout, next, answered }),
  );
  try {
    await Promise.all(connections.map((connection) => connection.ended));
  } finally {
    for (const connection of connections) connection.destroy();
  }

  const milliseconds = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return {
    statuses,
    answers: latencies.count,
    seconds: milliseconds / 1000,
    mean: latencies.mean / 1000,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    cpu: (user + system) / 1000 / milliseconds,
  };
}

function requestBytes({ method, path, headers = {}, body = "" }: LoadRequest, host: string): Buffer {
  const length = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
