const kilobyte = 1000;
const megabyte = 1000 * kilobyte;
const mebibyte = 1024 * 1024;

/**
 * The platform's limits that its local simulators enforce late, differently or not at all. Sizes are in bytes. Sources,
 * all below https://developers.cloudflare.com: queues/platform/limits, d1/platform/limits, kv/platform/limits,
 * durable-objects/platform/limits, workers/platform/limits, workers/runtime-apis/rpc.
 */
export const platform = {
  /**
   * A kilobyte has 1,000 bytes here. A message includes up to 100 bytes of metadata, and a batch includes those of each
   * message.
   */
  queue: {
    message: 128 * kilobyte,
    metadata: 100,
    batchMessages: 100,
    batch: 256 * kilobyte,
    delaySeconds: 24 * 60 * 60,
  },
  /** D1 and the SQL storage of Durable Objects have the same limits per statement. */
  sql: { parameters: 100, text: 100 * kilobyte, value: 2 * megabyte },
  /** Each statement of a batch is a query. */
  d1: { queries: 1000 },
  /** `cacheTtl` and `expirationTtl` are minimums, in seconds. */
  kv: {
    key: 512,
    value: 25 * mebibyte,
    metadata: 1024,
    operations: 1000,
    cacheTtl: 30,
    expirationTtl: 60,
  },
  /** The arguments or result of a Durable Object call, serialized. */
  rpc: 32 * mebibyte,
  /**
   * Calls to other services in one invocation. The default on paid plans is 10,000; the service keeps to the 1,000 that
   * every plan allows for Cloudflare's own services.
   */
  subrequests: 1000,
  /** Requests to other hosts in one invocation on the Free plan, redirects included. */
  externalSubrequests: 50,
  /**
   * Outgoing connections of one invocation that are waiting for response headers. The seventh is queued while its
   * timeout runs.
   */
  connections: 6,
  /**
   * Rows that one query returns to an isolate. This is due to the 128 MB of memory rather than a limit of the platform:
   * rows become objects, JSON and a message, several times their size, in addition to those of other requests.
   */
  resultSet: 8 * mebibyte,
} as const;

/** The limits exceeded since the last call of `takeViolations`. */
let violations: string[] = [];

/** Thrown where the platform would refuse or delay a call, or end the invocation. */
export class PlatformLimitError extends Error {}

/** Checks a value against a limit. @throws PlatformLimitError if it is larger */
export function checkLimit(limit: string, actual: number, max: number): void {
  if (actual > max) fail(`${limit}: ${actual}, and the platform's limit is ${max}`);
}

/** Checks a value against a minimum. @throws PlatformLimitError if it is smaller */
export function checkMinimum(limit: string, actual: number | undefined, min: number): void {
  if (actual !== undefined && actual < min) fail(`${limit}: ${actual}, and the platform's minimum is ${min}`);
}

/**
 * Returns and resets the exceeded limits. Services catch errors of their bindings, so the thrown error alone would not
 * fail a test.
 */
export function takeViolations(): string[] {
  const taken = violations;
  violations = [];
  return taken;
}

/** Fails a call, and the test that made it. @throws PlatformLimitError */
export function fail(message: string): never {
  violations.push(message);
  throw new PlatformLimitError(message);
}
