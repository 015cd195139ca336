import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject } from "vitest";
import type * as z from "zod";
import { buildDeps, type DepsOverrides } from "../../src/composition.ts";
import type { Plan } from "../../src/contract/plans.ts";
import { Qr, type QrCreateInput } from "../../src/contract/resources/codes/qr.ts";
import type { KeyType, Scope } from "../../src/contract/resources/enums.ts";
import { DisturbanceName } from "../../src/contract/resources/images/scannability.ts";
import type { Role } from "../../src/contract/roles.ts";
import { uncounted } from "../../src/domain/counter.ts";
import type { Deps } from "../../src/domain/deps.ts";
import { sessionCookie, startSession } from "../../src/domain/identity/sessions.ts";
import type { Answer } from "../../src/edge/redirect/domains.ts";
import { createEdge } from "../../src/edge/worker.ts";
import { sha256Hex } from "../../src/lib/crypto/digest.ts";
import { randomBase62 } from "../../src/lib/crypto/random.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { ServiceEvent } from "../../src/protocol/events.ts";
import type { Measurement } from "../../src/protocol/images.ts";
import type { DueDeliveries, DuePrints } from "../../src/protocol/messages.ts";
import type { Received } from "../../src/protocol/workspace-ledger.ts";
import { notingFailures } from "../../src/store/database-errors.ts";
import { createWorker } from "../../src/worker.ts";
import { limitDeps, limitWorker } from "./limits/deps.ts";
import { watched } from "./runner/log-watch.ts";
import { lateFeed } from "./world/late-feeds.ts";

export const origin = env.SCAN_ORIGIN;
const allScopes: Scope[] = ["qr:read", "qr:write", "scans:read"];

/** A phone's user agent, whose scans count as human. */
export const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

/** A clock that only moves when advanced. */
export class FakeClock {
  #now: number;

  constructor(start = Date.now()) {
    this.#now = start;
  }

  readonly now = () => this.#now;

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export interface EmittedEvent {
  readonly id: string;
  readonly kind: ServiceEvent["kind"];
  readonly at: number;
  readonly workspaceId: string;
  readonly data: Record<string, unknown>;
}

const emitted = new Map<string, EmittedEvent>();

/**
 * Returns the events that services emitted to ledgers, in order and without repetitions. Test files share a runtime, so
 * this includes events of other files; filter them by id.
 */
export const emittedEvents = (): EmittedEvent[] => [...emitted.values()];

/** Marks failures of objects that tests replace, too. */
const noted =
  <Stub extends object>(stubOf: (name: string) => Stub): ((name: string) => Stub) =>
  (name) =>
    notingFailures(stubOf(name));

/** Returns a ledger whose emitted events are recorded. */
function recorded(ledger: Deps["ledger"]): Deps["ledger"] {
  return (workspaceId) => {
    const stub = ledger(workspaceId);
    const receive = (received: Received, now: number) => {
      for (const event of received.events) {
        const data = { ...event.data };
        if (!emitted.has(event.id)) emitted.set(event.id, { ...event, data, workspaceId });
      }
      return stub.receive(received, now);
    };
    // Unlike the object's methods, `fetch` must be called on the stub itself.
    const fetch = (request: Request) => stub.fetch(request);
    const wrapped = new Map<string | symbol, unknown>([
      ["receive", receive],
      ["fetch", fetch],
    ]);
    return new Proxy(stub, {
      get: (target, name) => wrapped.get(name) ?? Reflect.get(target, name, target),
    });
  };
}

/** Tests have no network unless they pass their own `fetch`. */
const noNetwork: typeof fetch = () => Promise.reject(new Error("this test has no network"));

/** Pauses have no length, but let the runtime serve others, because test files would otherwise wait for each other. */
const pause: Deps["pause"] = async (milliseconds) => {
  if (milliseconds > 0) await scheduler.wait(0);
};

/** Reads every design immediately, because measuring takes seconds. Tests of scannability pass the real one. */
const images: NonNullable<Deps["images"]> = {
  png: (...args) => env.IMAGES.png(...args),
  checkLogo: (...args) => env.IMAGES.checkLogo(...args),
  readSvg: (...args) => env.IMAGES.readSvg(...args),
  pdf: (...args) => env.IMAGES.pdf(...args),
  disturbed: (...args) => env.IMAGES.disturbed(...args),
  measure: async (drawings) => measurementOf(drawings.length, 1),
};

/** Returns a measurement of drawings with the same share for every disturbance. */
export function measurementOf(drawings: number, share: number): Measurement {
  const ofEach = <T>(value: T) =>
    Object.fromEntries(DisturbanceName.options.map((name) => [name, value])) as Record<DisturbanceName, T>;
  const read = "1".repeat(Math.round(3 * share)).padEnd(3, "0");
  return {
    shares: Array.from({ length: drawings }, () => share),
    read: ofEach(share),
    pixelsPerModule: 3,
    verdicts: Array.from({ length: drawings }, () => ofEach({ read, seed: 0 })),
    decoder: "a test",
  };
}

/** A cache that keeps nothing. */
const forgetful: Deps["drawings"] = {
  origin: "https://drawings.example",
  open: async () => ({ match: async () => undefined, put: async () => {} }),
};

const unlimited: RateLimit = { limit: async () => ({ success: true }) };

/** A queue that delivers nothing. Tests of deliveries and of print jobs pass their own. */
const discardingQueue = { send: async () => {}, sendBatch: async () => {} } as unknown as Queue<
  DueDeliveries & DuePrints
>;

/** As a service binding passes it on. */
type HandedOn = Request<unknown, IncomingRequestCfProperties>;

/**
 * An isolate of the service, with its own memory and scan buffer, on the bindings of this test file. Work that
 * continues after a response is awaited, so that tests see its effects. Exceeding a limit of the platform fails the
 * test.
 */
export class Service {
  readonly deps: Deps;
  readonly worker: ReturnType<typeof createWorker>;
  /** The edge Worker in front, if there is one. It has a memory, a scan buffer and a view of the feed of its own. */
  readonly #edge: Answer | undefined;

  constructor(overrides: DepsOverrides = {}, { edge = inject("edge") }: { readonly edge?: boolean } = {}) {
    const ofObjects = buildDeps(env);
    const ledger = noted(recorded(overrides.ledger ?? ofObjects.ledger));
    const meter = noted(overrides.meter ?? ofObjects.meter);
    const queues = { deliveryQueue: discardingQueue, printQueue: discardingQueue, scanPause: 0 };
    const replaced = { fetch: noNetwork, pause, counter: uncounted, ...queues };
    const ofImages = { images, drawings: forgetful, measurementLimit: unlimited };
    const settings = { feed: lateFeed, ...replaced, ...ofImages, ...overrides, ledger, meter };
    this.deps = limitDeps(buildDeps(env, settings));
    this.worker = limitWorker(createWorker(() => this.deps));
    const fetchFromMain = (request: HandedOn) => this.#fetchFromMain(request);
    if (edge)
      this.#edge = createEdge(
        { ...env, MAIN: { fetch: fetchFromMain as Fetcher["fetch"] } },
        { ...this.deps },
      );
  }

  /** Answers a request that the edge Worker hands on, and awaits the work that continues after it. */
  async #fetchFromMain(request: HandedOn): Promise<Response> {
    const ctx = createExecutionContext();
    const response = await this.worker.fetch(request, env, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  }

  /** The operator's secret. */
  get operatorSecret(): string {
    return this.deps.settings.operatorSecrets[0]?.secret ?? "";
  }

  /** Delivers messages to a queue's consumer, and awaits its background work. */
  async consume<Body>(queue: string, messages: readonly { id?: string; attempts?: number; body: Body }[]) {
    const batch = createMessageBatch(
      queue,
      messages.map((message, i) => ({ id: `${i}`, timestamp: new Date(), attempts: 1, ...message })),
    );
    const ctx = createExecutionContext();
    await this.worker.queue(batch, env, ctx);
    return getQueueResult(batch, ctx);
  }

  /**
   * Sends a request to the Worker.
   * @param path or URL; a path of the API or dashboard goes to the app's origin, any other to the scan origin
   * @param onResponse runs on the response, before any work that continues after it
   */
  async fetch(
    path: string,
    init: RequestInit<IncomingRequestCfProperties> = {},
    onResponse: () => void = () => {},
  ): Promise<Response> {
    const ctx = createExecutionContext();
    const { appOrigin, scanOrigin } = this.deps.settings;
    const base = /^\/(api|dashboard|mcp|operator)\b/.test(path) ? appOrigin : scanOrigin;
    const request = new Request<unknown, IncomingRequestCfProperties>(new URL(path, base), {
      redirect: "manual",
      ...init,
    });
    const response = await (this.#edge?.(request, ctx) ?? this.worker.fetch(request, env, ctx));
    onResponse();
    await waitOnExecutionContext(ctx);
    return response;
  }

  /** Scans a code with a phone. */
  scan(hash: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(`/${hash}`, { headers: { "user-agent": phone, ...headers } });
  }

  /** Creates a workspace with one secret key. Returns a client that uses it. */
  async workspace(plan: Plan = "business", requestsPerMinute: number | null = 100_000): Promise<Client> {
    const workspace = this.#newWorkspace(plan, requestsPerMinute);
    return this.#clientOf(workspace.id, [workspace.insertion], allScopes, "secret", []);
  }

  /** Returns a client of the workspace with a new key. */
  client(workspaceId: string, scopes = allScopes, type: KeyType = "secret", origins: string[] = []) {
    return this.#clientOf(workspaceId, [], scopes, type, origins);
  }

  /**
   * Stores a key as a row of its own, so that the history of a test's workspace begins with what the test does.
   * @param first statements to run before
   */
  async #clientOf(
    workspaceId: string,
    first: readonly D1PreparedStatement[],
    scopes: readonly Scope[],
    type: KeyType,
    origins: readonly string[],
  ): Promise<Client> {
    const now = this.deps.now();
    const id = newId(now);
    const prefix = type === "secret" ? "sk_live_" : "pk_live_";
    const key = watched(prefix + randomBase62(32), "API key");
    const insertion = env.DB.prepare(
      `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
       VALUES (?, ?, 'test', ?, ?, ?, ?, ?, ?, ?)`,
    ).bind(
      ...[id, workspaceId, type, JSON.stringify(scopes), JSON.stringify(origins)],
      ...[await sha256Hex(key), prefix, key.slice(-4), now],
    );
    await env.DB.batch([...first, insertion]);
    return new Client(this, workspaceId, id, key);
  }

  /** Creates a workspace with one signed-in member. */
  async session(plan: Plan = "business", requestsPerMinute: number | null = 100_000): Promise<SessionClient> {
    const workspace = this.#newWorkspace(plan, requestsPerMinute);
    return this.#memberOf(workspace.id, [workspace.insertion], "owner");
  }

  /** Creates a signed-in member of the workspace. */
  sessionIn(workspaceId: string, role: Role = "owner"): Promise<SessionClient> {
    return this.#memberOf(workspaceId, [], role);
  }

  async #memberOf(
    workspaceId: string,
    first: readonly D1PreparedStatement[],
    role: Role,
  ): Promise<SessionClient> {
    const now = this.deps.now();
    const userId = newId(now);
    await env.DB.batch([
      ...first,
      env.DB.prepare("INSERT INTO users (id, issuer, subject, created_at) VALUES (?, ?, ?, ?)").bind(
        userId,
        env.OIDC_ISSUER,
        `subject of ${userId}`,
        now,
      ),
      env.DB.prepare(
        "INSERT INTO members (user_id, workspace_id, created_at, role) VALUES (?, ?, ?, ?)",
      ).bind(userId, workspaceId, now, role),
    ]);
    return this.sessionOf(userId, workspaceId);
  }

  /** Signs a user in. */
  async sessionOf(userId: string, workspaceId: string): Promise<SessionClient> {
    const session = watched(await startSession(this.deps, userId, null, this.deps.now()), "session");
    const cookie = `${sessionCookie(this.deps)}=${session}`;
    return new SessionClient(this, workspaceId, userId, cookie);
  }

  /** Returns a client of the operator. */
  get operator(): OperatorClient {
    return new OperatorClient(this, "");
  }

  #newWorkspace(plan: Plan, requestsPerMinute: number | null) {
    const id = newId(this.deps.now());
    const insertion = env.DB.prepare(
      "INSERT INTO workspaces (id, name, plan, requests_per_minute, created_at, has_webhooks) VALUES (?, ?, ?, ?, ?, 1)",
    ).bind(id, "Test", plan, requestsPerMinute, this.deps.now());
    return { id, insertion };
  }
}

/** A client of the API. */
export abstract class ApiClient {
  readonly service: Service;
  readonly workspaceId: string;

  constructor(service: Service, workspaceId: string) {
    this.service = service;
    this.workspaceId = workspaceId;
  }

  /** Returns the headers that authenticate the client. */
  protected abstract credentials(): Record<string, string>;

  /** @param body sent as JSON, unless it is text or bytes */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const raw = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
    return this.service.fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...this.credentials(),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
    });
  }

  /** Sends a request, expects a status, and parses the response with its schema. */
  async expect<S extends z.ZodType>(
    status: number,
    schema: S,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<z.output<S>> {
    const response = await this.send(method, path, body, headers);
    const json: unknown = await response.json();
    expect({ status: response.status, json }).toEqual({ status, json: expect.anything() });
    return schema.parse(json);
  }
}

/** A REST client that holds a key. */
export class Client extends ApiClient {
  readonly keyId: string;
  readonly key: string;

  constructor(service: Service, workspaceId: string, keyId: string, key: string) {
    super(service, workspaceId);
    this.keyId = keyId;
    this.key = key;
  }

  protected credentials() {
    return { authorization: `Bearer ${this.key}` };
  }

  createQr(input: Partial<QrCreateInput> = {}): Promise<Qr> {
    const body = { qrType: "url", data: { type: "url", url: "https://example.com/" }, ...input };
    return this.expect(201, Qr, "POST", "/qr", body);
  }
}

/** A user's browser, which sends their session cookie and the service's origin. */
export class SessionClient extends ApiClient {
  readonly userId: string;
  readonly cookie: string;

  constructor(service: Service, workspaceId: string, userId: string, cookie: string) {
    super(service, workspaceId);
    this.userId = userId;
    this.cookie = cookie;
  }

  protected credentials() {
    return { cookie: this.cookie, origin: this.service.deps.settings.appOrigin };
  }

  /** Signs the same user in once more. */
  async again(): Promise<SessionClient> {
    return this.service.sessionOf(this.userId, this.workspaceId);
  }
}

/** The operator, authenticated by their secret. */
export class OperatorClient extends ApiClient {
  protected credentials() {
    return { authorization: `Bearer ${this.service.operatorSecret}` };
  }
}
