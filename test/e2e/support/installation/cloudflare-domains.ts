import { notFound, type Refusal, type Request, refuse } from "./cloudflare-answers.ts";

export interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** A request's leave to take a host from something else. */
export interface Overrides {
  readonly override_existing_origin?: boolean;
  readonly override_existing_dns_record?: boolean;
}

/** A host that a request wants for a Worker. */
export interface DomainRequest extends Overrides {
  readonly hostname: string;
  readonly zone_id?: string;
}

/** The parts of an account that its Workers' hosts depend on. */
export interface HostsOfAccount {
  readonly zones: readonly { readonly id: string }[];
  readonly scripts: ReadonlyMap<string, unknown>;
  /** The Workers that hosts lead to. */
  readonly domains: Map<string, string>;
  readonly dnsRecords: DnsRecord[];
}

/** Returns the records that Cloudflare makes for the hosts of Workers. */
export const recordsOf = (domains: ReadonlyMap<string, string>): DnsRecord[] =>
  [...domains.keys()].map((name) => ({ name, type: "AAAA", content: "100::" }));

/** Answers as Cloudflare does for a host that something else has; undefined for one that the Worker can have. */
function conflictOf(
  host: string,
  service: string,
  overrides: Overrides,
  { domains, dnsRecords }: Pick<HostsOfAccount, "domains" | "dnsRecords">,
): Refusal | undefined {
  const owner = domains.get(host);
  if (owner !== undefined && owner !== service && overrides.override_existing_origin !== true) {
    const text = `Hostname '${host}' already in use by other custom domain. Either delete it, try a different hostname, or use the option 'override_existing_origin' to override.`;
    return refuse(409, 100_116, text);
  }
  const conflicting = dnsRecords.some(({ name, type }) => name === host && type !== "TXT");
  if (conflicting && overrides.override_existing_dns_record !== true) {
    const text = `Hostname '${host}' already has externally managed DNS records (A, CNAME, etc). Either delete them, try a different hostname, or use the option 'override_existing_dns_record' to override.`;
    return refuse(409, 100_117, text);
  }
  return undefined;
}

/** Gives a Worker hosts, or refuses them, as Cloudflare does. */
export function attach(
  service: string,
  wanted: readonly DomainRequest[],
  overrides: Overrides,
  account: HostsOfAccount,
): Refusal | undefined {
  const { domains, dnsRecords } = account;
  for (const { hostname } of wanted) {
    const problem = conflictOf(hostname, service, overrides, account);
    if (problem !== undefined) return problem;
  }
  for (const { hostname } of wanted) {
    const replaced = dnsRecords.findIndex(({ name }) => name === hostname);
    if (replaced !== -1) dnsRecords.splice(replaced, 1);
    domains.set(hostname, service);
  }
  return undefined;
}

const idOf = (host: string): string => Buffer.from(host).toString("hex").padEnd(40, "0").slice(0, 40);

/** Answers requests about the hosts of Workers. @param id of the host that the path names */
export function answerDomains(
  account: HostsOfAccount,
  { method, body }: Request,
  id: string | undefined,
): unknown {
  const { domains, scripts, zones } = account;
  const all = [...domains].map(([hostname, service]) => ({ id: idOf(hostname), hostname, service }));
  if (method === "GET") return all;
  if (method === "DELETE") {
    const found = all.find((each) => each.id === id);
    if (found === undefined) return refuse(404, 100_114, "workers.api.error.domain_not_found");
    domains.delete(found.hostname);
    return null;
  }
  const { service, ...domain } = JSON.parse(body.toString()) as DomainRequest & { service: string };
  if (!zones.some((zone) => zone.id === domain.zone_id) || !scripts.has(service)) return notFound;
  return attach(service, [domain], domain, account) ?? { id: idOf(domain.hostname), ...domain, service };
}

/** A route of a zone, and the Worker that has it. */
export interface Route {
  /** The only zone that has it; all by default. */
  readonly zone?: string;
  readonly pattern: string;
  script?: string | undefined;
}

/** Answers requests about the routes of a zone. The id of each is its place among those of all zones. */
export function answerRoutes(routes: readonly Route[], { method, path, body }: Request) {
  const [, , zone, , , id] = path.split("/");
  if (method === "GET") {
    const all = routes.map(({ zone: only, ...route }, index) => ({ only, id: String(index), ...route }));
    return all.filter(({ only = zone }) => only === zone);
  }
  const route = routes[Number(id)];
  const wanted = JSON.parse(body.toString()) as Route;
  if (route === undefined || wanted.pattern !== route.pattern) return notFound;
  route.script = wanted.script;
  return { id, ...route };
}

interface Registration {
  readonly method: string;
  readonly host: string;
  readonly body: string;
}

/**
 * Answers as the service that registers domains of workspaces.
 * @param registered the workspaces of domains, by host
 */
export function answerRegistration(
  { method, host, body }: Registration,
  registered: Map<string, string>,
  isWorkspace: (id: string) => boolean,
): Response {
  const answer = (status: number, content: object) => Response.json(content, { status });
  const owner = registered.get(host);
  if (method === "DELETE") {
    if (owner === undefined) return answer(404, { error: "Domain not found.", code: "not_found" });
    registered.delete(host);
    return new Response(null, { status: 204 });
  }
  const { workspaceId } = JSON.parse(body) as { workspaceId: string };
  if (!isWorkspace(workspaceId)) return answer(404, { error: "Workspace not found.", code: "not_found" });
  if (owner !== undefined && owner !== workspaceId) {
    return answer(409, { error: "Another workspace has this domain.", code: "invalid_input" });
  }
  registered.set(host, workspaceId);
  return answer(200, { host, workspaceId, status: "active", problem: null });
}
