import { type Api, ApiError, explain } from "../account/api.ts";
import {
  type Account,
  pathOfAccount,
  readRoutes,
  readWorkerDomains,
  readZones,
  type WorkerDomain,
  zoneOf,
} from "../account/reads.ts";
import { Failure } from "../failure.ts";
import { hostsOf, type Installation, isWorkersDev, type Workers } from "./installation.ts";

/** The means to move hosts between the Workers of an installation. */
interface Mover {
  readonly api: Api;
  readonly account: Account;
  readonly workers: Workers;
  /** Gets what was moved. */
  readonly say: (line: string) => void;
}

/** The route of the zone of customers' hosts that takes all their requests. */
const everyHost = "*/*";

/** Returns the hosts that lead to the Worker for scans, if there is one: all but that of dashboard and API. */
export function scanHostsOf({ vars, hosts }: Pick<Installation, "vars" | "hosts">): string[] {
  const [scans = ""] = hostsOf(vars);
  return [scans, ...hosts].filter((host) => host !== "" && !isWorkersDev(host));
}

/** Leads the service's hosts for scans, customers' included, to the Worker for scans. @throws ApiError, Failure */
export async function leadToEdge(mover: Mover, installation: Installation): Promise<void> {
  const { service, edge } = mover.workers;
  const hosts = scanHostsOf(installation);
  await move(mover, service, edge, ({ hostname }) => hosts.includes(hostname));
  await moveRoute(mover, service, edge, installation);
}

/** Leads all hosts of the Worker for scans to the service, which answers scans as well. @throws ApiError, Failure */
export async function leadToService(mover: Mover, installation: Installation): Promise<void> {
  const { service, edge } = mover.workers;
  await move(mover, edge, service, () => true);
  await moveRoute(mover, edge, service, installation);
}

/** Leads hosts to the Worker for scans. A failure stops nothing: the service answers what isn't moved. */
export async function tryLeadToEdge(mover: Mover, installation: Installation): Promise<void> {
  try {
    await leadToEdge(mover, installation);
  } catch (error) {
    if (!(error instanceof Failure || error instanceof ApiError)) throw error;
    const reason = error instanceof ApiError ? explain(error, mover.account.id) : error.message;
    const what = `Not all hosts point to ${mover.workers.edge}; the service answers the others, as before`;
    mover.say(`  ! ${what}:\n${reason.replace(/^(?=.)/gm, "    ")}`);
  }
}

/** Gives hosts of one Worker to another. What neither has stays with what has it. */
async function move(
  { api, account, say }: Mover,
  from: string,
  to: string,
  isMoved: (domain: WorkerDomain) => boolean,
): Promise<void> {
  const held = (await readWorkerDomains(api, account)).filter(
    (domain) => domain.service === from && isMoved(domain),
  );
  if (held.length === 0) return;
  const zones = await readZones(api, account);
  for (const { hostname } of held) {
    await api.put(`${pathOfAccount(account)}/workers/domains`, {
      hostname,
      service: to,
      zone_id: zoneOf(zones, hostname)?.id,
      override_scope: false,
      override_existing_origin: true,
      override_existing_dns_record: false,
    });
    say(`  ✓ ${hostname} points to ${to}`);
  }
}

/** Gives the route of customers' hosts to another Worker. */
async function moveRoute(
  { api, say }: Mover,
  from: string,
  to: string,
  { vars }: Pick<Installation, "vars">,
): Promise<void> {
  const { CUSTOM_HOSTNAMES_ZONE: zone = "" } = vars;
  if (zone === "") return;
  const routes = await readRoutes(api, zone);
  const route = routes.find(({ pattern, script }) => pattern === everyHost && script === from);
  if (route === undefined) return;
  await api.put(`/zones/${zone}/workers/routes/${route.id}`, { pattern: everyHost, script: to });
  say(`  ✓ Customers' hosts point to ${to}`);
}
