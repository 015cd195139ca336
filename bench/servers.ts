import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptions } from "wrangler";
import { seedService } from "./seed.ts";

/** What the redirects are compared with, and the service itself. */
export const serverNames = ["constant", "kv", "d1", "service"] as const;
export type ServerName = (typeof serverNames)[number];

export interface RunningServer {
  /** Paths that answer 302. */
  readonly paths: string[];
  readonly miniflare: Miniflare;
}

const destination = "https://example.com/";
const bareHashes = (count: number) =>
  Array.from({ length: count }, (_, i) => i.toString(36).padStart(8, "0"));

/** Starts a Worker in workerd with its socket wired straight to it: no proxy in between. */
export async function startServer(name: ServerName, port: number, hashes: number): Promise<RunningServer> {
  const sockets = [{ host: "127.0.0.1", port }];
  if (name === "service") {
    const miniflare = new Miniflare(serviceOptions(port));
    return { miniflare, paths: (await seedService(miniflare, hashes)).map((hash) => `/${hash}`) };
  }
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: readFileSync(new URL(`workers/${name}.js`, import.meta.url), "utf8"),
      compatibilityDate: "2026-10-01",
      unsafeDirectSockets: sockets,
      ...(name === "kv" ? { kvNamespaces: ["ROUTES"] } : {}),
      ...(name === "d1" ? { d1Databases: ["DB"] } : {}),
    }),
  );
  const paths = bareHashes(hashes);
  if (name === "kv") {
    const kv = await miniflare.getKVNamespace("ROUTES");
    for (const hash of paths) await kv.put(hash, destination);
  }
  if (name === "d1") {
    const db = await miniflare.getD1Database("DB");
    await db.exec("CREATE TABLE routes (hash TEXT PRIMARY KEY, location TEXT NOT NULL) WITHOUT ROWID");
    await db
      .prepare("INSERT INTO routes SELECT value, ? FROM json_each(?)")
      .bind(destination, JSON.stringify(paths))
      .run();
  }
  return { miniflare, paths: paths.map((hash) => `/${hash}`) };
}

/** The built Worker with the bindings of wrangler.toml. @param script the Worker's one module */
export function serviceOptions(port: number, script = "dist/index.js"): MiniflareOptions {
  const { workerOptions: bindings } = workerOptions("wrangler.toml");
  return convertV4MiniflareOptions({
    ...bindings,
    modules: [{ type: "ESModule", path: script }],
    modulesRoot: dirname(script),
    bindings: { SCAN_ORIGIN: "http://localhost:8787", VISITOR_SECRET: "a secret for benchmarks" },
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  });
}
