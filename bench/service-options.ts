import { convertV4MiniflareOptions, type MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptions } from "wrangler";
import { issuer, origin, sessionSecret } from "./seed.ts";

interface Changes {
  /** Variables beside those that benchmarks need. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A queue whose messages nobody takes. */
  readonly withoutConsumer?: string;
}

/**
 * The built Worker with the bindings of wrangler.toml.
 * @param port 0 for one of the system's choice
 * @param script its build, from the project's folder
 */
export function serviceOptions(
  port: number,
  script = "dist/index.js",
  { variables = {}, withoutConsumer }: Changes = {},
): MiniflareOptions {
  const { queueConsumers, ...bindings } = workerOptions("wrangler.toml").workerOptions;
  const consumers = Object.entries(queueConsumers ?? {}).filter(([queue]) => queue !== withoutConsumer);
  const options = convertV4MiniflareOptions({
    ...bindings,
    queueConsumers: Object.fromEntries(consumers),
    modules: [{ type: "ESModule", path: script }],
    bindings: {
      SCAN_ORIGIN: origin,
      VISITOR_SECRET: "a secret for benchmarks",
      WEBHOOK_SECRET: "another",
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "benchmarks",
      SESSION_SECRET: sessionSecret,
      ...variables,
    },
    // No proxy in front of the Worker.
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  });
  return { ...options, unsafeInspectDurableObjects: true };
}
