import type * as z from "zod";
import type { Scope } from "../resources/enums.ts";

/** How a caller proves who they are: an API key, a session of the identity provider, the operator's secret. */
export type Auth = "key" | "session" | "operator";

/** What a path asks for, known or not, under `/api/v1`: so that what is not there tells nothing more. */
export function authOf(path: string): Auth {
  if (/^\/developer(\/|$)/.test(path)) return "session";
  return /^\/operator(\/|$)/.test(path) ? "operator" : "key";
}

/** The names of a path's parameters, as in `/qr/{id}`. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The same, in order, at run time. */
export const parametersOf = <Path extends string>(path: Path): PathParameter<Path>[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter<Path>);

/** What any body may be answered: not as it must be, too large, of another type. */
export const bodyErrors = [400, 413, 415] as const;

interface Row {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** Under `/api/v1`, with parameters as `{name}`. */
  readonly path: string;
  readonly tag:
    | "QR codes"
    | "Bulk jobs"
    | "Scans"
    | "Folders"
    | "Developer"
    | "Templates"
    | "Pages"
    | "Webhooks"
    | "Operator";
  readonly summary: string;
  readonly query?: z.ZodType;
  /** A JSON body. */
  readonly body?: z.ZodType;
  /** In place of `body`: the media types of a body that the handler reads itself, each with its schema. */
  readonly upload?: Readonly<Record<string, z.ZodType>>;
  /** Bytes of a body; `limits.body` where it is not said. */
  readonly maxBody?: number;
  /** The same `Idempotency-Key` and body get the first answer again for 24 hours. */
  readonly idempotent?: true;
  readonly status: 200 | 201 | 202;
  readonly response: z.ZodType;
  /** In place of JSON: the media types of an answer that is a stream or a file. */
  readonly stream?: readonly string[];
  /** The answer has an ETag: whoever sends that back in `If-None-Match` gets 304 while it is still the same. */
  readonly tagged?: true;
  /** Error statuses beyond those its `auth` may always answer. */
  readonly errors: readonly (400 | 402 | 404 | 413 | 415)[];
}

/** For holders of an API key that has the scope. */
export interface KeyEndpoint extends Row {
  readonly auth: "key";
  readonly scope: Scope;
  /** Takes publishable keys too: a web page may call it from the key's own origins. */
  readonly publishable?: true;
}

/** For people who are signed in, and programs with a token of the identity provider. Under `/developer`. */
export interface SessionEndpoint extends Row {
  readonly auth: "session";
}

/** For whoever runs the service. Under `/operator`. */
export interface OperatorEndpoint extends Row {
  readonly auth: "operator";
}

/** One row of the interface. Routing, scopes, validation, OpenAPI and the looped tests all read the table. */
export type Endpoint = KeyEndpoint | SessionEndpoint | OperatorEndpoint;
