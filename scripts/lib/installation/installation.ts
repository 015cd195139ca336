import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { experimental_readRawConfig, type Unstable_RawConfig as RawConfig } from "wrangler";
import release from "../../../package.json" with { type: "json" };
import { meantBy } from "../../../src/contract/misspelled-fields.ts";
import { Failure } from "../failure.ts";
import { readFileIfExists } from "../files.ts";
import { edgeConfig, imagesConfig, root } from "../wrangler.ts";

/** The values in which an installation differs from wrangler.toml. None is a secret. */
export interface Installation {
  /** Begins the names of everything in the account. Two installations in an account have different ones. */
  readonly prefix: string;
  readonly accountId: string;
  /** Whether it has no bucket, because its account has no R2. */
  readonly withoutR2: boolean;
  /** Whether it has the Worker for scans, to which its hosts lead then, all but that of the dashboard. */
  readonly edge: boolean;
  /** The ids of D1 databases and KV namespaces, by binding. */
  readonly ids: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  /** Hosts that lead to the service besides those of its origins, such as customers' domains (npm run domains). */
  readonly hosts: readonly string[];
  /** Further settings of wrangler for the service, such as `limits` or `analytics_engine_datasets`. */
  readonly wrangler: Readonly<Record<string, unknown>>;
}

/** The configurations of an installation's Workers, as wrangler reads them. */
export interface Configs {
  readonly service: RawConfig;
  readonly images: RawConfig;
  /** That of the Worker for scans; undefined if the version or the installation has none. */
  readonly edge: RawConfig | undefined;
}

/** The folder with a file for each installation. */
export const installationsFolder = join(root, "installations");

/** A Worker's workers.dev address ends with this. */
const workersDevSuffix = ".workers.dev";

export const isWorkersDev = (host: string): boolean => host.endsWith(workersDevSuffix);

/** Returns the hosts of an installation's origins, that of the scans first. */
export function hostsOf(vars: Readonly<Record<string, string>>): string[] {
  const origins = [vars.SCAN_ORIGIN, vars.APP_ORIGIN].filter((origin) => URL.canParse(origin ?? ""));
  return [...new Set(origins.map((origin) => new URL(origin ?? "").host))];
}

/** Returns the origins of an installation. */
export function addressesOf(vars: Readonly<Record<string, string>>) {
  const [scans = "", app = scans] = hostsOf(vars);
  return { scanOrigin: `https://${scans}`, appOrigin: `https://${app}` };
}

/** Reads the configurations of all Workers. @param checkout the folder of the version to deploy */
export function readBaseConfigs(checkout = root): Configs {
  const read = (config: string) => experimental_readRawConfig({ config: join(checkout, config) }).rawConfig;
  return {
    service: read("wrangler.toml"),
    images: read(imagesConfig),
    // Versions up to 1.1.0 have none.
    edge: existsSync(join(checkout, edgeConfig)) ? read(edgeConfig) : undefined,
  };
}

/** Returns the name in the account of something that wrangler.toml names, such as qr-scans for the queue scans. */
const nameIn = (prefix: string, name: string): string => `${prefix}-${name.replace(/^qr-/, "")}`;

/** The names of the Workers to which an installation's hosts can lead. */
export interface Workers {
  readonly service: string;
  readonly edge: string;
}

/** Returns the names of an installation's Workers, whether or not it has both. */
export function workersOf(prefix: string): Workers {
  const { service, edge } = readBaseConfigs();
  return { service: nameIn(prefix, service.name ?? ""), edge: nameIn(prefix, edge?.name ?? "") };
}

/** Returns the title of a KV namespace, which wrangler.toml knows by its binding only. */
export const titleOf = (prefix: string, binding: string): string =>
  nameIn(prefix, binding.toLowerCase().replaceAll("_", "-"));

/**
 * Returns the id of a rate limit's counts. Workers of an account share the counts of an id, so installations with other
 * prefixes than the usual one have ids of their own.
 */
function rateLimitId(prefix: string, id: string): string {
  if (prefix === "qr") return id;
  const digest = createHash("sha256").update(prefix).digest().readUInt32BE() % 100_000;
  return String(10_000 * (digest + 1) + Number(id));
}

interface Target {
  /** The folder of the version to deploy (default: this checkout). */
  readonly checkout?: string;
  /** The account's Workers plan, if it is known. */
  readonly plan?: "free" | "paid" | undefined;
}

/**
 * The CPU time of an invocation of the images Worker, for the case that its own bounds fail. The longest is a PDF of 100
 * labels. Workers Free refuses any such limit, and Workers Paid has 30 seconds by itself.
 */
const imagesCpuMilliseconds = 20_000;

/**
 * Fills an installation's names, ids and settings into the configurations. They have no routes: wrangler, which takes a host
 * from whatever has it, must not attach any (attachHosts does).
 */
export function renderConfigs(
  { service: { routes: _routes, route: _route, ...service }, images, edge }: Configs,
  installation: Installation,
  { checkout = root, plan }: Target = {},
): Configs {
  const { prefix, accountId, withoutR2, vars, wrangler } = installation;
  const named = (name: string | undefined) => nameIn(prefix, name ?? "");
  const shared = sharedParts(service, installation);
  return {
    service: {
      ...service,
      ...wrangler,
      ...shared,
      main: join(checkout, service.main ?? ""),
      // Where these are unset, wrangler decides: without routes, it turns workers.dev on.
      workers_dev: hostsOf(vars).some(isWorkersDev),
      // Otherwise objects keep their old code for up to five minutes after a deployment.
      durable_objects: {
        bindings: [],
        ...service.durable_objects,
        code_update_strategy: { mode: "immediate" },
      },
      vars: { ...service.vars, ...vars },
      d1_databases: (shared.d1_databases ?? []).map((database) => ({
        ...database,
        migrations_dir: join(checkout, database.migrations_dir ?? "migrations"),
      })),
      r2_buckets: (withoutR2 ? [] : (service.r2_buckets ?? [])).map((bucket) => ({
        ...bucket,
        bucket_name: named(bucket.bucket_name),
      })),
    },
    images: {
      ...images,
      name: named(images.name),
      main: join(checkout, imagesConfig, "..", images.main ?? ""),
      account_id: accountId,
      workers_dev: false,
      preview_urls: false,
      ...(plan === "paid" ? { limits: { cpu_ms: imagesCpuMilliseconds } } : {}),
    },
    edge: installation.edge && edge !== undefined ? renderEdge(edge, installation, checkout) : undefined,
  };
}

/** The Worker for scans has those settings and objects of the service that it needs. */
function renderEdge(edge: RawConfig, installation: Installation, checkout: string): RawConfig {
  const { prefix, vars } = installation;
  const own = Object.entries(edge.vars ?? {}).map(([name, value]) => [name, vars[name] ?? value]);
  return {
    ...edge,
    ...sharedParts(edge, installation),
    main: join(checkout, edgeConfig, "..", edge.main ?? ""),
    workers_dev: false,
    // The Worker doesn't read it: the doctor tells by it which version is deployed.
    vars: { ...Object.fromEntries(own), VERSION: release.version },
    durable_objects: {
      bindings: (edge.durable_objects?.bindings ?? []).map((binding) => ({
        ...binding,
        script_name: nameIn(prefix, binding.script_name ?? ""),
      })),
    },
  };
}

/** Returns what a Worker shares with others by names and ids of the installation. */
function sharedParts(config: RawConfig, { prefix, accountId, ids }: Installation): RawConfig {
  const named = (name: string | undefined) => nameIn(prefix, name ?? "");
  return {
    name: named(config.name),
    account_id: accountId,
    preview_urls: false,
    d1_databases: (config.d1_databases ?? []).map((database) => ({
      ...database,
      database_name: named(database.database_name),
      database_id: ids[database.binding] ?? "",
    })),
    kv_namespaces: (config.kv_namespaces ?? []).map((namespace) => ({
      ...namespace,
      id: ids[namespace.binding] ?? "",
    })),
    ratelimits: (config.ratelimits ?? []).map((limit) => ({
      ...limit,
      namespace_id: rateLimitId(prefix, limit.namespace_id),
    })),
    services: (config.services ?? []).map((binding) => ({ ...binding, service: named(binding.service) })),
    queues: {
      producers: (config.queues?.producers ?? []).map((producer) => ({
        ...producer,
        queue: named(producer.queue),
      })),
      consumers: (config.queues?.consumers ?? []).map((consumer) => ({
        ...consumer,
        queue: named(consumer.queue),
        ...(consumer.dead_letter_queue === undefined
          ? {}
          : { dead_letter_queue: named(consumer.dead_letter_queue) }),
      })),
    },
  };
}

/** Returns the names of all queues of a configuration, once each. */
export function queuesOf({ queues }: Pick<RawConfig, "queues">): string[] {
  const named = [
    ...(queues?.producers ?? []).map(({ queue }) => queue),
    ...(queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ];
  return [...new Set(named.filter((queue) => queue !== undefined))];
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textsOf = (table: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isTable(table) ? table : {}).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );

export const installationFile = (folder: string, prefix: string): string => join(folder, `${prefix}.toml`);

/** Returns the prefixes of the installations in a folder. */
export async function listInstallations(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith(".toml")).map((file) => file.slice(0, -".toml".length));
}

/** Reads the installation with a prefix, or the only one. @throws Failure if it isn't clear which, or there is none */
export async function requireInstallation(folder: string, named: string | undefined): Promise<Installation> {
  const prefixes = await listInstallations(folder);
  if (named === undefined && prefixes.length > 1) {
    throw new Failure(`Several are installed from here: ${prefixes.join(", ")}. Say which`);
  }
  const prefix = named ?? prefixes[0];
  const installation = prefix && (await readInstallation(folder, prefix));
  if (installation) return installation;
  throw new Failure("There is no such installation yet. Install the service: npm run setup");
}

/** Reads an installation's file; undefined if there is none. */
export async function readInstallation(folder: string, prefix: string): Promise<Installation | undefined> {
  const file = installationFile(folder, prefix);
  if ((await readFileIfExists(file)) === "") return undefined;
  const raw: Record<string, unknown> = { ...experimental_readRawConfig({ config: file }).rawConfig };
  if (typeof raw.account_id !== "string") throw new Failure(`${file} has no account_id`);
  requireKnownSettings(file, raw);
  return {
    prefix,
    accountId: raw.account_id,
    withoutR2: raw.without_r2 === true,
    edge: raw.edge === true,
    ids: textsOf(raw.ids),
    vars: textsOf(raw.vars),
    hosts: isListOfTexts(raw.hosts) ? raw.hosts : [],
    wrangler: isTable(raw.wrangler) ? raw.wrangler : {},
  };
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** @throws Failure for settings that the service doesn't have, which would otherwise be passed over in silence */
function requireKnownSettings(file: string, raw: Readonly<Record<string, unknown>>): void {
  const { vars = {}, secrets } = readBaseConfigs().service;
  const known = [...Object.keys(vars), ...(secrets?.required ?? [])];
  const given = isTable(raw.vars) ? raw.vars : {};
  const problems = [
    ...Object.keys(raw)
      .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name))
      .map((name) => `${name} must be below [vars]`),
    ...Object.entries(given).flatMap(([name, value]) => {
      if (!known.includes(name)) {
        const meant = meantBy(name, known);
        return `${name} isn't a setting${meant === undefined ? "" : `. Did you mean ${meant}?`}`;
      }
      return typeof value === "string" ? [] : `${name} must be in quotes, not ${JSON.stringify(value)}`;
    }),
    ...(raw.hosts === undefined || isListOfTexts(raw.hosts)
      ? []
      : ['hosts must be a list, such as ["qr.acme.com"]']),
    ...customDomainsOf(raw.wrangler).map(
      (host) =>
        `[wrangler] can't have the custom domain ${host}: wrangler would take it from whatever has it. Remove it there, and add it: npm run domains -- add ${host}`,
    ),
  ];
  if (problems.length === 0) return;
  throw new Failure(`${file} has to be corrected:
${problems.map((problem) => `  ${problem}`).join("\n")}

The settings: docs/operating/settings.md`);
}

/** Returns the custom domains among the routes of further settings. */
function customDomainsOf(wrangler: unknown): string[] {
  const { route, routes = [] } = isTable(wrangler) ? wrangler : {};
  return [route, ...(Array.isArray(routes) ? routes : [])].flatMap((each) =>
    isTable(each) && each.custom_domain === true ? [String(each.pattern)] : [],
  );
}

/** Returns the text of an installation's file. */
export function installationText(installation: Installation): string {
  const { accountId, withoutR2, edge, ids, vars, hosts, wrangler } = installation;
  const lines = (values: Readonly<Record<string, string>>) =>
    Object.entries(values)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
      .join("");
  return `# One installation: the values in which it differs from wrangler.toml. It holds no secrets, so commit it.
# npm run setup writes this file, npm run deploy uses it. [vars] takes every setting of wrangler.toml's [vars], [wrangler]
# further settings of wrangler, such as limits = { cpu_ms = 10_000 }.
account_id = ${JSON.stringify(accountId)}
${withoutR2 ? "without_r2 = true\n" : ""}${edge ? `${edgeComment}\nedge = true\n` : ""}${hosts.length === 0 ? "" : `${hostsComment}\nhosts = ${inToml(hosts)}\n`}
[ids]
${lines(ids)}
[vars]
${lines(vars)}${
  Object.keys(wrangler).length === 0
    ? ""
    : `
[wrangler]
${Object.entries(wrangler)
  .map(([name, value]) => `${name} = ${inToml(value)}\n`)
  .join("")}`
}`;
}

const edgeComment = "# Hosts lead to the Worker for scans. To take them back: npm run domains -- to-main";
const hostsComment = "# Hosts that lead to the service besides those of its origins (npm run domains).";

/** Returns a value in TOML, on one line. */
function inToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inToml).join(", ")}]`;
  if (!isTable(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)} = ${inToml(each)}`)
    .join(", ")} }`;
}

/** Writes an installation's file. */
export async function writeInstallation(folder: string, installation: Installation): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(installationFile(folder, installation.prefix), installationText(installation));
}

/** The paths of written configurations. */
export interface ConfigPaths {
  readonly service: string;
  readonly images: string;
  /** Undefined if there is no Worker for scans. */
  readonly edge?: string;
}

/** Writes configurations for wrangler. @returns their paths */
export async function writeConfigs(folder: string, { service, images, edge }: Configs): Promise<ConfigPaths> {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, config: RawConfig) => {
    const path = join(folder, `${name}.json`);
    await writeFile(path, JSON.stringify(config, null, 2));
    return path;
  };
  return {
    service: await write("service", service),
    images: await write("images", images),
    ...(edge === undefined ? {} : { edge: await write("edge", edge) }),
  };
}
