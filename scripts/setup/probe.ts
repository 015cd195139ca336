import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { type Api, ApiError } from "../lib/account/api.ts";
import {
  type Account,
  type Binding,
  pathOfAccount,
  type Queue,
  readBindings,
  readBuckets,
  readDatabases,
  readNamespaces,
  readPlan,
  readQueues,
  readScripts,
  type WorkersPlan,
} from "../lib/account/reads.ts";
import { Failure } from "../lib/failure.ts";
import { queuesOf, titleOf } from "../lib/installation/installation.ts";
import { type Query, type Row, readSchema, requireKnownSchema } from "../lib/schema.ts";

/** The parts of an installation that an account has. Reading them changes nothing. */
export interface Found {
  /** The Workers plan; undefined if the token can't read it. */
  readonly plan: WorkersPlan | undefined;
  /** The ids of databases and namespaces that exist, by binding. */
  readonly ids: Readonly<Record<string, string>>;
  /** Undefined if R2 isn't enabled. */
  readonly buckets: ReadonlySet<string> | undefined;
  readonly queues: ReadonlySet<string>;
  /** The deployed service; undefined if there is none. */
  readonly service: DeployedService | undefined;
}

interface DeployedService {
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: ReadonlySet<string>;
  readonly hasBucket: boolean;
}

/**
 * Reads what the account has of the resources that a configuration names, and whether it can have the others.
 * @param edge the name of the Worker for scans
 */
export async function probe(
  api: Api,
  account: Account,
  config: RawConfig,
  edge: string,
  prefix: string,
): Promise<Found> {
  const path = pathOfAccount(account);
  const plan = await readPlan(api, account);
  // R2 comes before the other stores, because new accounts have to enable it.
  const buckets = await readBuckets(api, account, config);
  const databases = await readDatabases(api, account);
  const namespaces = await readNamespaces(api, account);
  const queues = await readQueues(api, account);
  const scripts = await readScripts(api, account);

  const ids = new Map<string, string>();
  for (const { binding, database_name } of config.d1_databases ?? []) {
    const existing = databases.find(({ name }) => name === database_name);
    if (existing === undefined) continue;
    await requireOwnDatabase(api, path, existing);
    ids.set(binding, existing.uuid);
  }
  for (const { binding } of config.kv_namespaces ?? []) {
    const existing = namespaces.find(({ title }) => title === titleOf(prefix, binding));
    if (existing !== undefined) ids.set(binding, existing.id);
  }
  if (scripts.has(edge)) await requireOwnWorker(api, account, edge);
  const service = scripts.has(config.name ?? "") ? await readService(api, account, config) : undefined;
  return {
    plan,
    ids: Object.fromEntries(ids),
    buckets,
    queues: ownQueues(queues, config),
    service,
  };
}

/** A database of the same name may be someone else's or an older version's. Migrations must not change its tables. */
async function requireOwnDatabase(api: Api, path: string, { name, uuid }: { name: string; uuid: string }) {
  const query: Query = async (sql) => {
    const [answer] = await api.post<{ results: Row[] }[]>(`${path}/d1/database/${uuid}/query`, { sql });
    return answer?.results ?? [];
  };
  const data = await readSchema(query);
  if (data.objects.length > 0 && data.applied.length === 0) {
    throw taken(`The D1 database ${name} has tables of something else`);
  }
  requireKnownSchema(data, name);
}

/** Returns the queues that exist, all without a consumer or with this service's. */
function ownQueues(queues: readonly Queue[], config: RawConfig): ReadonlySet<string> {
  const names = new Set(queuesOf(config));
  const own = queues.filter((queue) => names.has(queue.queue_name));
  for (const { queue_name, consumers } of own) {
    const scripts = (consumers ?? []).map(({ script, script_name }) => script ?? script_name);
    const other = scripts.find((script) => script !== undefined && script !== config.name);
    if (other !== undefined)
      throw taken(`The queue ${queue_name} has a consumer already, the Worker ${other}`);
  }
  return new Set(own.map((queue) => queue.queue_name));
}

async function readService(
  api: Api,
  account: Account,
  { name = "", vars }: RawConfig,
): Promise<DeployedService> {
  const bindings = await readBindings(api, account, name);
  const found: DeployedService = {
    vars: Object.fromEntries(
      bindings.flatMap((binding) =>
        binding.type === "plain_text" && binding.name in (vars ?? {})
          ? [[binding.name, binding.text ?? ""]]
          : [],
      ),
    ),
    hasBucket: bindings.some(({ type }) => type === "r2_bucket"),
    secrets: new Set(bindings.flatMap((binding) => (binding.type === "secret_text" ? [binding.name] : []))),
  };
  requireScanOrigin(name, bindings);
  return found;
}

/** @throws Failure for a Worker of the same name that is something else */
async function requireOwnWorker(api: Api, account: Account, name: string): Promise<void> {
  requireScanOrigin(name, await readBindings(api, account, name));
}

function requireScanOrigin(name: string, bindings: readonly Binding[]): void {
  const isOurs = bindings.some((each) => each.type === "plain_text" && each.name === "SCAN_ORIGIN");
  if (!isOurs) throw taken(`The Worker ${name} is something else`);
}

const taken = (problem: string) =>
  new Failure(`${problem}.\nChoose other names: npm run setup -- --prefix NAME`);

/** Returns the named account, or the only one. @throws Failure if there is no such account */
export function findAccount(accounts: readonly Account[], named: string | undefined): Account | undefined {
  if (accounts.length === 0) {
    throw new Failure(`The token reads no account. It needs the permission "Account: Account Settings: Read".
Add it: https://dash.cloudflare.com/profile/api-tokens`);
  }
  if (named === undefined) return accounts.length === 1 ? accounts[0] : undefined;
  const account = accounts.find(({ id, name }) => id === named || name === named);
  if (account !== undefined) return account;
  throw new Failure(
    `The account ${named} isn't one of yours. Choose one with --account:\n${accountLines(accounts)}`,
  );
}

export const accountLines = (accounts: readonly Account[]): string =>
  accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");

/** Returns the account's workers.dev name. */
export async function readSubdomain(api: Api, account: Account): Promise<string> {
  try {
    const { subdomain } = await api.get<{ subdomain: string }>(`/accounts/${account.id}/workers/subdomain`);
    return subdomain;
  } catch (error) {
    if (!(error instanceof ApiError) || error.isRefusal) throw error;
    throw new Failure(`The account has no workers.dev name yet.
Open this page once to choose it: https://dash.cloudflare.com/${account.id}/workers/onboarding`);
  }
}
