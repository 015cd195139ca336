import { globSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { convertV4MiniflareOptions, type LegacyWorkerOptions, type MiniflareOptions } from "miniflare";
import { unstable_readConfig, unstable_getMiniflareWorkerOptions as workerOptions } from "wrangler";
import { issuer, origin, sessionSecret } from "./seed.ts";
import { edgeConfig, root } from "./wrangler.ts";

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
  readonly config?: string | undefined;
  /** The script of another version, whose Durable Objects the service then calls instead of its own. */
  readonly objects?: string | undefined;
  /** The script of the Worker for scans, which then answers first; by default the service runs without it. */
  readonly edge?: string | undefined;
}

/** Returns a built script with the files next to it: fonts, outlines of letters, and the documentation. */
function modulesOf(script: string) {
  const modulesRoot = resolve(root, dirname(script));
  const data = globSync(["*.{woff2,bin,png}", "*-*.md"], { cwd: modulesRoot });
  return {
    modulesRoot,
    modules: [
      { type: "ESModule" as const, path: join(modulesRoot, basename(script)) },
      ...data.map((file) => ({ type: "Data" as const, path: join(modulesRoot, file) })),
    ],
  };
}

/**
 * Returns the built Worker with the bindings of its configuration.
 * @param port 0 for any free port
 * @param script its build, relative to the project's folder
 */
export function serviceOptions(
  port: number,
  script = "dist/index.js",
  { variables = {}, withoutConsumer, images, storage, config = "wrangler.toml", objects, edge }: Changes = {},
): MiniflareOptions {
  const { queueConsumers, ...bindings } = workerOptions(config).workerOptions;
  const consumers = Object.entries(queueConsumers ?? {}).filter(([queue]) => queue !== withoutConsumer);
  const service = {
    ...bindings,
    // The runtime stores Durable Objects under the name of their Worker.
    ...(storage === undefined && edge === undefined
      ? {}
      : { name: unstable_readConfig({ config }).name ?? "" }),
    ...(images === undefined ? { serviceBindings: {} } : {}),
    queueConsumers: Object.fromEntries(consumers),
    ...modulesOf(script),
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
  const workers: LegacyWorkerOptions[] =
    objects === undefined ? [service] : callingObjects(service, { ...bindings, ...modulesOf(objects) });
  if (edge !== undefined) {
    const { bindings, unsafeDirectSockets } = service;
    const own = workerOptions(edgeConfig).workerOptions;
    workers.unshift({ ...own, name: "edge", ...modulesOf(edge), bindings, unsafeDirectSockets });
  }
  const options = convertV4MiniflareOptions({
    workers: images === undefined ? workers : [...workers, images],
  });
  return {
    ...options,
    ...(storage === undefined ? {} : { resourcePersistencePath: storage }),
    unsafeInspectDurableObjects: true,
  };
}

/** Has a service call the Durable Objects of another build. They keep the service's name, under which they are stored. */
function callingObjects(service: LegacyWorkerOptions, objects: LegacyWorkerOptions): LegacyWorkerOptions[] {
  const name = service.name ?? "objects";
  const classes = Object.entries(service.durableObjects ?? {});
  const remote = classes.map(([binding, object]) => [
    binding,
    { ...(typeof object === "string" ? { className: object } : object), scriptName: name },
  ]);
  const caller = { ...service, name: `${name}-caller`, durableObjects: Object.fromEntries(remote) };
  return [
    caller,
    { ...objects, name, ...(service.bindings && { bindings: service.bindings }), serviceBindings: {} },
  ];
}
