import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { saysNoR2 } from "../installation/advice.ts";
import { type Api, ApiError } from "./api.ts";

/** Reads an account, for setup, the deployment and the doctor alike. */

export interface Account {
  readonly id: string;
  readonly name: string;
}

/** Returns the path of an account's part of the API. */
export const pathOfAccount = ({ id }: Pick<Account, "id">): string => `/accounts/${id}`;

/** A binding of a deployed Worker. */
export interface Binding {
  readonly name: string;
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly namespace_id?: string;
  readonly bucket_name?: string;
  readonly queue_name?: string;
  readonly service?: string;
  /** The Worker whose objects the binding leads to, if it is another one. */
  readonly script_name?: string;
}

/** A queue, with the Worker that takes its messages. */
export interface Queue {
  readonly queue_id: string;
  readonly queue_name: string;
  readonly consumers?: readonly {
    readonly script?: string;
    readonly script_name?: string;
    readonly dead_letter_queue?: string;
  }[];
  readonly settings?: { readonly message_retention_period?: number; readonly delivery_paused?: boolean };
}

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly name_servers?: readonly string[];
}

/** A host that leads to a Worker. */
export interface WorkerDomain {
  readonly id: string;
  readonly hostname: string;
  readonly service: string;
}

/** A pattern of a zone's addresses, whose requests go to a Worker, if it names one. */
interface Route {
  readonly id: string;
  readonly pattern: string;
  readonly script?: string;
}

export type WorkersPlan = "free" | "paid";

/** Returns the account's Workers plan; undefined if the token can't read it, for lack of "Account: Billing: Read". */
export async function readPlan(api: Api, account: Pick<Account, "id">): Promise<WorkersPlan | undefined> {
  const subscriptions = await api.ifAllowed(
    api.get<{ rate_plan?: { id?: string } }[]>(`${pathOfAccount(account)}/subscriptions`),
  );
  if (subscriptions === undefined) return undefined;
  return subscriptions.some(({ rate_plan }) => rate_plan?.id?.startsWith("workers_paid")) ? "paid" : "free";
}

/** Returns the names of the deployed Workers. */
export async function readScripts(api: Api, account: Account): Promise<ReadonlySet<string>> {
  const scripts = await api.get<{ id: string }[]>(`${pathOfAccount(account)}/workers/scripts`);
  return new Set(scripts.map(({ id }) => id));
}

/** Returns the bindings of a deployed Worker. */
export const readBindings = async (api: Api, account: Account, worker: string): Promise<Binding[]> =>
  (await api.get<{ bindings: Binding[] }>(`${pathOfAccount(account)}/workers/scripts/${worker}/settings`))
    .bindings;

export const readDatabases = (api: Api, account: Account): Promise<{ name: string; uuid: string }[]> =>
  api.list(`${pathOfAccount(account)}/d1/database`);

export const readNamespaces = (api: Api, account: Account): Promise<{ title: string; id: string }[]> =>
  api.list(`${pathOfAccount(account)}/storage/kv/namespaces`);

export const readQueues = (api: Api, account: Account): Promise<Queue[]> =>
  api.list(`${pathOfAccount(account)}/queues`);

/** Returns those buckets of a configuration that exist; undefined if R2 isn't enabled. */
export async function readBuckets(
  api: Api,
  account: Account,
  { r2_buckets = [] }: Pick<RawConfig, "r2_buckets">,
): Promise<ReadonlySet<string> | undefined> {
  const found = new Set<string>();
  try {
    for (const { bucket_name: wanted = "" } of r2_buckets) {
      const { buckets } = await api.get<{ buckets: { name: string }[] }>(
        `${pathOfAccount(account)}/r2/buckets?name_contains=${wanted}&per_page=1000`,
      );
      if (buckets.some(({ name }) => name === wanted)) found.add(wanted);
    }
  } catch (error) {
    if (error instanceof ApiError && saysNoR2(error.codes)) return undefined;
    throw error;
  }
  return found;
}

/** Returns the domains of an account. */
export const readZones = (api: Api, account: Pick<Account, "id">): Promise<Zone[]> =>
  api.list(`/zones?account.id=${account.id}`);

/** Returns the hosts that lead to Workers. */
export const readWorkerDomains = (api: Api, account: Pick<Account, "id">): Promise<WorkerDomain[]> =>
  api.list(`${pathOfAccount(account)}/workers/domains`);

/** Returns the routes of a zone. @param zone its id */
export const readRoutes = (api: Api, zone: string): Promise<Route[]> =>
  api.get(`/zones/${zone}/workers/routes`);

/** Returns the domain that a host belongs to. */
export const zoneOf = (zones: readonly Zone[], host: string): Zone | undefined =>
  zones
    .filter(({ name }) => host === name || host.endsWith(`.${name}`))
    .sort((one, other) => other.name.length - one.name.length)[0];
