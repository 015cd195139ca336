import { Download } from "./download.ts";
import { ApiError, connectionError, errorOf, QrCodesError } from "./errors.ts";
import { List } from "./list.ts";
import { pause, pauseAfter } from "./retry.ts";
import { idempotent, routes } from "./routes.ts";
import { TimeLimit } from "./time-limit.ts";
import type { Answer, CreateOptions, OperationId, Parts, UpsertOptions } from "./types.ts";

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Where requests go, and with which key. */
export interface Connection {
  /** With the API's base path, without a slash at its end. */
  readonly base: string;
  readonly key: string;
  readonly fetch: Fetch;
  readonly timeout: number;
  readonly retries: number;
}

/** Any of the options that requests take. */
type Options = CreateOptions & UpsertOptions;

/** An answer's status and headers. */
export interface ResponseDetails {
  /** 201 if it was created, 200 if it was there. */
  readonly status: number;
  /** Its version, for `ifMatch`. */
  readonly etag: string | undefined;
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined;
  /** Fields of the body that the service doesn't have, as in `color`. */
  readonly ignoredFields: readonly string[];
  /** All headers. */
  readonly headers: Headers;
}

const details = new WeakMap<object, ResponseDetails>();

/** Returns the status, version and headers with which the service answered what a method returned. */
export function responseOf(result: object): ResponseDetails {
  const found = details.get(result);
  if (found === undefined) throw new TypeError("responseOf takes what a method of the client returned.");
  return found;
}

function remember(result: object, { status, headers }: Response): void {
  details.set(result, {
    status,
    headers,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    ignoredFields: headers.get("x-ignored-fields")?.split(", ") ?? [],
  });
}

/** The parts of any request. */
interface AnyParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Sends requests, again where that is safe. */
export class Transport {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Sends a request, and returns its JSON. */
  json<Id extends OperationId, Status = 200 | 201 | 202>(
    id: Id,
    parts: Parts<Id>,
    options?: Options,
  ): Promise<Answer<Id, Status>> {
    return this.#send(id, parts as AnyParts, options, async (response, limit) => {
      const text = await response.text();
      limit.end();
      const result = parsed(text, response) as Answer<Id, Status>;
      remember(result as object, response);
      return result;
    });
  }

  /** Sends a request, and returns its file as it arrives. */
  download<Id extends OperationId>(id: Id, parts: Parts<Id>, options?: Options): Promise<Download> {
    return this.#send(id, parts as AnyParts, options, async (response, limit) => {
      const result = new Download(response, limit, this.#connection.base);
      remember(result, response);
      return result;
    });
  }

  /** Returns a list whose pages are read by an operation; without a `query`, one that answers the whole list. */
  list<Id extends OperationId, Item>(
    id: Id,
    { path, query }: AnyParts,
    itemsOf: (page: Answer<Id, 200>) => readonly Item[],
    options?: Options,
  ): List<Item, Answer<Id, 200>> {
    const read = (cursor: string | undefined, limit: number | undefined) => {
      const all = query === undefined ? {} : { limit, ...query, ...(cursor === undefined ? {} : { cursor }) };
      return this.json<Id, 200>(id, { path, query: all } as unknown as Parts<Id>, options);
    };
    return new List(read, itemsOf);
  }

  async #send<Result>(
    id: OperationId,
    parts: AnyParts,
    options: Options = {},
    read: (response: Response, limit: TimeLimit) => Promise<Result>,
  ): Promise<Result> {
    const { base, key, fetch, ...defaults } = this.#connection;
    const { signal, timeout = defaults.timeout, retries = defaults.retries } = options;
    const [method = "", path = ""] = routes[id].split(" ");
    const url = base + filled(path, parts.path ?? {}) + search(parts.query ?? {});
    const [body, type] = bodyOf(parts.body);
    const headers = new Headers({ authorization: `Bearer ${key}` });
    if (type !== undefined) headers.set("content-type", type);
    if (method === "POST") headers.set("idempotency-key", options.idempotencyKey ?? crypto.randomUUID());
    if (options.ifMatch !== undefined) headers.set("if-match", options.ifMatch);
    if (options.ifNoneMatch !== undefined) headers.set("if-none-match", options.ifNoneMatch);
    // A condition on the version would refuse the repetition of a request that was done.
    const isConditional = headers.has("if-match") || headers.has("if-none-match");
    const repeatable = method === "POST" ? id in idempotent : method === "GET" || !isConditional;

    let mayBeDone = false;
    for (let before = 0; ; before += 1) {
      const limit = new TimeLimit(timeout, signal);
      let failure: QrCodesError;
      try {
        const init: RequestInit = { method, headers, signal: limit.signal, redirect: "manual" };
        const response = await fetch(url, body === undefined ? init : { ...init, body });
        if (response.ok) return await read(response, limit);
        // An earlier attempt has deleted it.
        if (response.status === 404 && method === "DELETE" && mayBeDone) {
          return await read(Response.json({ success: true }), limit);
        }
        failure = await errorOf(response);
      } catch (cause) {
        failure = failureOf(cause, limit.signal, url);
      }
      limit.end();
      signal?.throwIfAborted();
      const { status, retryAfter } =
        failure instanceof ApiError ? failure : { status: undefined, retryAfter: undefined };
      const wait = pauseAfter({ status, retryAfter, before, repeatable }, retries, Math.random());
      if (wait === undefined) throw failure;
      mayBeDone ||= status !== 429;
      await pause(wait, signal);
    }
  }
}

function failureOf(cause: unknown, limit: AbortSignal, url: string): QrCodesError {
  for (const error of [limit.aborted ? limit.reason : undefined, cause]) {
    if (error instanceof QrCodesError) return error;
  }
  return connectionError("There is no connection to", url, cause);
}

/** @throws ApiError for what isn't JSON, such as a page of a proxy */
function parsed(text: string, { status, headers }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("The answer isn't JSON. Is baseUrl right?", { status, headers, body: undefined });
  }
}

/** @throws TypeError for a value that would make another path */
const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} can't be ${JSON.stringify(value)}.`);
    return encodeURIComponent(value);
  });

function search(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

/** Returns a body with its content type. Text and files are tables; anything else is sent as JSON. */
function bodyOf(body: unknown): [body: BodyInit | undefined, type: string | undefined] {
  if (body === undefined) return [undefined, undefined];
  if (typeof body === "string" || body instanceof Uint8Array) return [body as BodyInit, "text/csv"];
  if (body instanceof Blob) return [body, body.type || "text/csv"];
  return [body instanceof JsonText ? body.text : JSON.stringify(body), "application/json"];
}

/** JSON that is text already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
