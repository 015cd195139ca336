import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import type { Endpoint } from "../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { clockHeader } from "../company/protocol.ts";
import { printErrors } from "../company/stage.ts";
import { build, buildEdge } from "./build.ts";
import { storagePath } from "./catalogue.ts";
import { checkOutRelease } from "./release.ts";
import { serviceOptions } from "./service-options.ts";
import { root } from "./wrangler.ts";

/** The answers to the requests that read everything, by their paths. */
export type Answers = Readonly<Record<string, unknown>>;

/** How a scan is answered. */
export interface Answered {
  readonly status: number;
  readonly location: string | null;
}

/** Everything that an installation of a released version has stored, and how that version answered for it. */
export interface StoredState {
  readonly version: string;
  /** The time at which it was stored, epoch milliseconds. */
  readonly now: number;
  readonly origin: string;
  readonly variables: Readonly<Record<string, string>>;
  /** A session cookie, `name=value`. */
  readonly cookie: string;
  /** A workspace's secret key. */
  readonly apiKey: string;
  readonly webhookId: string;
  readonly answers: Answers;
  /** How scans of codes and a hosted page are answered, by their paths. */
  readonly scans: Readonly<Record<string, Answered>>;
  /** The number of rows in the catalogue's tables. */
  readonly rows: Readonly<Record<string, number>>;
  /** The number of routes in KV. */
  readonly routes: number;
  /** The files of a data folder in base64, by their paths. */
  readonly files: Readonly<Record<string, string>>;
}

/** The folder with the stored states of all released versions. */
export const statesFolder = join(root, "test/e2e/stored-states");

export const writeState = (state: StoredState): void => {
  mkdirSync(statesFolder, { recursive: true });
  writeFileSync(
    join(statesFolder, `${state.version}.json.gz`),
    gzipSync(JSON.stringify(state), { level: 9 }),
  );
};

/** Returns the versions whose state is stored. */
export const storedVersions = (): string[] =>
  globSync("*.json.gz", { cwd: statesFolder }).map((file) => file.replace(".json.gz", ""));

export const readState = (version: string): StoredState =>
  JSON.parse(gunzipSync(readFileSync(join(statesFolder, `${version}.json.gz`))).toString()) as StoredState;

/** Reads the files of a data folder that no service runs on. Databases are compacted first. */
export function packFiles(folder: string): Record<string, string> {
  const files = globSync("v3/{d1,do,kv,r2}/**/*", { cwd: folder }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  for (const path of files.filter((each) => each.endsWith(".sqlite"))) {
    using database = new DatabaseSync(join(folder, path));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  return Object.fromEntries(
    files
      .filter((path) => !/-(?:wal|shm)$/.test(path))
      .sort()
      .map((path) => [path, readFileSync(join(folder, path)).toString("base64")]),
  );
}

/** Writes the files of a state to a folder. */
export function unpackFiles(files: StoredState["files"], folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), Buffer.from(content, "base64"));
  }
}

const stagedWorker = "scripts/company/staged-worker.ts";

/** A version to run: a released one, or the present code. */
export type Version = "present" | (string & {});

const scriptOf = async (version: Version): Promise<string> =>
  build(stagedWorker, version === "present" ? {} : { folder: await checkOutRelease(version) });

/**
 * Starts a version on a data folder, with a clock that requests set.
 * @param objects the version of the Durable Objects that it calls; by default its own
 */
export async function startOnState(
  { variables }: Pick<StoredState, "variables">,
  folder: string,
  version: Version = "present",
  objects: Version = version,
): Promise<Miniflare> {
  const options = serviceOptions(0, await scriptOf(version), {
    variables,
    storage: storagePath(folder),
    config: version === "present" ? undefined : join(await checkOutRelease(version), "wrangler.toml"),
    objects: objects === version ? undefined : await scriptOf(objects),
  });
  return new Miniflare({ ...options, handleStructuredLogs: printErrors });
}

/** Starts a version as it is deployed, with the present Worker for scans in front, on a data folder. */
export async function startBehindEdge(
  { variables }: Pick<StoredState, "variables">,
  folder: string,
  version: Version = "present",
): Promise<Miniflare> {
  const checkout = version === "present" ? "" : await checkOutRelease(version);
  const options = serviceOptions(0, await build("src/index.ts", { folder: checkout }), {
    variables,
    storage: storagePath(folder),
    config: join(checkout, "wrangler.toml"),
    edge: await buildEdge(),
  });
  return new Miniflare({ ...options, handleStructuredLogs: printErrors });
}

/** The service on a stored state. */
export interface StateClient {
  readonly cookie: string;
  readonly apiKey: string;
  readonly operatorSecret: string;
  /** @param headers besides the clock's */
  send(path: string, headers: Record<string, string>): Promise<Response>;
}

/** Returns a client of a service that runs on a state. */
export const clientOf = (
  miniflare: Miniflare,
  state: Omit<StoredState, "answers" | "scans" | "files">,
): StateClient => ({
  cookie: state.cookie,
  apiKey: state.apiKey,
  operatorSecret: state.variables.OPERATOR_SECRET ?? "",
  send: async (path, headers) => {
    const response = await miniflare.dispatchFetch(new URL(path, state.origin), {
      headers: { ...headers, [clockHeader]: String(state.now) },
      redirect: "manual",
    });
    return response as unknown as Response;
  },
});

/** Endpoints whose answers are of the moment, have no end, or come from the images Worker. */
const unrecorded = new Set(["getReadiness", "watchScans", "getScannability"]);

/** Reads everything that the API can read: each list, and each item that a list names. */
export async function readEverything(client: StateClient): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const read = async (endpoint: Endpoint, path: string) => {
    const answer = await readJson(client, endpoint, path);
    if (answer !== undefined) answers[path] = answer;
  };
  const all: readonly (readonly [string, Endpoint])[] = Object.entries(endpoints);
  const readable = all
    .filter(([name, { method, stream }]) => method === "get" && stream === undefined && !unrecorded.has(name))
    .map(([, endpoint]) => endpoint);
  for (const endpoint of readable.filter(({ path }) => !path.includes("{")))
    await read(endpoint, endpoint.path);
  for (const endpoint of readable) {
    const [list = "", rest] = endpoint.path.split("/{id}");
    if (rest === undefined || rest.includes("{")) continue;
    for (const id of idsIn(answers[list])) await read(endpoint, `${list}/${id}${rest}`);
  }
  return answers;
}

/** Returns the ids of the items of a list. */
function idsIn(answer: unknown): string[] {
  const lists = typeof answer === "object" && answer !== null ? Object.values(answer) : [];
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((item: { id?: unknown }) => (typeof item.id === "string" ? [item.id] : []));
}

async function readJson(client: StateClient, { auth }: Endpoint, path: string): Promise<unknown> {
  const headers = {
    key: { authorization: `Bearer ${client.apiKey}` },
    session: { cookie: client.cookie },
    person: { cookie: client.cookie },
    operator: { authorization: `Bearer ${client.operatorSecret}` },
  }[auth];
  const response = await client.send(`/api/v1${path}`, headers);
  return response.status === 200 ? response.json() : void (await response.arrayBuffer());
}

/** Opens addresses as a phone does. */
export async function scanAll(
  client: Pick<StateClient, "send">,
  paths: readonly string[],
): Promise<Record<string, Answered>> {
  const answered: Record<string, Answered> = {};
  for (const path of paths) {
    const response = await client.send(path, { "user-agent": phone });
    await response.arrayBuffer();
    answered[path] = { status: response.status, location: response.headers.get("location") };
  }
  return answered;
}

const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

/** Counts what is in the catalogue and in the route cache. */
export async function countStored(miniflare: Miniflare): Promise<Pick<StoredState, "rows" | "routes">> {
  const db = await miniflare.getD1Database("DB");
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'
         AND substr(name, 1, 4) <> '_cf_' AND name <> 'd1_migrations' ORDER BY name`,
    )
    .all<{ name: string }>();
  const rows: Record<string, number> = {};
  for (const { name } of results) {
    rows[name] = (await db.prepare(`SELECT count(*) AS n FROM ${name}`).first<number>("n")) ?? 0;
  }
  const routes = await miniflare.getKVNamespace("ROUTES");
  return { rows, routes: (await routes.list()).keys.length };
}
