import { refuse, type Refusal } from "./cloudflare-answers.ts";

export interface DnsRecord {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** What a request may take from something else. */
export interface Overrides {
  readonly override_existing_origin?: boolean;
  readonly override_existing_dns_record?: boolean;
}

/** A host that a request wants for a Worker. */
export interface DomainRequest extends Overrides {
  readonly hostname: string;
  readonly zone_id?: string;
}

/** Returns the records that Cloudflare makes for the hosts of Workers. */
export const recordsOf = (domains: ReadonlyMap<string, string>): DnsRecord[] =>
  [...domains.keys()].map((name) => ({ name, type: "AAAA", content: "100::" }));

/** Answers as Cloudflare does for a host that something else has; undefined for one that the Worker can have. */
export function conflictOf(
  host: string,
  service: string,
  overrides: Overrides,
  { domains, dnsRecords }: { domains: ReadonlyMap<string, string>; dnsRecords: readonly DnsRecord[] },
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
