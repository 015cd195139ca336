import type { Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import { type Auth, authOf, type Endpoint, parametersOf } from "../contract/endpoints/endpoint.ts";
import { type ExportFormat, exportTypes } from "../contract/resources/enums.ts";
import { limits } from "../contract/limits.ts";
import { type Caller, hasScope } from "../domain/identity/caller.ts";
import { invalid, ServiceError } from "../domain/errors.ts";
import type { ImageFile } from "../domain/images/images.ts";
import type { Idempotency } from "../domain/idempotency.ts";
import type { Deps } from "../domain/deps.ts";
import { sha256 } from "../lib/crypto/crypto.ts";
import type { ApiEnv, Callers } from "./context.ts";
import { fileHeaders, isKept } from "../lib/web/files.ts";
import { bodyLimit } from "./middleware.ts";
import { mediaTypeOf, strictJson, unsupported, validate } from "./validate.ts";

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A body that the handler reads itself. */
export interface Upload {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A streamed answer. */
export interface Download {
  readonly mediaType: string;
  /** Makes the answer an attachment of this name. */
  readonly filename?: string;
  readonly body: AsyncIterable<string | Uint8Array>;
}

/** An export of so many lines as there are, as an attachment. @param name of the file, without its ending */
export const exported = (name: string, format: ExportFormat, body: Download["body"]): Download => ({
  mediaType: exportTypes[format],
  filename: `${name}.${format}`,
  body,
});

/** What a handler gets: input that has passed the endpoint's schemas. */
export interface Call<E extends Endpoint> {
  readonly deps: Deps;
  /** Who has been let in: a key's holder, a member, or null for the operator. */
  readonly caller: Callers[E["auth"]];
  /** The path's first parameter, in lower case; empty where the path has none. */
  readonly id: string;
  /** Its second. */
  readonly subId: string;
  readonly query: Output<E["query"]>;
  readonly body: E extends { upload: object } ? Upload : Output<E["body"]>;
  readonly idempotency: Idempotency | undefined;
}

/** Routes an endpoint of the table: its scope, its validation, its status. The handler returns the resource. */
export function bind<const E extends Endpoint>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<z.input<E["response"]>>,
): void {
  route(app, endpoint, async (c, call) => c.json(await handler(call), endpoint.status));
}

/** Routes an endpoint whose answer is streamed. */
export function bindStream<const E extends Endpoint>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Download>,
): void {
  route(app, endpoint, async (c, call) => {
    const { mediaType, filename, body } = await handler(call);
    c.header("content-type", `${mediaType}; charset=utf-8`);
    if (filename !== undefined) c.header("content-disposition", `attachment; filename="${filename}"`);
    return c.body(streamOf(body), endpoint.status);
  });
}

/**
 * Routes an endpoint whose answer is an image. The caller may keep it, and ask with its tag whether it is still
 * the same: then nothing is drawn.
 */
export function bindFile<const E extends Endpoint & { readonly tagged: true }>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<ImageFile>,
): void {
  route(app, endpoint, async (c, call) => {
    const file = await handler(call);
    c.header("cache-control", "private, no-cache");
    for (const [name, value] of Object.entries(fileHeaders(file))) c.header(name, value);
    if (isKept(c.req.header("if-none-match"), file.tag)) return c.body(null, 304);
    return c.body(await file.draw(), endpoint.status, { "content-type": file.mediaType });
  });
}

function route<const E extends Endpoint>(
  app: Hono<ApiEnv>,
  endpoint: E,
  answer: (c: Context<ApiEnv>, call: Call<E>) => Promise<Response>,
): void {
  if (authOf(endpoint.path) !== endpoint.auth)
    throw new Error(`${endpoint.path} is not for a ${endpoint.auth}`);
  const parameters = parametersOf(endpoint.path);
  const takesBody = endpoint.body !== undefined || endpoint.upload !== undefined;
  app.on(
    endpoint.method.toUpperCase(),
    endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
    requireScope(endpoint),
    ...(endpoint.query === undefined ? [] : [validate("query", endpoint.query)]),
    ...(takesBody ? [bodyLimit(endpoint.maxBody ?? limits.body)] : []),
    ...(endpoint.body === undefined ? [] : [strictJson, validate("json", endpoint.body)]),
    async (c) => {
      const body =
        endpoint.upload === undefined ? validated(c, "json") : await readUpload(c, endpoint.upload);
      const [id = "", subId = ""] = parameters.map((name) => c.req.param(name)?.toLowerCase());
      return answer(c, {
        deps: c.get("deps"),
        caller: callerOf<E["auth"]>(c, endpoint.auth),
        id,
        subId,
        query: validated(c, "query"),
        body: body as Call<E>["body"],
        idempotency: endpoint.idempotent && (await readIdempotency(c, endpoint)),
      });
    },
  );
}

/** Who has been let in as what. A route that were behind another door would be a mistake of ours. */
function callerOf<A extends Auth>(c: Context<ApiEnv>, auth: A): Callers[A] {
  const admitted = c.get("admitted");
  if (admitted.auth !== auth) throw new Error(`let in with a ${admitted.auth}, not with a ${auth}`);
  return admitted.caller as Callers[A];
}

async function readUpload(c: Context<ApiEnv>, accepted: NonNullable<Endpoint["upload"]>): Promise<Upload> {
  const mediaType = mediaTypeOf(c);
  if (!Object.keys(accepted).includes(mediaType)) throw unsupported(Object.keys(accepted));
  return { mediaType, bytes: new Uint8Array(await c.req.arrayBuffer()) };
}

/** Pages as a stream of bytes, each made when the client has taken the one before. */
function streamOf(body: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await pages.return?.();
    },
  });
}

/** What `validate` has put there; its type is the endpoint's, which Hono can't know of routes made from a table. */
function validated<T>(c: Context<ApiEnv>, target: "query" | "json"): T {
  return c.req.valid(target as never) as T;
}

function requireScope(endpoint: Endpoint) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    if (endpoint.auth !== "key") return next();
    const { scope } = endpoint;
    const caller = callerOf(c, "key");
    // A publishable key is public: it may do the one thing the embed widget needs, from its own pages.
    if (caller.keyType === "publishable") await requirePublishable(c, caller);
    else if (!hasScope(caller, scope))
      throw new ServiceError("forbidden", `This key lacks the scope ${scope}`);
    await next();
  });
}

async function requirePublishable(c: Context<ApiEnv>, caller: Caller): Promise<void> {
  const creates = c.req.method === "POST" && c.req.path.endsWith("/api/v1/qr");
  if (!creates) throw new ServiceError("forbidden", "A publishable key can only create QR codes");
  if (!caller.origins.includes(c.req.header("origin") ?? "")) {
    throw new ServiceError("forbidden", "This publishable key does not work from this origin");
  }
}

async function readIdempotency(c: Context<ApiEnv>, endpoint: Endpoint): Promise<Idempotency | undefined> {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > limits.idempotency.key) {
    throw invalid("Idempotency-Key", `must be 1 to ${limits.idempotency.key} printable ASCII characters`);
  }
  const body = new Uint8Array(await c.req.arrayBuffer());
  const request = new TextEncoder().encode(`${endpoint.method} ${endpoint.path}\n`);
  const bytes = new Uint8Array(request.length + body.length);
  bytes.set(request);
  bytes.set(body, request.length);
  return { key, fingerprint: await sha256(bytes) };
}
