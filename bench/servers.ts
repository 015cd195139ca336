import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare, type MiniflareOptions } from "miniflare";
import { migrate } from "../scripts/lib/catalogue.ts";
import {
  codeId,
  dropTriggers,
  fillCatalogue,
  fillLedger,
  fillSearched,
  ledgerRows,
  seedCodes,
  seedDomain,
  seedPage,
  seedWorkspace,
  sessionId,
  workspaceId,
} from "../scripts/lib/seed.ts";

interface RunningServer {
  readonly miniflare: Miniflare;
  /** Paths to request. */
  readonly paths: string[];
}

export interface ServerOptions {
  /** Depending on the server: how many hashes redirect, codes are in the catalogue, or scans are in the ledger. */
  readonly size: number;
  /**
   * How many scans are in the ledger beside the codes of a catalogue; by default many more per code than fit into one
   * response. For bare pages, how many rows a report has.
   */
  readonly scans?: number;
  /** The bytes per row of a bare Worker's table. */
  readonly rowBytes?: number;
  /** The service's build, relative to the project's folder. Bare Workers need none. */
  readonly script?: string;
  /** The build of the Worker for scans, to run it in front of the service. */
  readonly edge?: string;
  /** Variables of the service besides those that all benchmarks set. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether a debugger may attach. */
  readonly inspector?: boolean;
  /** Whether the images Worker runs beside the service. */
  readonly images?: boolean;
}

/** How many scans the ledger has in API benchmarks: many more per code than fit into one response. */
const apiScans = (codes: number) => Math.floor(codes / 2);

/** Codes on a page of the dashboard's list, and days in a code's sparkline. */
const [listedCodes, courseDays] = [25, 30];

/** The design of codes whose drawing is measured: it takes the images Worker. */
const measuredDesign = {
  colorConfig: { dotsColor: "#0c4a6e" },
  advanced: {
    modules: "connected",
    eyeFrame: "rounded",
    eyeCenter: "circle",
    gradient: { type: "linear", to: "#0e7490", angle: 45 },
  },
} as const;

/** The host of the workspace's domain. */
export const domainHost = "go.bench.localhost";

const aliasOf = (i: number) => `Old/${i}`;

/** Starts the service with codes that have an alias each. @param pathOf returns the path to request of a code */
async function withDomain(
  options: ServerOptions,
  pathOf: (hash: string, i: number) => string,
): Promise<RunningServer> {
  const miniflare = new Miniflare(await serviceWith(options));
  await seedWorkspace(miniflare);
  await seedDomain(miniflare, domainHost);
  const dataOf = (i: number) => ({ type: "url", url: `https://example.com/${i}` });
  const more = (i: number) => ({ aliases: [`${domainHost}/${aliasOf(i)}`] });
  return { miniflare, paths: (await seedCodes(miniflare, options.size, dataOf, more)).map(pathOf) };
}

const destination = "https://example.com/";
const bareHashes = (count: number) =>
  Array.from({ length: count }, (_, i) => i.toString(36).padStart(8, "0"));

/** Servers by name. Each one starts a Worker in workerd without a proxy in front. */
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

  /** (d) The built service, with codes created through its API. */
  async service(options: ServerOptions) {
    const miniflare = new Miniflare(await serviceWith(options));
    await seedWorkspace(miniflare);
    const dataOf = (i: number) => ({ type: "url", url: `https://example.com/${i}` });
    return { miniflare, paths: await seedCodes(miniflare, options.size, dataOf) };
  },

  /** (f) The same, whose codes answer at a domain, too. */
  domain: (options: ServerOptions) => withDomain(options, (hash) => hash),

  /** (g) The same, by an alias of each code. */
  alias: (options: ServerOptions) => withDomain(options, (_, i) => aliasOf(i)),

  /** (e) The same, with codes whose scans show a hosted page. */
  async hostedPage(options: ServerOptions) {
    const miniflare = new Miniflare(await serviceWith(options));
    await seedWorkspace(miniflare);
    const pageId = await seedPage(miniflare);
    return {
      miniflare,
      paths: await seedCodes(miniflare, options.size, () => ({ type: "servicepage", pageId })),
    };
  },

  /** A Worker that inserts rows into the catalogue's table and indexes, without its triggers. */
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

  /** A Worker that changes the routes of codes in the catalogue's table, in feeds and in KV. */
  async reroute({ size }: ServerOptions) {
    const miniflare = bare("reroute", {
      d1Databases: ["DB"],
      kvNamespaces: ["ROUTES"],
      durableObjects: { FEEDS: { className: "Feed", useSQLite: true } },
    });
    await seedWorkspace(miniflare);
    const db = await miniflare.getD1Database("DB");
    await fillCatalogue(db, size);
    await dropTriggers(db, "qr_codes");
    return { miniflare, paths: [""] };
  },

  /** A Worker that reads rows from a Durable Object in pages, as JSON lines. */
  async pages({ size }: ServerOptions) {
    const miniflare = bare("pages", {
      durableObjects: { STORE: { className: "Store", useSQLite: true } },
    });
    await miniflare.dispatchFetch(`http://localhost/fill?rows=${size}`);
    return { miniflare, paths: [""] };
  },

  /** The built service with scans in its ledger. */
  async ledger(options: ServerOptions) {
    const settings = await serviceWith(options);
    const miniflare = new Miniflare(settings);
    await seedWorkspace(miniflare);
    await fillLedger(miniflare, settings.workers[0]?.config.name ?? "", options.size);
    return { miniflare, paths: ["api/v1/scans/export"] };
  },
  /** The built service with codes in its catalogue and scans in its ledger, without a consumer of route repairs. */
  async catalogue(options: ServerOptions) {
    const settings = await serviceWith(options, "route-repairs");
    const miniflare = new Miniflare(settings);
    await seedWorkspace(miniflare);
    await fillCatalogue(await miniflare.getD1Database("DB"), options.size);
    const scans = options.scans ?? apiScans(options.size);
    if (scans > 0) await fillLedger(miniflare, settings.workers[0]?.config.name ?? "", scans);
    return { miniflare, paths: [""] };
  },

  /** The built service with codes of many names, own ids, tags and addresses in its catalogue. */
  async search(options: ServerOptions) {
    const miniflare = new Miniflare(await serviceWith(options, "route-repairs"));
    await seedWorkspace(miniflare);
    await fillSearched(await miniflare.getD1Database("DB"), options.size);
    return { miniflare, paths: [""] };
  },

  /** The built service with the images Worker, and codes in its catalogue: every second one has a design. */
  async images(options: ServerOptions) {
    const miniflare = new Miniflare(await serviceWith({ ...options, images: true }, "route-repairs"));
    await seedWorkspace(miniflare);
    const db = await miniflare.getD1Database("DB");
    await fillCatalogue(db, options.size);
    await db
      .prepare("UPDATE qr_codes SET advanced = ?, color_config = ? WHERE CAST(hash AS INTEGER) % 2 = 0")
      .bind(JSON.stringify(measuredDesign.advanced), JSON.stringify(measuredDesign.colorConfig))
      .run();
    return { miniflare, paths: [""] };
  },

  /** A Worker that reads rows of a Durable Object with plain SQL. */
  async rollups({ size, rowBytes = 0 }: ServerOptions) {
    const miniflare = bare("rollups", {
      durableObjects: { STORE: { className: "Store", useSQLite: true } },
    });
    const body = JSON.stringify({ rows: size, bytes: rowBytes });
    await miniflare.dispatchFetch("http://localhost", { method: "POST", body });
    return { miniflare, paths: [""] };
  },

  /** A bare Worker that makes the API's calls and statements, on the same codes and scans. */
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

  /** A bare Worker that makes the statements and calls of the dashboard's pages, on the same codes. */
  async barePages({ size, scans = 0, rowBytes = 0 }: ServerOptions) {
    const miniflare = bare("bare-pages", {
      bindings: { WORKSPACE: workspaceId, SESSION: sessionId, CODE: codeId(1) },
      d1Databases: ["DB"],
      durableObjects: { STORE: { className: "Store", useSQLite: true } },
    });
    await seedWorkspace(miniflare);
    await fillCatalogue(await miniflare.getD1Database("DB"), size);
    const body = JSON.stringify({ rows: scans, bytes: rowBytes, codes: listedCodes, days: courseDays });
    await miniflare.dispatchFetch("http://localhost/fill", { method: "POST", body });
    return { miniflare, paths: [""] };
  },
} satisfies Record<string, (options: ServerOptions) => Promise<RunningServer>>;

export type ServerName = keyof typeof servers;

/** Starts a server. @returns it, with paths that begin with a slash */
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

/**
 * Returns options of the service. Imported lazily, because the module imports wrangler, which bare Workers don't need.
 */
async function serviceWith(
  { script, inspector, images, edge, variables = {} }: ServerOptions,
  withoutConsumer?: string,
): Promise<MiniflareOptions> {
  const { serviceOptions } = await import("../scripts/lib/service-options.ts");
  const { imagesWorker } = await import("../scripts/lib/images-worker.ts");
  const options = serviceOptions(0, script, {
    variables,
    ...(edge === undefined ? {} : { edge }),
    ...(withoutConsumer === undefined ? {} : { withoutConsumer }),
    ...(images === true ? { images: await imagesWorker() } : {}),
  });
  return { ...options, ...(inspector === true ? { inspectorPort: 0 } : {}) };
}
