import * as z from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { mayBeAbsentOnly } from "../contract/absent-fields.ts";
import {
  choosesShortName,
  type Endpoint,
  parametersOf,
  shortNameWarning,
} from "../contract/endpoints/endpoint.ts";
import { endpoints } from "../contract/endpoints/index.ts";
import { rateLimitExceeded } from "../contract/error-codes.ts";
import { ErrorBody, OtherVersion } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Scope } from "../contract/resources/enums.ts";
import { LiveHeaders } from "../contract/resources/scans/live.ts";
import { permissions } from "../contract/roles.ts";
import { deliveryPath, withWebhooks } from "./openapi-webhooks.ts";

const tags: Record<Endpoint["tag"], string> = {
  "QR codes": "Create dynamic codes, change their destinations and get their images.",
  Printing: "Print labels, and download the images of many codes.",
  "Bulk jobs": "Create, update or delete codes in bulk, and follow the progress of the job.",
  Scans: "Statistics, recent scans, live scans, and an export for your data warehouse.",
  Analytics: "Reports on scans: totals, series, breakdowns and comparisons, exact at any moment.",
  Folders: "Organize the codes of a workspace.",
  "Saved lists": "Filters of codes with columns and an order, named.",
  Templates: "Saved designs to apply to codes.",
  Domains: "Hosts of your own at which your codes answer.",
  Brand: "The colors and logos that you design codes with.",
  Pages: "Hosted pages, and the submissions of their forms.",
  Webhooks: "Signed events for your servers, and the log of their deliveries.",
  History: "Who changed what, and the values before and after.",
  Members: "The people of a workspace with their roles, invitations, and your workspaces.",
  Operator: "For the operator of the installation, and for billing.",
  Developer: "Keys, and your workspace's plan and usage. Needs a session, as in the dashboard.",
};

type ErrorStatus = Endpoint["errors"][number] | 400 | 401 | 403 | 412 | 429 | 500 | 503;

/** Statuses that every endpoint may return besides its own. */
const commonErrors = (endpoint: Endpoint): ErrorStatus[] => [
  ...([400, 401, 429, 500, 503] as const),
  ...(isConditional(endpoint) ? [412 as const] : []),
  ...(endpoint.auth === "operator" ? [] : [403 as const]),
];

/** Returns whether an endpoint acts on a version of an existing resource. */
const isConditional = ({ versioned, method }: Endpoint): boolean => versioned === true && method !== "post";

/** Returns the security schemes that an endpoint accepts. Only OAuth schemes have scopes; a key's are an extension. */
function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.auth === "key") return [{ apiKey: [] }];
  if (endpoint.auth === "operator") return [{ operator: [] }];
  const session = [{ sessionToken: [] }, { sessionCookie: [] }];
  return scopeOf(endpoint) === undefined ? session : [{ apiKey: [] }, ...session];
}

/** Returns the scope that a key needs; undefined if any will do, or none. */
const scopeOf = (endpoint: Endpoint): Scope | undefined =>
  endpoint.auth === "key" || endpoint.auth === "session" ? (endpoint.scope ?? undefined) : undefined;

function requirementOf(endpoint: Endpoint): string {
  if (endpoint.auth === "session") {
    const { role } = permissions[endpoint.permission];
    if (endpoint.scope !== undefined) {
      return `Needs the scope \`${endpoint.scope}\`, or a session of a person whose role is at least \`${role}\`.`;
    }
    return `Needs a session, not a key, of a person whose role is at least \`${role}\`.`;
  }
  if (endpoint.auth === "person") return "Needs a session, not a key. You don't need a workspace for it.";
  if (endpoint.auth === "operator") return "Needs the operator's secret.";
  if (endpoint.scope === null) return "Needs a secret key, of any scope.";
  const scope = `Needs the scope \`${endpoint.scope}\`.`;
  if (endpoint.publishable === undefined) return scope;
  const fields = Object.keys(endpoint.publishable.shape).map((field) => `\`${field}\``);
  return `${scope} A publishable key can set ${fields.join(", ")} and no other field, with the type \`url\`; at most ${limits.keyCreations.cap} times a day, after which the response is a 403 with the code \`plan_limit\`.`;
}

/** The meaning of each error status, and the name of its response in the components. */
export const errorStatuses = {
  400: { name: "BadRequest", meaning: "Bad request: the error names the field" },
  401: { name: "Unauthorized", meaning: "No valid credentials" },
  402: { name: "PlanLimit", meaning: "Your plan doesn't allow this. Upgrade to continue" },
  403: {
    name: "Forbidden",
    meaning:
      "The key's scope, type, plan or daily cap, or the person's role, doesn't allow this, or a change authenticated by cookie came from another site",
  },
  404: { name: "NotFound", meaning: "Not found" },
  409: { name: "Conflict", meaning: "Others depend on this. The error says what to do first" },
  412: { name: "OtherVersion", meaning: "The resource has another version than `If-Match` names" },
  413: {
    name: "TooLarge",
    meaning: `The body is larger than ${limits.body / 2 ** 20} MiB or, for a bulk job, than the plan allows, or has more than ${limits.bodyValues.fields} fields`,
  },
  415: { name: "WrongContentType", meaning: "The endpoint doesn't accept this content type" },
  429: {
    name: "RateLimited",
    meaning: `${rateLimitExceeded}. Try again after \`retry-after\` seconds`,
  },
  500: { name: "Internal", meaning: "Something went wrong on our side" },
  503: {
    name: "Unavailable",
    meaning:
      "Part of the service is unavailable, or your network is trying too many credentials. Try again after `retry-after` seconds",
  },
} as const satisfies Record<ErrorStatus, { name: string; meaning: string }>;

const requestId = {
  "x-request-id": z.string().meta({
    description: "Identifies this request in our logs: your own id if you sent a valid one, else a new one",
    header: { id: "RequestId" },
  }),
};
const rate = {
  "x-ratelimit-limit": z.int().meta({
    description: "Requests per minute allowed for this key, or this person",
    header: { id: "RateLimit" },
  }),
  "x-ratelimit-remaining": z.int().meta({
    description:
      "Requests left in this minute: for this key or person, or for the whole workspace if that is less",
    header: { id: "RateRemaining" },
  }),
  "x-ratelimit-reset": z.int().meta({
    description: "Seconds until the next minute begins, 1 to 60",
    header: { id: "RateReset" },
  }),
};
const retryAfter = { "retry-after": z.int().meta({ description: "Seconds to wait" }) };
const later = { "retry-after": z.int().meta({ description: "Seconds until the next attempt" }) };
const challenge = { "www-authenticate": z.string().meta({ description: "The scheme to use: Bearer" }) };

const tag = { etag: z.string().meta({ description: "Changes with the content" }) };

const versionTag = {
  etag: z.string().meta({
    description: "The resource's version. Send it as `If-Match` to change no other version",
    example: '"3"',
    header: { id: "Version" },
  }),
};

const replayed = {
  "idempotent-replayed": z
    .literal("true")
    .optional()
    .meta({ description: "Present if this repeats the first response to the same `Idempotency-Key`" }),
};

const ignoredFields = {
  "x-ignored-fields": z
    .string()
    .optional()
    .meta({
      description: `Fields of the body that this endpoint doesn't have: the first ${limits.ignoredFields.count}, separated by commas`,
      example: "color, data.note",
      header: { id: "IgnoredFields" },
    }),
};

const warnings = {
  "x-warnings": z
    .string()
    .optional()
    .meta({
      description: "What may go wrong later: a chosen `hash` that spreadsheets read as a number or a date",
      example: shortNameWarning,
      header: { id: "Warnings" },
    }),
};

/**
 * Returns the headers of an error. A 401 has no rate limit headers, since no key was counted; a 429, 500 or 503 may
 * lack them as well.
 * @param isCounted whether requests of its endpoints are counted; the operator's are not
 */
function errorHeaders(status: ErrorStatus, isCounted: boolean): z.ZodObject {
  const always = isCounted ? rate : {};
  const sometimes = isCounted ? z.object(rate).partial().shape : {};
  if (status === 401) return z.object({ ...challenge, ...requestId });
  if (status === 429) return z.object({ ...retryAfter, ...sometimes, ...requestId });
  if (status === 503) return z.object({ ...later, ...sometimes, ...requestId });
  if (status === 412) return z.object({ ...versionTag, ...always, ...requestId });
  if (status === 500) return z.object({ ...sometimes, ...requestId });
  return z.object({ ...always, ...requestId });
}

const notModified: ZodOpenApiResponseObject = {
  id: "NotModified",
  description: "Your copy with this ETag is current",
  headers: z.object({ ...tag, ...rate, ...requestId }),
};

const ifNoneMatch = z.object({
  "If-None-Match": z.string().optional().meta({ description: "The ETag of your copy" }),
});

const ifMatch = z.object({
  "If-Match": z.string().optional().meta({
    description:
      "ETags of the resource, or `*` for any. If its version is another, the response is a 412 with its newest state",
    example: '"3"',
  }),
});

const existence = z.object({
  "If-Match": z.string().optional().meta({
    description:
      "Only changes: ETags of the resource, or `*` for any. Without a match, the response is a 412",
  }),
  "If-None-Match": z.literal("*").optional().meta({
    description: "Only creates: if the resource exists, the response is a 412 with its newest state",
  }),
});

const workspaceHeader = z.object({
  "X-Workspace": z.uuid().optional().meta({
    description:
      "The id of one of your workspaces. Without it, the call acts for the one that you last switched to in the dashboard, or else the one you joined first",
  }),
});

const idempotencyHeader = z.object({
  "Idempotency-Key": z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .max(limits.idempotency.key)
    .optional()
    .meta({
      description:
        "Up to 255 printable ASCII characters, for example a UUID. For 24 hours, repeating a request with the same key and the same body returns the first response. It belongs to the API key of the request",
    }),
});

/** The bodies of requests that create something. */
const creations: ReadonlySet<unknown> = new Set(
  Object.values<Endpoint>(endpoints).flatMap(({ status, body }) => (status === 201 ? (body ?? []) : [])),
);

/** Allows null for fields that may also be omitted. Nested fields are unchanged, because responses use them as well. */
const addNulls: ZodOpenApiOverride = ({ jsonSchema: { properties = {} }, zodSchema }) => {
  if (!(zodSchema instanceof z.ZodObject) || !creations.has(zodSchema)) return;
  for (const [name, field] of Object.entries<z.ZodType>(zodSchema.shape)) {
    const schema = properties[name];
    if (typeof schema !== "object" || !mayBeAbsentOnly(field)) continue;
    const { description, ...others } = schema;
    properties[name] = { ...(description && { description }), anyOf: [others, { type: "null" }] };
  }
};

/** Removes details that zod adds for its own parsers: useless to a reader, or stricter than the interface promises. */
const tidy: ZodOpenApiOverride = (context) => {
  const { jsonSchema, io } = context;
  addNulls(context);
  // Implied by the format.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // A slash needs no escape outside a literal, and some generators cut an escaped one at the end.
  jsonSchema.pattern &&= jsonSchema.pattern.replaceAll("\\/", "/");
  // Some generators know no `const`, and one makes code that doesn't compile of a boolean with both.
  if (jsonSchema.const !== undefined) jsonSchema.enum = [jsonSchema.const];
  if (typeof jsonSchema.const === "boolean") delete jsonSchema.const;
  if (jsonSchema.type === "integer") {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  }
  // Responses may gain fields, so clients must accept unknown ones.
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** Returns the error responses, by status. @param prefix of their names in the components */
function errorResponses(prefix: "" | "Operator"): Record<ErrorStatus, ZodOpenApiResponseObject> {
  const named = Object.entries(errorStatuses).map(([status, { name, meaning }]) => {
    const response: ZodOpenApiResponseObject = {
      id: `${prefix}${name}`,
      description: meaning,
      headers: errorHeaders(Number(status) as ErrorStatus, prefix === ""),
      content: { "application/json": { schema: status === "412" ? OtherVersion : ErrorBody } },
    };
    return [status, response];
  });
  return Object.fromEntries(named);
}

function operation(
  id: string,
  endpoint: Endpoint,
  errors: Record<ErrorStatus, ZodOpenApiResponseObject>,
): ZodOpenApiOperationObject {
  const statuses = [...new Set<ErrorStatus>([...endpoint.errors, ...commonErrors(endpoint)])].sort(
    (a, b) => a - b,
  );
  const parameters = parametersOf(endpoint.path).map((name) => [
    name,
    endpoint.parameters?.[name] ?? z.uuid(),
  ]);
  const body = bodyOf(endpoint);
  const scope = scopeOf(endpoint);
  return {
    operationId: id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: requirementOf(endpoint),
    security: securityOf(endpoint),
    ...(scope === undefined ? {} : { "x-required-scope": scope }),
    ...(endpoint.auth === "session" ? { "x-required-role": permissions[endpoint.permission].role } : {}),
    requestParams: {
      ...(parameters.length === 0 ? {} : { path: z.object(Object.fromEntries(parameters)) }),
      ...(endpoint.query instanceof z.ZodObject ? { query: endpoint.query } : {}),
      ...headerParameters(endpoint),
    },
    ...(body === undefined ? {} : { requestBody: { required: true, content: mediaTypes(body) } }),
    responses: {
      [endpoint.status]: responseOf(endpoint, endpoint.status),
      ...(endpoint.creates ? { 201: responseOf(endpoint, 201) } : {}),
      ...(endpoint.preview === undefined ? {} : { 200: previewed(endpoint, endpoint.preview) }),
      ...(endpoint.tagged ? { 304: notModified } : {}),
      ...Object.fromEntries(statuses.map((status) => [status, errors[status]])),
      ...(endpoint.failure === undefined ? {} : { 503: failed(endpoint, endpoint.failure) }),
    },
  };
}

const responseOf = (endpoint: Endpoint, status: 200 | 201 | 202): ZodOpenApiResponseObject => ({
  description: { 200: "OK", 201: "Created", 202: "Accepted" }[status],
  headers: headersOf(endpoint),
  content: mediaTypes(
    Object.fromEntries((endpoint.stream ?? ["application/json"]).map((type) => [type, endpoint.response])),
  ),
});

/** Returns the media type of an endpoint's body with its schema: the first, as many generators support only one. */
function bodyOf({ body, upload }: Endpoint): Readonly<Record<string, z.ZodType>> | undefined {
  if (upload === undefined) return body && { "application/json": body };
  return Object.fromEntries(Object.entries(upload).slice(0, 1));
}

function headerParameters(endpoint: Endpoint): { header?: z.ZodObject } {
  const schemas = [
    ...(endpoint.auth === "session" ? [workspaceHeader] : []),
    ...(endpoint.auth === "key" && endpoint.idempotent ? [idempotencyHeader] : []),
    ...(endpoint.tagged ? [ifNoneMatch] : []),
    ...(isConditional(endpoint) ? [endpoint.creates ? existence : ifMatch] : []),
    ...(endpoint.resumable ? [LiveHeaders] : []),
  ];
  const [first, ...others] = schemas;
  if (first === undefined) return {};
  return { header: others.reduce<z.ZodObject>((all, { shape }) => all.extend(shape), first) };
}

const previewed = (endpoint: Endpoint, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description: "With `dryRun: true`: what would change",
  headers: headersOf(endpoint),
  content: mediaTypes({ "application/json": schema }),
});

const failed = (endpoint: Endpoint, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description: "A check failed; or, as an error, your network is trying too many credentials",
  headers: headersOf(endpoint).extend(z.object(later).partial().shape),
  content: mediaTypes({ "application/json": z.union([schema, ErrorBody]) }),
});

/** Returns the headers of an endpoint's successful response. */
const headersOf = (endpoint: Endpoint): z.ZodObject =>
  z.object({
    ...(endpoint.tagged ? tag : {}),
    ...(endpoint.versioned && endpoint.method !== "delete" ? versionTag : {}),
    ...(endpoint.auth === "operator" ? {} : rate),
    ...requestId,
    ...(endpoint.auth === "key" && endpoint.idempotent ? replayed : {}),
    ...endpoint.headers,
    ...((endpoint.body ?? endpoint.upload?.["application/json"]) === undefined ? {} : ignoredFields),
    ...(choosesShortName(endpoint) ? warnings : {}),
  });

const mediaTypes = (schemas: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));

/**
 * Builds the OpenAPI 3.1 document from the endpoint table and the events of webhooks.
 * @param origin of the service, for `servers`
 * @param sessionCookie its name
 * @param title of the interface
 */
export function openApiDocument(origin: string, sessionCookie: string, title: string) {
  const errors = errorResponses("");
  const operatorErrors = errorResponses("Operator");
  const paths: ZodOpenApiPathsObject = {};
  for (const [id, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const responses = endpoint.auth === "operator" ? operatorErrors : errors;
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operation(id, endpoint, responses) };
  }
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title,
        version: "1.0.0",
        description: "Dynamic QR codes: create them, change their destinations, analyze their scans.",
        contact: { name: "API reference", url: `${origin}/api/v1/docs` },
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: `${origin}/api/v1` }],
      security: [{ apiKey: [] }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: { ...paths, ...deliveryPath },
      components: {
        securitySchemes: {
          apiKey: { type: "http", scheme: "bearer", description: "An API key: `Bearer sk_live_…`" },
          sessionToken: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "A JWT of the identity provider whose audience is this service's client id",
          },
          sessionCookie: {
            type: "apiKey",
            in: "cookie",
            name: sessionCookie,
            description: "Set by signing in at `/dashboard`. Changes need the API's own `Origin`",
          },
          operator: { type: "http", scheme: "bearer", description: "The operator's secret" },
        },
      },
    },
    { override: tidy },
  );
  return withWebhooks(document);
}
