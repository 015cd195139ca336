import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, type LegacyWorkerOptions, type MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptions, unstable_readConfig } from "wrangler";
import { issuer, origin, sessionSecret } from "./seed.ts";

interface Changes {
  /** Variables besides those that all benchmarks set. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A queue to leave without a consumer. */
  readonly withoutConsumer?: string;
  /** The images Worker; by default the service runs without it. */
  readonly images?: LegacyWorkerOptions;
  /** The folder in which everything is stored, as `wrangler dev` would; memory by default. */
  readonly storage?: string | undefined;
  /** The path of the configuration; by default that of this checkout. */
  readonly config?: string;
}

/** Returns a built script with the data files next to it: fonts, and outlines of letters. */
const modulesOf = (script: string) => [
  { type: "ESModule" as const, path: script },
  ...globSync(join(dirname(script), "*.{woff2,bin}")).map((path) => ({ type: "Data" as const, path })),
];

/**
 * Returns the built Worker with the bindings of its configuration.
 * @param port 0 for any free port
 * @param script its build, relative to the project's folder
 */
export function serviceOptions(
  port: number,
  script = "dist/index.js",
  { variables = {}, withoutConsumer, images, storage, config = "wrangler.toml" }: Changes = {},
): MiniflareOptions {
  const { queueConsumers, ...bindings } = workerOptions(config).workerOptions;
  const consumers = Object.entries(queueConsumers ?? {}).filter(([queue]) => queue !== withoutConsumer);
  const service = {
    ...bindings,
    // The runtime stores Durable Objects under the name of their Worker.
    ...(storage === undefined ? {} : { name: unstable_readConfig({ config }).name ?? "" }),
    ...(images === undefined ? { serviceBindings: {} } : {}),
    queueConsumers: Object.fromEntries(consumers),
    modules: modulesOf(script),
    bindings: {
      SCAN_ORIGIN: origin,
      VISITOR_SECRET: "a secret for benchmarks",
      WEBHOOK_SECRET: "another",
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "benchmarks",
      SESSION_SECRET: sessionSecret,
      ...variables,
    },
    // Requests reach the Worker without a proxy.
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  };
  const options = convertV4MiniflareOptions(images === undefined ? service : { workers: [service, images] });
  return {
    ...options,
    ...(storage === undefined ? {} : { resourcePersistencePath: storage }),
    unsafeInspectDurableObjects: true,
  };
}
