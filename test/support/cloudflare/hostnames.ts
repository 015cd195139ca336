import type { DnsZone } from "./dns-zone.ts";

interface Hostname {
  readonly id: string;
  readonly hostname: string;
  readonly createdAt: number;
  readonly ssl: { readonly method: string; readonly cloudflare_branding?: boolean };
  status: string;
  certificate: string;
  /** Reads since its state last advanced. */
  reads: number;
}

/** A custom hostname in an answer. */
export interface HostnameStatus {
  readonly status?: string;
  readonly ssl?: { readonly status: string };
}

const minute = 60_000;

/** The states of a certificate, in order. */
const issuance = ["initializing", "pending_validation", "pending_issuance", "pending_deployment", "active"];

const authorities = ["pki.goog", "letsencrypt.org", "ssl.com"];

/** Custom hostnames of a zone, which behave by Cloudflare's documents. Their states advance when they are read. */
export class CloudflareHostnames {
  /** How often a hostname is read until its state advances. */
  readsPerStep = 1;
  /** How many hostnames the zone may have. */
  quota = 1000;
  readonly #hostnames = new Map<string, Hostname>();
  readonly #dns: DnsZone;
  readonly #target: string;
  readonly #now: () => number;
  readonly #created: number[] = [];

  constructor(dns: DnsZone, target: string, now: () => number) {
    this.#dns = dns;
    this.#target = target;
    this.#now = now;
  }

  get hosts(): string[] {
    return [...this.#hostnames.values()].map(({ hostname }) => hostname);
  }

  /** Creates a hostname as somebody else would, such as an earlier owner. Returns its id. */
  add(hostname: string, status = "pending", certificate = "initializing", method = "http"): string {
    const id = crypto.randomUUID();
    const state = { status, certificate, reads: 0, createdAt: this.#now() };
    this.#hostnames.set(id, { id, hostname, ssl: { method }, ...state });
    return id;
  }

  /** Puts the hostname of a host into another state. */
  change(host: string, state: { status?: string; certificate?: string }): void {
    for (const hostname of this.#hostnames.values()) {
      if (hostname.hostname === host) Object.assign(hostname, state);
    }
  }

  remove(host: string): void {
    for (const { id, hostname } of this.#hostnames.values()) {
      if (hostname === host) this.#hostnames.delete(id);
    }
  }

  /** Checks active hostnames as Cloudflare does from time to time: one that leads elsewhere has moved. */
  recheck(): void {
    for (const hostname of this.#hostnames.values()) {
      if (hostname.status === "active" && !this.#leads(hostname)) hostname.status = "moved";
    }
  }

  async answer(request: Request, id: string | undefined): Promise<Response> {
    if (request.method === "POST") return this.#create(request);
    if (id === undefined) return this.#list(new URL(request.url).searchParams);
    const hostname = this.#hostnames.get(id);
    if (hostname === undefined) return refusal(404, 1436, "The custom hostname was not found.");
    if (request.method === "DELETE") {
      this.#hostnames.delete(id);
      return Response.json({ id });
    }
    if (request.method === "PATCH") {
      const { ssl } = (await request.json()) as { ssl?: { method?: string; type?: string } };
      if (ssl?.method === undefined || ssl.type !== "dv") {
        return refusal(400, 1440, "Both validation type and validation method are required.");
      }
      this.#restart(hostname);
      return done(this.#shown(hostname), 202);
    }
    this.#read(hostname);
    return done(this.#shown(hostname));
  }

  async #create(request: Request): Promise<Response> {
    const { hostname, ssl } = (await request.json()) as { hostname: string; ssl: Hostname["ssl"] };
    if (hostname.endsWith(".localhost")) return refusal(400, 1409, "Reserved top domain custom hostnames.");
    if (/(^|\.)example\.(com|net|org)$/.test(hostname)) {
      return refusal(400, 1411, "Custom hostnames ending in example.com are prohibited.");
    }
    if (hostname.length > 64 && ssl.cloudflare_branding !== true) {
      return refusal(400, 1469, "Since no host is 64 characters or fewer, Cloudflare Branding is required.");
    }
    if (this.hosts.includes(hostname)) return refusal(409, 1406, "Duplicate custom hostname found.");
    if (this.#hostnames.size >= this.quota) return refusal(403, 1405, "Quota exceeded.");
    const now = this.#now();
    // 15 certificates a minute; then none for 30 seconds.
    if (this.#created.filter((at) => now - at < minute).length >= 15) {
      return refusal(429, 10_000, "Too many requests", { "retry-after": "30" });
    }
    this.#created.push(now);
    const created = this.#hostnames.get(this.add(hostname, "pending", "initializing", ssl.method));
    return done(created === undefined ? null : this.#shown(created), 201);
  }

  #list(query: URLSearchParams): Response {
    const wanted = query.get("hostname");
    const found = [...this.#hostnames.values()].filter(({ hostname }) => [null, hostname].includes(wanted));
    const perPage = Number(query.get("per_page") ?? 20);
    return Response.json({
      success: true,
      errors: [],
      messages: [],
      result: found.slice(0, perPage).map((hostname) => this.#shown(hostname)),
      result_info: { page: 1, per_page: perPage, total_count: this.#hostnames.size },
    });
  }

  #leads({ hostname }: Hostname): boolean {
    return this.#dns.leads(hostname, this.#target);
  }

  /** Checks a hostname anew that Cloudflare had given up. For others, only the next check comes sooner. */
  #restart(hostname: Hostname): void {
    if (hostname.status !== "active") hostname.status = "pending";
    if (!issuance.includes(hostname.certificate)) hostname.certificate = "pending_validation";
  }

  /** Advances a hostname by a read of it. */
  #read(hostname: Hostname): void {
    hostname.reads += 1;
    if (hostname.reads < this.readsPerStep) return;
    hostname.reads = 0;
    if (hostname.status === "pending" && this.#leads(hostname)) hostname.status = "active";
    const step = issuance.indexOf(hostname.certificate);
    const mayAdvance =
      hostname.certificate !== "pending_validation" ||
      (this.#leads(hostname) && this.#validationError(hostname) === null);
    if (step !== -1 && mayAdvance) hostname.certificate = issuance[step + 1] ?? "active";
  }

  #validationError({ hostname, certificate }: Hostname): string | null {
    if (certificate !== "pending_validation") return null;
    const names = hostname.split(".").map((_, i, labels) => labels.slice(i).join("."));
    const caa = names.map((name) => this.#dns.values("CAA", name)).find((values) => values.length > 0) ?? [];
    if (caa.length > 0 && !caa.some((value) => authorities.some((name) => value.includes(name)))) {
      return "CAA records block issuance. Please remove all CAA records or add records for this authority.";
    }
    const challenge = `_acme-challenge.${hostname}`;
    const isTaken = (["TXT", "CNAME"] as const).some((type) => this.#dns.values(type, challenge).length > 0);
    return isTaken ? "The certificate authority found an unexpected challenge." : null;
  }

  #shown(hostname: Hostname) {
    const { id, hostname: name, status, certificate, createdAt, ssl } = hostname;
    const validation = this.#validationError(hostname);
    return {
      id,
      hostname: name,
      status,
      created_at: new Date(createdAt).toISOString(),
      ownership_verification: { type: "txt", name: `_cf-custom-hostname.${name}`, value: id },
      ...(status === "pending" && !this.#leads(hostname)
        ? { verification_errors: ["custom hostname does not CNAME to this zone."] }
        : {}),
      ssl: {
        status: certificate,
        method: ssl.method,
        type: "dv",
        ...(validation === null ? {} : { validation_errors: [{ message: validation }] }),
      },
    };
  }
}

const done = (result: object | null, status = 200) =>
  Response.json({ success: true, errors: [], messages: [], result }, { status });

/** Returns an error as Cloudflare's API answers it. */
export const refusal = (status: number, code: number, message: string, headers: HeadersInit = {}) =>
  Response.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    { status, headers },
  );
