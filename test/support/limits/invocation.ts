import { AsyncLocalStorage } from "node:async_hooks";
import { checkLimit, platform } from "./platform.ts";

/** The resources that an invocation has used so far. An invocation is a request, a batch of a queue, or a sweep. */
interface Usage {
  queries: number;
  kvOperations: number;
  subrequests: number;
  /** Requests to other hosts. */
  externalSubrequests: number;
  /** Outgoing requests that are waiting for response headers. */
  connections: number;
}

const current = new AsyncLocalStorage<Usage>();

/** Runs a handler as its own invocation. Everything it starts counts towards it, even after the response. */
export const invoke = <T>(handler: () => T): T =>
  current.run(
    { queries: 0, kvOperations: 0, subrequests: 0, externalSubrequests: 0, connections: 0 },
    handler,
  );

/**
 * Runs a call that counts as a subrequest. Nested calls are not counted again, because tests often wrap bindings in
 * others.
 * @param queries of D1 that the call makes
 * @param kvOperations that the call makes
 */
export function subrequest<T>(call: () => T, { queries = 0, kvOperations = 0 } = {}): T {
  const usage = current.getStore();
  if (usage === undefined) return call();
  usage.subrequests += 1;
  usage.queries += queries;
  usage.kvOperations += kvOperations;
  checkLimit("D1 queries of an invocation", usage.queries, platform.d1.queries);
  checkLimit("KV operations of an invocation", usage.kvOperations, platform.kv.operations);
  checkLimit("subrequests of an invocation", usage.subrequests, platform.subrequests);
  return current.exit(call);
}

/** Runs an outgoing request, which occupies a connection until its response headers arrive. */
export async function connection<T>(request: () => Promise<T>): Promise<T> {
  const usage = current.getStore();
  if (usage === undefined) return request();
  checkLimit("connections waiting for headers", usage.connections + 1, platform.connections);
  usage.externalSubrequests += 1;
  checkLimit(
    "external subrequests of an invocation",
    usage.externalSubrequests,
    platform.externalSubrequests,
  );
  usage.connections += 1;
  try {
    return await subrequest(request);
  } finally {
    usage.connections -= 1;
  }
}
