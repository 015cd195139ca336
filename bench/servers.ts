import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare, type MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptions } from "wrangler";
import {
  fillLedger,
  issuer,
  migrate,
  origin,
  seedCodes,
  seedPage,
  seedWorkspace,
  sessionSecret,
} from "./seed.ts";

export interface RunningServer {
  readonly miniflare: Miniflare;
  /** Paths that answer. */
  readonly paths: string[];
}

const destination = "https://example.com/";
const bareHashes = (count: number) =>
  Array.from({ length: count }, (_, i) => i.toString(36).padStart(8, "0"));

/**
 * Servers by name: each starts a Worker in workerd with its socket wired straight to it, no proxy in between.
 * `size` is what the server is about: hashes that redirect, or scans that are there to be exported.
 */
const servers = {
  /** (a) A constant 302. */
  async constant(port: number, size: number) {
    return { miniflare: bare("constant", port), paths: bareHashes(size) };
  },

  /** (b) One KV read. */
  async kv(port: number, size: number) {
    const miniflare = bare("kv", port, { kvNamespaces: ["ROUTES"] });
    const kv = await miniflare.getKVNamespace("ROUTES");
    for (const hash of bareHashes(size)) await kv.put(hash, destination);
    return { miniflare, paths: bareHashes(size) };
  },

  /** (c) One indexed D1 read. */
  async d1(port: number, size: number) {
    const miniflare = bare("d1", port, { d1Databases: ["DB"] });
    const db = await miniflare.getD1Database("DB");
    await db.exec("CREATE TABLE routes (hash TEXT PRIMARY KEY, location TEXT NOT NULL) WITHOUT ROWID");
    await db
      .prepare("INSERT INTO routes SELECT value, ? FROM json_each(?)")
      .bind(destination, JSON.stringify(bareHashes(size)))
      .run();
    return { miniflare, paths: bareHashes(size) };
  },

  /** (d) The built service, with codes made through its API. */
  async service(port: number, size: number) {
    const miniflare = new Miniflare(serviceOptions(port));
    await seedWorkspace(miniflare);
    const dataOf = (i: number) => ({ type: "url", url: `https://example.com/${i}` });
    return { miniflare, paths: await seedCodes(miniflare, size, dataOf) };
  },

  /** (e) The same, with codes that lead to a hosted page. */
  async hostedPage(port: number, size: number) {
    const miniflare = new Miniflare(serviceOptions(port));
    await seedWorkspace(miniflare);
    const pageId = await seedPage(miniflare);
    return { miniflare, paths: await seedCodes(miniflare, size, () => ({ type: "servicepage", pageId })) };
  },

  /** Rows into the catalogue's table and indexes, without the service and its triggers. */
  async insert(port: number) {
    const miniflare = bare("insert", port, { d1Databases: ["DB"] });
    const db = await miniflare.getD1Database("DB");
    await migrate(db);
    for (const trigger of ["created", "tagged", "retagged", "deleted", "rerouted"]) {
      await db.prepare(`DROP TRIGGER qr_codes_${trigger}`).run();
    }
    await db
      .prepare("INSERT INTO workspaces (id, name, plan, created_at) VALUES ('w', 'Bench', 'business', 0)")
      .run();
    return { miniflare, paths: [""] };
  },

  /** Rows paged out of a Durable Object as JSON lines. */
  async pages(port: number, size: number) {
    const miniflare = bare("pages", port, {
      durableObjects: { STORE: { className: "Store", useSQLite: true } },
    });
    await miniflare.dispatchFetch(`http://localhost/fill?rows=${size}`);
    return { miniflare, paths: [""] };
  },

  /** The built service with a ledger full of scans. */
  async ledger(port: number, size: number) {
    const options = serviceOptions(port);
    const miniflare = new Miniflare(options);
    await seedWorkspace(miniflare);
    await fillLedger(miniflare, options.workers[0]?.config.name ?? "", size);
    return { miniflare, paths: ["api/v1/scans/export"] };
  },
} satisfies Record<string, (port: number, size: number) => Promise<RunningServer>>;

export type ServerName = keyof typeof servers;

export async function startServer(name: ServerName, port: number, size: number): Promise<RunningServer> {
  const { miniflare, paths } = await servers[name](port, size);
  return { miniflare, paths: paths.map((path) => `/${path}`) };
}

function bare(name: string, port: number, bindings: object = {}): Miniflare {
  return new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: readFileSync(new URL(`workers/${name}.js`, import.meta.url), "utf8"),
      compatibilityDate: "2026-10-01",
      unsafeDirectSockets: [{ host: "127.0.0.1", port }],
      ...bindings,
    }),
  );
}

/** The built Worker with the bindings of wrangler.toml. @param script of another build than `dist/index.js` */
export function serviceOptions(port: number, script = "dist/index.js"): MiniflareOptions {
  const { workerOptions: bindings } = workerOptions("wrangler.toml");
  const options = convertV4MiniflareOptions({
    ...bindings,
    modules: [{ type: "ESModule", path: script }],
    bindings: {
      SCAN_ORIGIN: origin,
      VISITOR_SECRET: "a secret for benchmarks",
      WEBHOOK_SECRET: "another",
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "benchmarks",
      SESSION_SECRET: sessionSecret,
    },
    unsafeDirectSockets: [{ host: "127.0.0.1", port }],
  });
  return { ...options, unsafeInspectDurableObjects: true };
}
