import type { Context, Hono, MiddlewareHandler } from "hono";
import type { H } from "hono/types";
import type * as z from "zod";
import {
  authOf,
  choosesShortName,
  type Endpoint,
  type KeyEndpoint,
  type PathParameter,
  parametersOf,
  type SessionEndpoint,
} from "../contract/endpoints/endpoint.ts";
import type { Scope } from "../contract/resources/enums.ts";
import type { Deps } from "../domain/deps.ts";
import { invalid, requireVersion, ServiceError, type Versions } from "../domain/errors.ts";
import { findFirstResponse, type Idempotency } from "../domain/idempotency.ts";
import { type DrawnFile, fileHeaders, isCurrent } from "../lib/web/file-response.ts";
import { ofLength } from "../lib/web/of-length.ts";
import { streamOf } from "../lib/web/stream-of.ts";
import { isStillAuthenticated } from "./authentication.ts";
import { callerOf, requireAllowed } from "./authorization.ts";
import type { ApiEnv, Callers } from "./context.ts";
import { IdempotentRequest } from "./idempotency.ts";
import { lastEventId, type Resumption } from "./resumption.ts";
import { type Download, openUpload, type Upload } from "./streams.ts";
import { strictJson, validateJson, validateQuery } from "./validate.ts";
import { existenceOf, tagOf, versionsOf } from "./versions.ts";

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The kinds of authentication that an endpoint accepts. */
type AcceptedAuth<E extends Endpoint> =
  | E["auth"]
  | (E extends { readonly auth: "session"; readonly scope: Scope } ? "key" : never);

/** A handler's input, validated by the endpoint's schemas. */
export interface Call<E extends Endpoint> {
  readonly deps: Deps;
  /** The authenticated caller. */
  readonly caller: Callers[AcceptedAuth<E>];
  /** The path's parameters, in lower case. */
  readonly params: { readonly [Name in PathParameter<E["path"]>]: string };
  readonly query: Output<E["query"]>;
  readonly body: E extends { upload: object } ? Upload : Output<E["body"]>;
  /** Named by `If-Match`. */
  readonly versions: Versions;
  /** Whether the resource must exist, or must not, for a request that creates or changes it. */
  readonly exists: boolean | undefined;
  /** Undefined for an upload, which provides it itself. */
  readonly idempotency: Idempotency | undefined;
}

/** Routes an endpoint of the table, with its scope, validation and status. The handler returns the resource. */
export function bind<const E extends Endpoint>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<z.input<E["response"]>>,
): void {
  route(app, endpoint, async (c, call) => c.json(await handler(call), endpoint.status));
}

/** Routes an endpoint whose result may be a failure, answered with 503. */
export function bindCheck<const E extends Endpoint & { readonly failure: z.ZodType }>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<{ succeeded: boolean; result: z.input<E["response"]> }>,
): void {
  route(app, endpoint, async (c, call) => {
    const { succeeded, result } = await handler(call);
    return c.json(result, succeeded ? endpoint.status : 503);
  });
}

/** Routes an endpoint that supports dry runs, answered with 200 and a preview. */
export function bindPreviewed<const E extends Endpoint & { readonly preview: z.ZodType }>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (
    call: Call<E>,
  ) => Promise<
    { result: z.input<E["response"]> } | { preview: Omit<z.input<E["preview"]>, "ignoredFields"> }
  >,
): void {
  route(app, endpoint, async (c, call) => {
    const answer = await handler(call);
    if ("result" in answer) return c.json(answer.result, endpoint.status);
    return c.json({ ...answer.preview, ignoredFields: [...(c.get("ignoredFields") ?? [])] }, 200);
  });
}

/** A response with the version of its resource; without one if it isn't the resource. */
interface Versioned<Response> {
  readonly response: Response;
  readonly version?: number;
  /** Set if a request that may change the resource has created it. */
  readonly isCreated?: boolean;
}

/**
 * Routes an endpoint of a versioned resource. A repeated creation gets its first response whatever `If-Match` says.
 * @param read reads the newest state for a request whose precondition isn't met; a creation has none
 */
export function bindVersioned<const E extends (KeyEndpoint | SessionEndpoint) & { readonly versioned: true }>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Versioned<z.input<E["response"]>>>,
  read?: (call: Call<E>) => Promise<Versioned<object> | undefined>,
): void {
  const answer = async (c: Context<ApiEnv>, call: Call<E>) => {
    if (read === undefined && c.req.header("if-match") !== undefined) {
      await requireReplay(call.deps, call.caller.workspaceId, call.idempotency);
    }
    const { response, version, isCreated } = await handler(call);
    if (endpoint.method === "get" && version !== undefined) requireVersion({ version }, call.versions);
    if (version !== undefined) c.header("etag", tagOf(version));
    return c.json(response, isCreated === true ? 201 : endpoint.status);
  };
  route(app, endpoint, async (c, call) => {
    try {
      return await answer(c, call);
    } catch (error) {
      if (read === undefined || !(error instanceof ServiceError) || error.status !== 412) throw error;
      const newest = await read(call);
      if (newest === undefined) throw error;
      const { response: current, version } = newest;
      if (version !== undefined) c.header("etag", tagOf(version));
      return c.json({ error: error.message, code: error.code, current }, 412);
    }
  });
}

/** The version of every new resource. */
const firstVersion = 1;

/** Returns the response of a creation, which may be an earlier one. */
export const created = <Response>(response: Response) => ({ response, version: firstVersion });

/** @throws invalid_input (412) unless the creation repeats an earlier one */
async function requireReplay(deps: Deps, workspaceId: string, idempotency: Idempotency | undefined) {
  if ((await findFirstResponse(deps, workspaceId, idempotency)) !== undefined) return;
  throw new ServiceError("invalid_input", "If-Match is for existing resources. Create one without it.", {
    status: 412,
  });
}

const isBinary = (mediaType: string): boolean =>
  mediaType === "application/pdf" || mediaType === "application/zip";

/** Routes an endpoint with a streamed response. */
export function bindStream<const E extends Endpoint>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Download>,
): void {
  route(app, endpoint, async (c, call) => {
    const { mediaType, filename, body, bytes, headers = {} } = await handler(call);
    c.header("content-type", isBinary(mediaType) ? mediaType : `${mediaType}; charset=utf-8`);
    if (filename !== undefined) c.header("content-disposition", `attachment; filename="${filename}"`);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const stream = streamOf(body, call.deps);
    if (c.req.method !== "HEAD") return c.body(ofLength(stream, bytes), endpoint.status);
    // It has no body to read. A download that has begun can be ended.
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    return c.body(null, endpoint.status);
  });
}

/**
 * Routes an endpoint that responds with a stream of server-sent events.
 * @param handler gets the id of the last event that the client has, and a way to recheck the client's credentials
 */
export function bindEvents<const E extends Endpoint & { readonly resumable: true }>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>, resumption: Resumption) => Promise<AsyncIterableIterator<string>>,
): void {
  route(app, endpoint, async (c, call) => {
    const events = await handler(call, {
      lastEventId: lastEventId(c),
      isAllowed: () => isStillAuthenticated(c),
    });
    // A HEAD request has no body to read.
    if (c.req.method === "HEAD") await events.return?.();
    c.header("content-type", "text/event-stream; charset=utf-8");
    // Prevents proxies from buffering events.
    c.header("x-accel-buffering", "no");
    return c.body(streamOf(events), endpoint.status);
  });
}

/**
 * Routes an endpoint that responds with an image. The client may cache it; while its ETag is current, nothing is drawn.
 */
export function bindFile<const E extends Endpoint & { readonly tagged: true }>(
  app: Hono<ApiEnv>,
  endpoint: E,
  handler: (call: Call<E>) => Promise<DrawnFile>,
): void {
  route(app, endpoint, async (c, call) => {
    const file = await handler(call);
    const isUnchanged = isCurrent(c.req.header("if-none-match"), file.tag);
    // Drawn before the headers are set, so that an error doesn't get the image's headers.
    const body = isUnchanged ? null : await file.draw();
    c.header("cache-control", "private, no-cache");
    for (const [name, value] of Object.entries(fileHeaders(file))) c.header(name, value);
    if (body === null) return c.body(null, 304);
    return c.body(body, endpoint.status, { "content-type": file.mediaType });
  });
}

/** Converts a path of the endpoint table to Hono's syntax. */
export const routePath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Validated input. It has the endpoint's type, which Hono can't infer for routes generated from a table. */
interface Validated {
  out: { query: unknown; json: unknown };
}

function route<const E extends Endpoint>(
  app: Hono<ApiEnv>,
  endpoint: E,
  respond: (c: Context<ApiEnv>, call: Call<E>) => Promise<Response>,
): void {
  if (authOf(endpoint.path) !== endpoint.auth) {
    throw new Error(`${endpoint.path} must not have ${endpoint.auth} authentication`);
  }
  const handlers: H<ApiEnv, string, Validated>[] = [
    requireAllowed(endpoint),
    validateQuery(endpoint.query),
    ...(endpoint.body === undefined ? [] : [strictJson, validateBody(endpoint, endpoint.body)]),
    async (c) => respond(c, await readCall(c, endpoint)),
  ];
  app.on([endpoint.method.toUpperCase()], [routePath(endpoint.path)], ...handlers);
}

/** Validates a JSON body with the schema for the caller's type of key. */
function validateBody(endpoint: Endpoint, schema: z.ZodType): MiddlewareHandler<ApiEnv> {
  const validate = (of: z.ZodType) =>
    validateJson(of, endpoint.response, {
      nullsAbsent: endpoint.status === 201,
      warns: choosesShortName(endpoint),
    });
  const general = validate(schema);
  if (endpoint.auth !== "key" || endpoint.publishable === undefined) return general;
  const publishable = validate(endpoint.publishable);
  return (c, next) => (callerOf(c, "key").keyType === "publishable" ? publishable : general)(c, next);
}

const acceptedAuth = <E extends Endpoint>(endpoint: E): AcceptedAuth<E>[] =>
  endpoint.auth === "session" && endpoint.scope !== undefined ? ["session", "key"] : [endpoint.auth];

/** @throws invalid_input for a parameter that its schema rejects */
function readParameter({ parameters }: Endpoint, name: string, text: string): string {
  const schema = parameters?.[name];
  if (schema === undefined) return text.toLowerCase();
  const { data, error } = schema.safeParse(text);
  if (error !== undefined) throw invalid(name, error.issues[0]?.message ?? "isn't valid");
  return String(data);
}

async function readCall<E extends Endpoint>(
  c: Context<ApiEnv, string, Validated>,
  endpoint: E,
): Promise<Call<E>> {
  const names = parametersOf<E["path"]>(endpoint.path);
  const params = names.map((name) => [name, readParameter(endpoint, name, c.req.param(name) ?? "")]);
  const request = await IdempotentRequest.of(c, endpoint);
  const upload = endpoint.upload && openUpload(c, Object.keys(endpoint.upload), request);
  if (upload === undefined) await request?.write(await c.req.arrayBuffer());
  return {
    deps: c.get("deps"),
    caller: callerOf<AcceptedAuth<E>>(c, ...acceptedAuth(endpoint)),
    params: Object.fromEntries(params) as Call<E>["params"],
    query: c.req.valid("query") as Call<E>["query"],
    body: (upload ?? c.req.valid("json")) as Call<E>["body"],
    versions: endpoint.versioned ? versionsOf(c.req.header("if-match")) : undefined,
    exists: endpoint.creates
      ? existenceOf(c.req.header("if-match"), c.req.header("if-none-match"))
      : undefined,
    idempotency: upload === undefined ? await request?.end() : undefined,
  };
}
