import { Failure } from "../lib/failure.ts";
import type { Api } from "./api.ts";
import type { Account } from "./probe.ts";

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

export const readZones = (api: Api, account: Account): Promise<Zone[]> =>
  api.list<Zone>(`/zones?account.id=${account.id}`);

/** Returns the domain of the account that a host belongs to. @throws Failure if there is none, or it isn't active */
export function findZone(zones: readonly Zone[], host: string, account: Account): Zone {
  const dashboard = `https://dash.cloudflare.com/${account.id}`;
  const zone = zones
    .filter(({ name }) => host === name || host.endsWith(`.${name}`))
    .sort((one, other) => other.name.length - one.name.length)[0];
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

interface WorkerDomain {
  readonly hostname: string;
  readonly service: string;
}

interface DnsRecord {
  readonly type: string;
  readonly content: string;
}

interface Route {
  readonly pattern: string;
  readonly script?: string;
}

/** The records that answer for a host. Others, such as TXT, can stay beside it. */
const addressTypes = new Set(["A", "AAAA", "CNAME", "NS"]);

/**
 * Checks that hosts are free or this service's already. Wrangler doesn't ask when nobody watches: it would take a host
 * from another Worker, or replace its DNS record.
 * @throws Failure if something else has a host
 */
export async function requireFreeHosts(
  api: Api,
  account: Account,
  zones: readonly Zone[],
  hosts: readonly string[],
  service: string,
): Promise<void> {
  const dashboard = `https://dash.cloudflare.com/${account.id}`;
  const domains = await api.list<WorkerDomain>(`/accounts/${account.id}/workers/domains`);
  for (const host of hosts) {
    const zone = findZone(zones, host, account);
    const domain = domains.find(({ hostname }) => hostname === host);
    if (domain !== undefined && domain.service !== service) {
      throw new Failure(`${host} is in use: it is a domain of the Worker ${domain.service}.
Remove it there, or choose another host: ${dashboard}/workers/services/view/${domain.service}/production/settings`);
    }
    const routes = await api.ifAllowed(api.get<Route[]>(`/zones/${zone.id}/workers/routes`));
    const route = (routes ?? []).find(
      ({ pattern, script }) => script !== undefined && script !== service && matches(pattern, host),
    );
    if (route !== undefined) {
      throw new Failure(`${host} is in use: the route ${route.pattern} sends it to the Worker ${route.script}.
Remove the route, or choose another host: ${dashboard}/${zone.name}/workers`);
    }
    // The Worker's domain has a DNS record of its own.
    if (domain !== undefined) continue;
    const records = await api.ifAllowed(api.get<DnsRecord[]>(`/zones/${zone.id}/dns_records?name=${host}`));
    const record = (records ?? []).find(({ type }) => addressTypes.has(type));
    if (record !== undefined) {
      throw new Failure(`${host} is in use: it has the DNS record ${record.type} ${record.content}.
Delete the record, or choose another host: ${dashboard}/${zone.name}/dns/records`);
    }
  }
}

/** Returns whether a route's pattern, such as *.example.com/*, takes requests for a host. */
function matches(pattern: string, host: string): boolean {
  const named = pattern.replace(/^https?:\/\//, "").split("/")[0] ?? "";
  return named.startsWith("*") ? host.endsWith(named.slice(1)) : named === host;
}
