import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DatabaseSync } from "node:sqlite";
import { buffer } from "node:stream/consumers";
import release from "../../../../package.json" with { type: "json" };
import type { Binding, Zone } from "../../../../scripts/lib/account/reads.ts";
import type { Finding } from "../../../../src/contract/resources/operations/operations.ts";
import { StandInCodes } from "../stand-in-codes.ts";
import { sumsOfToday } from "./account-analytics.ts";
import {
  isRefusal,
  notFound,
  openLedgers,
  paged,
  pagesOf,
  type Refusal,
  type Request,
  reEncrypt,
  refuse,
} from "./cloudflare-answers.ts";
import { answerD1, type Databases, etagOf } from "./cloudflare-d1.ts";
import {
  answerDomains,
  answerRegistration,
  answerRoutes,
  attach,
  type DnsRecord,
  type DomainRequest,
  type HostsOfAccount,
  type Overrides,
  type Route,
  recordsOf,
} from "./cloudflare-domains.ts";
import { answerQueues, type Queue } from "./cloudflare-queues.ts";

interface Subdomain {
  readonly enabled: boolean;
  readonly previews_enabled: boolean;
}

interface CodeUpdate {
  readonly code_update_strategy?: { readonly mode: string };
}

export const accountId = "0123456789abcdef0123456789abcdef";
export const token = "a-token-for-tests";

/**
 * Stands in for a Cloudflare account: the parts of the API that setup and wrangler use, and the hosts of the Workers
 * that are deployed to it. Databases are real ones.
 */
export class Cloudflare implements Databases, HostsOfAccount {
  readonly accounts = [{ id: accountId, name: "Harbour Coffee" }];
  readonly zones: Zone[] = [
    {
      id: "f".repeat(32),
      name: "example.com",
      status: "active",
      name_servers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
    },
  ];
  readonly databases = new Map<string, { name: string; sqlite: DatabaseSync }>();
  readonly namespaces = new Map<string, string>();
  readonly buckets = new Set<string>();
  readonly queues = new Map<string, Queue>();
  readonly scripts = new Map<string, Binding[]>();
  readonly domains = new Map<string, string>();
  readonly dnsRecords: DnsRecord[] = [];
  readonly routes: Route[] = [];
  /** The addresses at workers.dev that Workers have. */
  readonly subdomains = new Map<string, Subdomain>();
  /** How the Durable Objects of Workers take over new code, as their last deployment says. */
  readonly codeUpdates = new Map<string, string | undefined>();
  /** The limits that Workers were uploaded with. */
  readonly limits = new Map<string, { cpu_ms?: number } | undefined>();
  /** The cron triggers of Workers. */
  readonly schedules = new Map<string, { cron: string }[]>();
  /** The account's use today, by dataset and sum; KV operations also by kind. */
  readonly used = new Map<string, number>();
  databaseBytes = 400_000;
  /** The version that the deployed service says it has. */
  version = release.version;
  /** The findings of the deployed service about itself. */
  findings: Finding[] = [];
  /** Whether the deployed service counts scans. */
  countsScans = true;
  /** The Workers plan; undefined for a token that can't read it. */
  plan: "free" | "paid" | undefined = "paid";
  /** Whether uploads with CPU limits are refused, as on the Free plan. */
  refusesLimits = false;
  /** The account's workers.dev name. */
  subdomain: string | undefined = "harbour";
  /** Runs SQL in the database, if another one than the stand-in's own does. */
  execute: ((sql: string, params: readonly string[]) => Promise<unknown[]>) | undefined;
  /** Told each upload of a Worker that is accepted. */
  uploaded: (name: string, form: FormData, bindings: readonly Binding[]) => Promise<void> = async () => {};
  refusesTriggers = false;
  readonly uploads = new Map<string, string>();
  /** The database's present state, as D1 names it. */
  readonly bookmark = "0000007b-0000b26e-00001538-0c3e87bb37b3db5cc52eedb93cd3b96b";
  /** Signing secrets of webhooks that are encrypted with each secret of the service, by its name. */
  readonly encrypted = new Map<string, number>();
  /** Whether the ledger of a workspace with webhooks fails. */
  hasFailingLedger = false;
  /** The ids of the deployed versions. */
  readonly versions = new Map<string, string>();
  /** The workspaces of the domains that the deployed service knows, by host. */
  readonly registered = new Map<string, string>();
  /** Whether the deployed service can make one-time links. */
  hasPasskeys = true;
  /** All requests so far, as "POST /accounts/…/queues". */
  readonly requests: string[] = [];
  /** Called before each request; what it returns is the answer. */
  intercept: (request: string, index: number) => Refusal | undefined = () => undefined;
  /** Requests to deployed Workers that get a failed connection first, as while a certificate is made. */
  unreachable = 0;
  readonly #codes = new StandInCodes();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#respond(request, response);
    });
  }

  static async start(): Promise<Cloudflare> {
    const cloudflare = new Cloudflare();
    await new Promise<void>((resolve) => cloudflare.#server.listen(0, "127.0.0.1", resolve));
    return cloudflare;
  }

  /** Ends it. */
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The value for CLOUDFLARE_API_BASE_URL. */
  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/client/v4`;
  }

  /** Everything that can be created, to compare before and after. */
  get inventory() {
    return {
      databases: [...this.databases].map(([id, { name }]) => `${id} ${name}`),
      namespaces: [...this.namespaces].map(([title, id]) => `${id} ${title}`),
      buckets: [...this.buckets],
      queues: [...this.queues].map(([name, { id, consumer }]) => `${id} ${name} ${consumer}`),
      scripts: [...this.scripts.keys()],
      domains: [...this.domains],
    };
  }

  /** The requests that changed something. */
  get writes(): string[] {
    return this.requests.filter((request) => !request.startsWith("GET "));
  }

  /** Codes that were created and not deleted. */
  get codes(): readonly unknown[] {
    return this.#codes.all;
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", "http://stand-in");
    const path = decodeURIComponent(url.pathname.replace("/client/v4", ""));
    const request: Request = {
      method: incoming.method ?? "GET",
      path,
      query: url.searchParams,
      body: await buffer(incoming).catch(() => Buffer.alloc(0)),
      contentType: incoming.headers["content-type"] ?? "",
    };
    const line = `${request.method} ${path}`;
    this.requests.push(line);
    if (path.startsWith("/uploads/")) {
      const text = request.body.toString();
      this.uploads.set(path.slice("/uploads/".length), text);
      response.writeHead(200, { etag: `"${etagOf(text)}"` }).end();
      return;
    }
    const isKnown = incoming.headers.authorization === `Bearer ${token}`;
    const result =
      this.intercept(line, this.requests.length - 1) ??
      (isKnown ? await this.#answer(request) : refuse(401, 1000, "Invalid API Token"));
    if (path === "/graphql" && !isRefusal(result)) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: result, errors: null }));
      return;
    }
    // As the detaching of a host is answered.
    if (result === null) return void response.writeHead(204).end();
    const [status, body] = isRefusal(result)
      ? [result.status, { success: false, errors: [result], messages: [], result: null }]
      : [200, { success: true, errors: [], messages: [], result, result_info: pagesOf(result, request) }];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefusal(result) ? body : { ...body, result: paged(result, request) }));
  }

  #answer(request: Request): unknown {
    const { path } = request;
    const own = `/accounts/${accountId}`;
    if (path === "/accounts") return this.accounts;
    if (path === "/graphql")
      return sumsOfToday(JSON.parse(request.body.toString()) as { query: string }, this.used);
    if (path === "/zones") {
      const name = request.query.get("name");
      return this.zones.filter((zone) => name === null || zone.name === name);
    }
    const zone = /^\/zones\/[^/]+(\/.+)$/.exec(path)?.[1];
    if (zone?.startsWith("/workers/routes")) return answerRoutes(this.routes, request);
    if (zone === "/dns_records") {
      const records = [...this.dnsRecords, ...recordsOf(this.domains)];
      return records.filter(({ name }) => name === request.query.get("name"));
    }
    if (!path.startsWith(`${own}/`)) return notFound;
    const [area = "", ...rest] = path.slice(own.length + 1).split("/");
    if (area === "subscriptions") return this.#subscriptions();
    if (area === "d1") return answerD1(this, request, rest);
    if (area === "storage") return this.#kv(request);
    if (area === "r2") return this.#r2(request, rest);
    if (area === "queues") return answerQueues(this, request, rest);
    if (area === "workers") return this.#workers(request, rest);
    return notFound;
  }

  #subscriptions() {
    if (this.plan === undefined) return refuse(403, 10_000, "Authentication error");
    return this.plan === "paid" ? [{ rate_plan: { id: "workers_paid" } }] : [];
  }

  #kv({ method, body, path }: Request) {
    if (method === "DELETE") {
      const [title] = [...this.namespaces].find(([, id]) => path.endsWith(id)) ?? [];
      return title === undefined ? notFound : this.namespaces.delete(title) && {};
    }
    if (method === "GET") return [...this.namespaces].map(([title, id]) => ({ id, title }));
    const { title } = JSON.parse(body.toString()) as { title: string };
    if (this.namespaces.has(title)) {
      return refuse(400, 10_014, "a namespace with this account ID and title already exists");
    }
    const id = randomUUID().replaceAll("-", "");
    this.namespaces.set(title, id);
    return { id, title };
  }

  #r2({ method, body }: Request, [, name = ""]: string[]) {
    if (method === "DELETE") return this.buckets.delete(name) ? {} : notFound;
    if (method === "GET" && name !== "") {
      return this.buckets.has(name) ? { name } : refuse(404, 10_006, "The specified bucket does not exist.");
    }
    if (method === "GET") return { buckets: [...this.buckets].map((bucket) => ({ name: bucket })) };
    const created = (JSON.parse(body.toString()) as { name: string }).name;
    if (this.buckets.has(created))
      return refuse(409, 10_004, "The bucket you tried to create already exists.");
    this.buckets.add(created);
    return { name: created };
  }

  async #workers(request: Request, [area, name, action, ...rest]: string[]): Promise<unknown> {
    const { method, body } = request;
    if (area === "subdomain") {
      return this.subdomain === undefined
        ? refuse(404, 10_007, "workers.api.error.subdomain_not_found")
        : { subdomain: this.subdomain };
    }
    if (area === "domains") return answerDomains(this, request, name);
    const notDeployed = refuse(404, 10_007, "workers.api.error.script_not_found");
    if (method === "DELETE" && action === undefined && ["services", "scripts"].includes(area ?? "")) {
      for (const [host, service] of this.domains) if (service === name) this.domains.delete(host);
      return this.scripts.delete(name ?? "") ? {} : notDeployed;
    }
    if (area === "services") {
      const service = this.scripts.get(name ?? "");
      return service === undefined
        ? notDeployed
        : {
            id: name,
            default_environment: {
              environment: "production",
              script: { id: name, last_deployed_from: "wrangler" },
            },
          };
    }
    if (area === "workers") {
      return this.scripts.has(name ?? "")
        ? { subdomain: { enabled: false, previews_enabled: false } }
        : notDeployed;
    }
    if (area === "scripts" && name === undefined) return [...this.scripts.keys()].map((id) => ({ id }));
    if (area !== "scripts") return notFound;
    const script = this.scripts.get(name ?? "");
    if (action === undefined && method === "PUT") return this.#upload(request, name ?? "");
    if (action === "domains" && rest[0] === "changeset") {
      return { added: [], removed: [], updated: [], conflicting: [] };
    }
    if (action === "domains") {
      const { origins, ...overrides } = JSON.parse(body.toString()) as Overrides & {
        origins: DomainRequest[];
      };
      return attach(name ?? "", origins, overrides, this) ?? [];
    }
    if (script === undefined) return notDeployed;
    if (action === "settings") return { bindings: script };
    if (action === "subdomain") {
      if (method === "POST") this.subdomains.set(name ?? "", JSON.parse(body.toString()) as Subdomain);
      return this.subdomains.get(name ?? "") ?? { enabled: false, previews_enabled: false };
    }
    if (action === "schedules") {
      if (method === "PUT") this.schedules.set(name ?? "", JSON.parse(body.toString()) as { cron: string }[]);
      return { schedules: this.schedules.get(name ?? "") ?? [] };
    }
    if (action === "versions" && method === "POST") return this.#upload(request, name ?? "");
    if (action === "script-settings") return {};
    if (action === "deployments") {
      if (method === "POST") this.#noteCodeUpdate(name ?? "", JSON.parse(body.toString()) as CodeUpdate);
      const version_id = this.versions.get(name ?? "");
      return { deployments: [{ id: "1", source: "wrangler", versions: [{ version_id, percentage: 100 }] }] };
    }
    if (action === "secrets-bulk") return this.#changeSecrets(script, body);
    if (action === "secrets") return script.filter(({ type }) => type === "secret_text");
    return notFound;
  }

  #noteCodeUpdate(name: string, { code_update_strategy: strategy }: CodeUpdate): void {
    this.codeUpdates.set(name, strategy?.mode);
  }

  #changeSecrets(script: Binding[], body: Buffer): Binding[] {
    const { secrets } = JSON.parse(body.toString()) as { secrets: Record<string, Binding | null> };
    for (const [name, secret] of Object.entries(secrets)) {
      const index = script.findIndex((binding) => binding.name === name);
      if (index !== -1) script.splice(index, 1);
      if (secret !== null) script.push(secret);
    }
    return script.filter(({ type }) => type === "secret_text");
  }

  /** Stores a Worker, with the checks of its bindings that the platform makes. */
  async #upload({ body, contentType }: Request, name: string): Promise<unknown> {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": contentType },
    }).formData();
    const part = form.get("metadata");
    const text = typeof part === "string" ? part : await (part?.text() ?? "{}");
    const metadata = JSON.parse(text) as CodeUpdate & {
      bindings: Binding[];
      keep_bindings?: string[];
      limits?: { cpu_ms?: number };
    };
    const { bindings, keep_bindings: kept = [], limits } = metadata;
    if (limits !== undefined && this.refusesLimits) {
      return refuse(400, 100_328, "CPU limits are not supported for the Free plan.");
    }
    const before = this.scripts.get(name) ?? [];
    const stored: Binding[] = [];
    for (const binding of bindings) {
      const inherited = before.find((each) => each.name === binding.name);
      if (binding.type === "inherit" && inherited === undefined) {
        return refuse(400, 10_057, `inherit binding '${binding.name}' is invalid`);
      }
      const problem = this.#missing(binding);
      if (problem !== undefined) return problem;
      stored.push(binding.type === "inherit" && inherited !== undefined ? inherited : binding);
    }
    const given = new Set(stored.map((binding) => binding.name));
    stored.push(...before.filter((each) => kept.includes(each.type) && !given.has(each.name)));
    this.scripts.set(name, stored);
    this.versions.set(name, randomUUID());
    this.limits.set(name, limits);
    this.#noteCodeUpdate(name, metadata);
    await this.uploaded(name, form, stored);
    return {
      id: randomUUID(),
      etag: "etag",
      deployment_id: randomUUID().replaceAll("-", ""),
      startup_time_ms: 80,
      has_assets: false,
      resources: { script: { etag: "etag", handlers: ["fetch"] }, script_runtime: {}, bindings: stored },
      tag: "tag",
      tags: [],
    };
  }

  #missing(binding: Binding): Refusal | undefined {
    const { type, name, id, namespace_id, bucket_name, queue_name, service, script_name } = binding;
    if (script_name !== undefined && !this.scripts.has(script_name)) {
      return refuse(400, 10_061, `Cannot bind '${name}' to an object of script '${script_name}'.`);
    }
    if (type === "d1" && !this.databases.has(id ?? "")) {
      return refuse(400, 10_181, `D1 binding '${name}' references database '${id}' which was not found.`);
    }
    if (type === "kv_namespace" && ![...this.namespaces.values()].includes(namespace_id ?? "")) {
      return refuse(400, 10_041, `KV namespace '${namespace_id}' not found.`);
    }
    if (type === "r2_bucket" && !this.buckets.has(bucket_name ?? "")) {
      return refuse(400, 10_085, `R2 bucket '${bucket_name}' not found.`);
    }
    if (type === "queue" && !this.queues.has(queue_name ?? "")) {
      return refuse(400, 11_000, `Queue '${queue_name}' not found.`);
    }
    if (type === "service" && !this.scripts.has(service ?? "")) {
      return refuse(
        400,
        10_143,
        `Service binding '${name}' references Worker '${service}' which was not found.`,
      );
    }
    return undefined;
  }

  /** Answers requests to the Workers deployed here, in as little of the service as setup uses. */
  readonly fetch: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const url = new URL(String(input));
    const method = init?.method ?? "GET";
    const line = `${method} ${url.href}`;
    this.requests.push(line);
    if (this.intercept(line, this.requests.length - 1) !== undefined) throw new TypeError("fetch failed");
    init?.signal?.throwIfAborted();
    const onWorkersDev = url.host.endsWith(`.${this.subdomain}.workers.dev`) && url.host.split(".")[0];
    const reached = this.scripts.get(onWorkersDev || (this.domains.get(url.host) ?? ""));
    // The Worker for scans answers as the one to which it hands on what isn't a scan.
    const main = reached?.find(({ name }) => name === "MAIN")?.service;
    const script = main === undefined ? reached : this.scripts.get(main);
    if (script === undefined || this.unreachable-- > 0) throw new TypeError("fetch failed");
    this.unreachable = Math.max(0, this.unreachable);
    const textOf = (name: string) => script.find((binding) => binding.name === name)?.text ?? "";
    const authorization = new Headers(init?.headers).get("authorization") ?? "";
    const answer = (status: number, body: unknown) => Response.json(body, { status });
    const { pathname } = url;

    if (pathname === "/healthz") {
      const headers = { date: new Date().toUTCString() };
      return Response.json({ version: this.version }, { headers });
    }
    if (url.origin === textOf("SCAN_ORIGIN")) {
      const destination = this.#codes.scan(pathname.slice(1), this.countsScans);
      if (destination !== undefined) {
        return new Response(null, { status: 302, headers: { location: destination } });
      }
    }
    if (url.origin !== (textOf("APP_ORIGIN") || textOf("SCAN_ORIGIN"))) return answer(404, {});
    const isOperator = script.some(
      ({ name, text }) => name.startsWith("OPERATOR_SECRET") && authorization === `Bearer ${text}`,
    );
    if (pathname === "/api/v1/operator/webhook-secrets/re-encrypt" && isOperator) {
      return answer(200, reEncrypt(this, script, url.searchParams.get("cursor")));
    }
    if (pathname === "/api/v1/operator/ledgers/open" && isOperator) {
      return answer(200, openLedgers(this, url.searchParams.get("cursor")));
    }
    const [, host] = /^\/api\/v1\/operator\/domains\/([^/]+)$/.exec(pathname) ?? [];
    if (host !== undefined && isOperator) {
      const registration = { method, host, body: String(init?.body ?? "") };
      return answerRegistration(registration, this.registered, (id) => this.#hasWorkspace(script, id));
    }
    if (pathname === "/api/v1/operator/readiness") {
      if (!isOperator) return answer(401, {});
      const ready = this.findings.every(({ status }) => status !== "failed");
      return answer(ready ? 200 : 503, { ready, version: this.version, findings: this.findings });
    }
    if (pathname === "/api/v1/operator/sign-in-links" && this.hasPasskeys) {
      if (!isOperator) return answer(401, {});
      return answer(201, {
        url: `${url.origin}/dashboard/links/once`,
        kind: "owner",
        expiresAt: "2026-12-01T12:00:00.000Z",
      });
    }
    const database = script.find(({ type }) => type === "d1");
    if (!this.#knowsKey(database?.id ?? "", authorization)) return answer(401, { code: "unauthorized" });
    return this.#codes.answer(method, pathname, String(init?.body ?? ""), textOf("SCAN_ORIGIN"));
  };

  #hasWorkspace(script: readonly Binding[], id: string): boolean {
    const database = this.databases.get(script.find(({ type }) => type === "d1")?.id ?? "");
    return database?.sqlite.prepare("SELECT 1 FROM workspaces WHERE id = ?").get(id) !== undefined;
  }

  #knowsKey(database: string, authorization: string): boolean {
    const digest = createHash("sha256").update(authorization.replace("Bearer ", "")).digest("hex");
    const keys = this.databases
      .get(database)
      ?.sqlite.prepare("SELECT 1 FROM api_keys WHERE digest = ? AND revoked_at IS NULL")
      .all(digest);
    return (keys ?? []).length > 0;
  }
}
