import { type Api, ApiError, explain } from "../account/api.ts";
import {
  type Account,
  pathOfAccount,
  readRoutes,
  readWorkerDomains,
  readZones,
  type WorkerDomain,
  type Zone,
  zoneOf,
} from "../account/reads.ts";
import { Failure } from "../failure.ts";
import type { Installation, Workers } from "./installation.ts";

/** Returns the domain of the account that a host belongs to. @throws Failure if there is none, or it isn't active */
export function findZone(zones: readonly Zone[], host: string, account: Account): Zone {
  const dashboard = `https://dash.cloudflare.com/${account.id}`;
  const zone = zoneOf(zones, host);
  if (zone === undefined) {
    const known = zones.map(({ name }) => name).join(", ") || "none";
    throw new Failure(`${host} isn't in a domain of this account (${known}).
Add its domain: ${dashboard}/add-site`);
  }
  if (zone.status !== "active") {
    throw new Failure(`The domain ${zone.name} is ${zone.status}: its name servers don't point to Cloudflare yet.
See which to set at your registrar: ${dashboard}/${zone.name}`);
  }
  return zone;
}

interface DnsRecord {
  readonly type: string;
  readonly content: string;
}

/** The records that answer for a host. Others, such as TXT, can stay beside it. */
const addressTypes = new Set(["A", "AAAA", "CNAME", "NS"]);

/** Cloudflare's numbers for a host that has a DNS record, or belongs to another Worker. */
const inUse = { record: 100_117, domain: 100_116 };

/** Cloudflare's number for a Worker's host that doesn't exist. */
const noDomain = 100_114;

/** The hosts of an installation, as its account has them. */
export interface Hosts {
  /** Those that don't lead to the service yet. */
  readonly missing: readonly { readonly host: string; readonly zone: Zone }[];
  /** Lists that the token may not read, so that only attaching shows whether a host is free. */
  readonly unread: readonly string[];
}

/** Returns whether a Worker is one of an installation to which its hosts can lead. */
export const isOurs = (worker: string | undefined, { service, edge }: Workers): boolean =>
  worker === service || worker === edge;

const dashboardOf = ({ id }: Account) => `https://dash.cloudflare.com/${id}`;

/** Returns the records that answer for a host; undefined if the token can't read them. */
async function readRecords(api: Api, zone: Zone, host: string): Promise<DnsRecord[] | undefined> {
  const path = `/zones/${zone.id}/dns_records?name=${host}`;
  const records = await api.ifAllowed(api.list<DnsRecord>(path));
  return records?.filter(({ type }) => addressTypes.has(type));
}

/**
 * Checks, as far as the token can read it, that hosts are free or this service's already, be it by its Worker for scans.
 * @throws Failure if something else has a host
 */
export async function checkHosts(
  api: Api,
  account: Account,
  zones: readonly Zone[],
  hosts: readonly string[],
  workers: Workers,
): Promise<Hosts> {
  const domains = await readWorkerDomains(api, account);
  const missing: Hosts["missing"][number][] = [];
  const unread = new Set<string>();
  for (const host of hosts) {
    const zone = findZone(zones, host, account);
    const owner = domains.find(({ hostname }) => hostname === host)?.service;
    if (owner !== undefined && !isOurs(owner, workers)) throw ofWorker(account, host, owner);
    const routes = await api.ifAllowed(readRoutes(api, zone.id));
    if (routes === undefined) unread.add(`routes of ${zone.name}`);
    const route = (routes ?? []).find(
      ({ pattern, script }) => script !== undefined && !isOurs(script, workers) && matches(pattern, host),
    );
    if (route !== undefined) {
      throw new Failure(`${host} is in use: the route ${route.pattern} sends it to the Worker ${route.script}.
Remove the route, or choose another host: ${dashboardOf(account)}/${zone.name}/workers`);
    }
    // The Worker's domain has a DNS record of its own.
    if (owner !== undefined) continue;
    const records = await readRecords(api, zone, host);
    if (records === undefined) unread.add(`DNS records of ${zone.name}`);
    if (records?.[0] !== undefined) throw ofRecord(account, host, zone, records[0]);
    missing.push({ host, zone });
  }
  return { missing, unread: [...unread] };
}

const ofWorker = (account: Account, host: string, worker: string) =>
  new Failure(`${host} is in use: it is a domain of the Worker ${worker}.
Remove it there, or choose another host: ${dashboardOf(account)}/workers/services/view/${worker}/production/settings`);

const ofRecord = (account: Account, host: string, zone: Zone, record: DnsRecord | undefined) =>
  new Failure(
    `${host} is in use: it has ${record === undefined ? "a DNS record that your sign-in can't read" : `the DNS record ${record.type} ${record.content}`}.
Delete the record, or choose another host: ${dashboardOf(account)}/${zone.name}/dns/records`,
  );

/**
 * Attaches hosts to the deployed service. Cloudflare refuses a host that something else has, which is never overridden.
 * @param howToContinue says what to do once a refused host is free
 * @throws Failure that names the host, what has it, and how to continue
 */
export async function attachHosts(
  api: Api,
  account: Account,
  { missing }: Hosts,
  service: string,
  howToContinue: string = bySetup,
): Promise<void> {
  for (const { host, zone } of missing) {
    try {
      await api.put(`${pathOfAccount(account)}/workers/domains`, {
        hostname: host,
        service,
        zone_id: zone.id,
        override_scope: false,
        override_existing_origin: false,
        override_existing_dns_record: false,
      });
    } catch (error) {
      const problem =
        error instanceof ApiError ? await ofRefusal(error, api, account, host, zone) : undefined;
      throw problem === undefined ? error : new Failure(`${problem.message}\n\n${howToContinue}`);
    }
  }
}

const bySetup = `The host stays with what has it, and no code with it was scanned yet. Once it is free, continue: npm run setup
With another host: npm run setup -- --app-domain HOST, or --scan-domain HOST --move-scans`;

/** Says what uses a host that Cloudflare refused; undefined if the refusal is about something else. */
async function ofRefusal({ codes }: ApiError, api: Api, account: Account, host: string, zone: Zone) {
  if (codes.includes(inUse.domain)) {
    const domain = (await readWorkerDomains(api, account)).find(({ hostname }) => hostname === host);
    return domain && ofWorker(account, host, domain.service);
  }
  if (!codes.includes(inUse.record)) return undefined;
  const records = await readRecords(api, zone, host);
  return ofRecord(account, host, zone, records?.[0]);
}

/** Returns those hosts that lead to neither Worker of the deployed service. */
export const missingHosts = (
  hosts: readonly string[],
  domains: readonly WorkerDomain[],
  workers: Workers,
): string[] =>
  hosts.filter(
    (host) => !domains.some(({ hostname, service }) => hostname === host && isOurs(service, workers)),
  );

/** The means to attach hosts to the deployed service. */
interface Attachment {
  readonly api: Api;
  readonly account: Account;
  readonly workers: Workers;
}

/** Attaches those hosts of an installation that don't lead to its deployed service. @returns them @throws Failure */
export async function attachMissingHosts(
  { api, account, workers }: Attachment,
  hosts: readonly string[],
  howToContinue?: string,
): Promise<string[]> {
  const missing = missingHosts(hosts, await readWorkerDomains(api, account), workers);
  if (missing.length === 0) return [];
  const zones = await readZones(api, account);
  const checked = await checkHosts(api, account, zones, missing, workers);
  await attachHosts(api, account, checked, workers.service, howToContinue);
  return missing;
}

/**
 * Attaches the further hosts of an installation that don't lead to its deployed service. A failure stops neither the
 * others nor a deployment.
 * @param say gets what was attached, and what couldn't be and why
 */
export async function attachFurtherHosts(
  attachment: Attachment,
  { hosts, prefix }: Pick<Installation, "hosts" | "prefix">,
  say: (line: string) => void,
): Promise<void> {
  const { api, account, workers } = attachment;
  if (hosts.length === 0) return;
  for (const host of missingHosts(hosts, await readWorkerDomains(api, account), workers)) {
    try {
      await attachMissingHosts(
        attachment,
        [host],
        howToAttachLater(`npm run domains -- add ${host} --prefix ${prefix}`),
      );
      say(`  ✓ ${host} attached`);
    } catch (error) {
      if (!(error instanceof Failure || error instanceof ApiError)) throw error;
      const reason = error instanceof ApiError ? explain(error, account.id) : error.message;
      say(`  ! ${host} doesn't point to the service:\n${reason.replace(/^(?=.)/gm, "    ")}`);
    }
  }
}

/** Returns what to do once a further host is free. @param command attaches it */
export const howToAttachLater = (command: string): string =>
  `The host stays with what has it. Once it is free, continue: ${command}`;

/** Detaches a host from its Worker. Safe to repeat. */
export async function detachHost(api: Api, account: Account, { id }: WorkerDomain): Promise<void> {
  try {
    await api.delete(`${pathOfAccount(account)}/workers/domains/${id}`);
  } catch (error) {
    if (!(error instanceof ApiError && error.codes.includes(noDomain))) throw error;
  }
}

/** Returns whether a route's pattern, such as *.example.com/*, takes requests for a host. */
function matches(pattern: string, host: string): boolean {
  const named = pattern.replace(/^https?:\/\//, "").split("/")[0] ?? "";
  return named.startsWith("*") ? host.endsWith(named.slice(1)) : named === host;
}
