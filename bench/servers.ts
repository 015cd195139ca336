import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare, type MiniflareOptions } from "miniflare";
import {
  dropTriggers,
  fillCatalogue,
  fillLedger,
  ledgerRows,
  migrate,
  seedCodes,
  seedPage,
  seedWorkspace,
  workspaceId,
} from "./seed.ts";

export interface RunningServer {
  readonly miniflare: Miniflare;
  /** Paths that answer. */
  readonly paths: string[];
}

export interface ServerOptions {
  /** What the server is about: hashes that redirect, codes in the catalogue, or scans that are there to be exported. */
  readonly size: number;
  /** The service's build, from the project's folder; the bare Workers need none. */
  readonly script?: string;
  /** Variables of the service's beside those that benchmarks need. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether a debugger may attach. */
  readonly inspector?: boolean;
}

/** Scans in the ledger of a server that answers the API: by far more of a code's than one answer holds. */
const apiScans = (codes: number) => Math.floor(codes / 2);

const destination = "https://example.com/";
const bareHashes = (count: number) =>
  Array.from({ length: count }, (_, i) => i.toString(36).padStart(8, "0"));

/** Servers by name: each starts a Worker in workerd with its socket wired straight to it, no proxy in between. */
const servers = {
  /** (a) A constant 302. */
  async constant({ size }: ServerOptions) {
    return { miniflare: bare("constant"), paths: bareHashes(size) };
  },

  /** (b) One KV read. */
  async kv({ size }: ServerOptions) {
    const miniflare = bare("kv", { kvNamespaces: ["ROUTES"] });
    const kv = await miniflare.getKVNamespace("ROUTES");
    for (const hash of bareHashes(size)) await kv.put(hash, destination);
    return { miniflare, paths: bareHashes(size) };
  },

  /** (c) One indexed D1 read. */
  async d1({ size }: ServerOptions) {
    const miniflare = bare("d1", { d1Databases: ["DB"] });
    const db = await miniflare.getD1Database("DB");
    await db.exec("CREATE TABLE routes (hash TEXT PRIMARY KEY, location TEXT NOT NULL) WITHOUT ROWID");
    await db
      .prepare("INSERT INTO routes SELECT value, ? FROM json_each(?)")
      .bind(destination, JSON.stringify(bareHashes(size)))
      .run();
    return { miniflare, paths: bareHashes(size) };
  },

  /** (d) The built service, with codes made through its API. */
  async service(options: ServerOptions) {
    const miniflare = new Miniflare(await serviceWith(options));
    await seedWorkspace(miniflare);
    const dataOf = (i: number) => ({ type: "url", url: `https://example.com/${i}` });
    return { miniflare, paths: await seedCodes(miniflare, options.size, dataOf) };
  },

  /** (e) The same, with codes that lead to a hosted page. */
  async hostedPage(options: ServerOptions) {
    const miniflare = new Miniflare(await serviceWith(options));
    await seedWorkspace(miniflare);
    const pageId = await seedPage(miniflare);
    return {
      miniflare,
      paths: await seedCodes(miniflare, options.size, () => ({ type: "servicepage", pageId })),
    };
  },

  /** Rows into the catalogue's table and indexes, without the service and its triggers. */
  async insert() {
    const miniflare = bare("insert", { d1Databases: ["DB"] });
    const db = await miniflare.getD1Database("DB");
    await migrate(db);
    await dropTriggers(db, "qr_codes");
    await db
      .prepare("INSERT INTO workspaces (id, name, plan, created_at) VALUES ('w', 'Bench', 'business', 0)")
      .run();
    return { miniflare, paths: [""] };
  },

  /** Rows paged out of a Durable Object as JSON lines. */
  async pages({ size }: ServerOptions) {
    const miniflare = bare("pages", {
      durableObjects: { STORE: { className: "Store", useSQLite: true } },
    });
    await miniflare.dispatchFetch(`http://localhost/fill?rows=${size}`);
    return { miniflare, paths: [""] };
  },

  /** The built service with a ledger full of scans. */
  async ledger(options: ServerOptions) {
    const settings = await serviceWith(options);
    const miniflare = new Miniflare(settings);
    await seedWorkspace(miniflare);
    await fillLedger(miniflare, settings.workers[0]?.config.name ?? "", options.size);
    return { miniflare, paths: ["api/v1/scans/export"] };
  },
  /** The built service with a catalogue full of codes and a ledger with scans. Repairs of routes are left out. */
  async catalogue(options: ServerOptions) {
    const settings = await serviceWith(options, "route-repairs");
    const miniflare = new Miniflare(settings);
    await seedWorkspace(miniflare);
    await fillCatalogue(await miniflare.getD1Database("DB"), options.size);
    await fillLedger(miniflare, settings.workers[0]?.config.name ?? "", apiScans(options.size));
    return { miniflare, paths: [""] };
  },

  /** A bare Worker that makes the API's hops, on the same codes and scans. */
  async bareApi({ size }: ServerOptions) {
    const object = (className: string) => ({ className, useSQLite: true });
    const miniflare = bare("bare-api", {
      bindings: { WORKSPACE: workspaceId },
      d1Databases: ["DB"],
      kvNamespaces: ["ROUTES"],
      queueProducers: { REPAIRS: "route-repairs" },
      durableObjects: { METERS: object("Meter"), FEEDS: object("Feed"), LEDGERS: object("Ledger") },
    });
    await seedWorkspace(miniflare);
    await fillCatalogue(await miniflare.getD1Database("DB"), size);
    const body = JSON.stringify(ledgerRows(apiScans(size)));
    await miniflare.dispatchFetch("http://localhost/fill", { method: "POST", body });
    return { miniflare, paths: [""] };
  },
} satisfies Record<string, (options: ServerOptions) => Promise<RunningServer>>;

export type ServerName = keyof typeof servers;

export async function startServer(name: ServerName, options: ServerOptions): Promise<RunningServer> {
  const { miniflare, paths } = await servers[name](options);
  return { miniflare, paths: paths.map((path) => `/${path}`) };
}

function bare(name: string, bindings: object = {}): Miniflare {
  return new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: readFileSync(new URL(`workers/${name}.js`, import.meta.url), "utf8"),
      compatibilityDate: "2026-10-01",
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      ...bindings,
    }),
  );
}

/** The service. Its module is loaded by need: it loads wrangler, which takes as long to start as a bare Worker. */
async function serviceWith(
  { script, inspector, variables = {} }: ServerOptions,
  withoutConsumer?: string,
): Promise<MiniflareOptions> {
  const { serviceOptions } = await import("./service-options.ts");
  const options = serviceOptions(0, script, {
    variables,
    ...(withoutConsumer === undefined ? {} : { withoutConsumer }),
  });
  return { ...options, ...(inspector === true ? { inspectorPort: 0 } : {}) };
}
