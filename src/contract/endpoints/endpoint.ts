import * as z from "zod";
import { limits } from "../limits.ts";
import { Qr } from "../resources/codes/qr.ts";
import type { Scope } from "../resources/enums.ts";
import type { Permission } from "../roles.ts";

/**
 * How a caller authenticates: `key` by an API key; `session` as a member of a workspace, and `person` as someone who
 * may have none, by a session or a token of the identity provider; `operator` by the operator's secret. A `session`
 * endpoint with a scope also accepts API keys.
 */
export type Auth = "key" | "session" | "person" | "operator";

/**
 * Returns the authentication for a path under `/api/v1`, even if the path doesn't exist: unauthenticated callers can't
 * tell known paths from unknown ones.
 */
export function authOf(path: string): Auth {
  if (path.startsWith("/developer/join/")) return "person";
  if (/^\/developer(\/|$)/.test(path)) return "session";
  return /^\/operator(\/|$)/.test(path) ? "operator" : "key";
}

/** Returns whether an endpoint creates a code, whose short name the client can choose. */
export const choosesShortName = ({ response, status, creates }: Endpoint): boolean =>
  response === Qr && (status === 201 || creates === true);

/** Warns of a short name that passes through spreadsheets badly. */
export const shortNameWarning =
  "hash reads as a number or a date in spreadsheets, which then save another name in its place";

/** The names of a path's parameters, as in `/qr/{id}`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The names of a path's parameters, in order. */
export const parametersOf = <Path extends string>(path: Path): PathParameter<Path>[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter<Path>);

/** The errors that any body can cause, besides an invalid one: too large, wrong content type. */
export const bodyErrors = [413, 415] as const;

/** Returns the schema of an endpoint's preview. @param result of the dry run @param id the schema's name in OpenAPI */
export const previewOf = <Shape extends z.ZodRawShape>(result: z.ZodObject<Shape>, id: string) =>
  result
    .extend({
      ignoredFields: z.array(z.string()).meta({
        description: `Fields of the body that are ignored, as in the header \`x-ignored-fields\`: the first ${limits.ignoredFields.count}`,
      }),
    })
    .meta({ id });

interface Row {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** Under `/api/v1`, with parameters as `{name}`. */
  readonly path: string;
  readonly tag:
    | "QR codes"
    | "Bulk jobs"
    | "Printing"
    | "Scans"
    | "Analytics"
    | "Folders"
    | "Saved lists"
    | "Developer"
    | "Members"
    | "Templates"
    | "Brand"
    | "Domains"
    | "Pages"
    | "Webhooks"
    | "History"
    | "Operator";
  readonly summary: string;
  /** The schemas of path parameters that aren't UUIDs. Any other is read in lower case. */
  readonly parameters?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodType;
  /** A JSON body. */
  readonly body?: z.ZodType;
  /**
   * Instead of `body`: the media types of a body that the handler parses as it arrives, each with its schema. If there
   * is only one, the request's content type is ignored. The handler limits the size.
   */
  readonly upload?: Readonly<Record<string, z.ZodType>>;
  readonly status: 200 | 201 | 202;
  readonly response: z.ZodType;
  /** Instead of JSON: the media types of a response that is a stream or file. */
  readonly stream?: readonly string[];
  /** Headers that only this endpoint's response has. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  /** The response is a stream of server-sent events that can be resumed with `Last-Event-ID`. */
  readonly resumable?: true;
  /** The response has an ETag; if it matches `If-None-Match`, the answer is a 304. */
  readonly tagged?: true;
  /**
   * The response's ETag is the version of its resource. With `If-Match`, a request for another version is refused (412)
   * with the newest state.
   */
  readonly versioned?: true;
  /**
   * Creates the resource if there is none (201), and changes it otherwise (200). `If-None-Match: *` only creates,
   * `If-Match` only changes.
   */
  readonly creates?: true;
  /** The body of a 503 that reports the endpoint's result rather than an error. */
  readonly failure?: z.ZodType;
  /** The body of the 200 that answers a request with `dryRun: true`, instead of the usual response. */
  readonly preview?: z.ZodObject;
  /** Error statuses besides those common to all endpoints with the same `auth`. */
  readonly errors: readonly (402 | 404 | 409 | 413 | 415)[];
}

/** Requires an API key with the scope; null for any secret key. */
export interface KeyEndpoint extends Row {
  readonly auth: "key";
  readonly scope: Scope | null;
  /** Also accepts publishable keys, so that web pages on their origins can call it: the schema of the body. */
  readonly publishable?: z.ZodObject;
  /** Accepts an `Idempotency-Key`: for 24 hours, repeating it with the same body returns the first response. */
  readonly idempotent?: true;
}

/** Requires a signed-in user, a token of the identity provider or, with a scope, an API key. Under `/developer`. */
export interface SessionEndpoint extends Row {
  readonly auth: "session";
  /** The person's role must allow this. */
  readonly permission: Permission;
  /** Also accepts secret keys with this scope. Without it, the endpoint is for people only. */
  readonly scope?: Scope;
}

/** Requires a signed-in user or a token of the identity provider, also of a person without a workspace. */
export interface PersonEndpoint extends Row {
  readonly auth: "person";
}

/** Requires the operator's secret. Under `/operator`. */
export interface OperatorEndpoint extends Row {
  readonly auth: "operator";
}

/** An endpoint of the API. Routing, scopes, validation, OpenAPI and looped tests are all derived from this table. */
export type Endpoint = KeyEndpoint | SessionEndpoint | PersonEndpoint | OperatorEndpoint;
