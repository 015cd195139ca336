import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { nullsAbsent } from "../contract/absent-fields.ts";
import { shortNameWarning } from "../contract/endpoints/endpoint.ts";
import { ignoredFields } from "../contract/ignored-fields.ts";
import { describeIssues, describeQueryIssues } from "../contract/issues.ts";
import { limits } from "../contract/limits.ts";
import { misspelledFields, unknownParameters } from "../contract/misspelled-fields.ts";
import { bodyBounds } from "../contract/resources/free-form.ts";
import { requireFewParameters, ServiceError } from "../domain/errors.ts";
import { readsAsValue } from "../lib/text/spreadsheets.ts";
import { readJsonBody } from "../lib/web/json-body.ts";
import type { ApiEnv } from "./context.ts";

const noParameters = z.object({});

/**
 * Validates a query. Invalid and unknown parameters are a 400 that names them. @param schema undefined where the
 * endpoint takes no parameters
 */
export function validateQuery(schema: z.ZodType | undefined): MiddlewareHandler<ApiEnv> {
  const accepted = (schema ?? noParameters) as z.ZodType<Record<string, unknown>>;
  const validated = zValidator("query", accepted, (result, c) => {
    const unknown = unknownParameters(schema, Object.keys(c.req.query()));
    const issues = result.success ? [] : result.error.issues;
    if (unknown.length + issues.length > 0) {
      throw new ServiceError("invalid_input", describeQueryIssues(issues, result.data, unknown));
    }
  }) as MiddlewareHandler<ApiEnv>;
  return (c, next) => {
    requireFewParameters(c.req.url);
    return validated(c, next);
  };
}

/**
 * Validates the body read by `strictJson`. Invalid and probably misspelled fields are a 400 that names them.
 * @param resource the schema of the response
 * @param options `nullsAbsent`: whether null in an optional field counts as omitting it; `warns`: whether a header warns of
 * a short name
 */
export function validateJson(
  schema: z.ZodType,
  resource: z.ZodType,
  options: { readonly nullsAbsent: boolean; readonly warns: boolean },
): MiddlewareHandler<ApiEnv> {
  const accepted = (options.nullsAbsent ? nullsAbsent(schema) : schema) as z.ZodType<Record<string, unknown>>;
  return zValidator("json", accepted, (result, c: Context<ApiEnv>) => {
    const misspelled = misspelledFields(schema, c.get("sentBody"), resource);
    const issues = result.success ? [] : result.error.issues;
    if (misspelled.length + issues.length > 0) {
      throw new ServiceError("invalid_input", describeIssues(issues, misspelled));
    }
    noteIgnored(c, ignoredFields(schema, c.get("sentBody")));
    const { hash } = c.get("sentBody") as { hash?: unknown };
    if (options.warns && typeof hash === "string" && readsAsValue(hash.toLowerCase())) {
      c.header("x-warnings", shortNameWarning);
    }
  }) as MiddlewareHandler<ApiEnv>;
}

/** Names the fields of the body that are ignored in a header of the response. */
export function noteIgnored(c: Context<ApiEnv>, fields: ReadonlySet<string>): void {
  c.set("ignoredFields", fields);
  if (fields.size > 0) c.header("x-ignored-fields", [...fields].join(", "));
}

/** The names of JSON. A PATCH is a JSON merge patch (RFC 7396), and some clients say so. */
const jsonTypes = (method: string): readonly string[] =>
  method === "PATCH" ? ["application/json", "application/merge-patch+json"] : ["application/json"];

/** Reads the body strictly before validation: a JSON content type, few bytes and fields, valid UTF-8, no dangerous keys. */
export const strictJson = createMiddleware<ApiEnv>(async (c, next) => {
  const accepted = jsonTypes(c.req.method);
  if (!accepted.includes(mediaTypeOf(c))) throw unsupported(c, accepted);
  const { bytes, value } = await readJsonBody(c.req.raw, limits.body, bodyBounds);
  c.set("sentBody", value);
  // The body has been read, so that what needs it next gets a copy.
  c.req.raw = new Request(c.req.raw, { body: bytes });
  await next();
});

/** Returns the request's media type without parameters; empty if there is none. */
export const mediaTypeOf = (c: Context<ApiEnv>): string =>
  c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";

/** Returns the encoding declared in the request's content type. */
export const charsetOf = (c: Context<ApiEnv>): string | undefined =>
  /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(c.req.header("content-type") ?? "")?.[1];

/** How many characters of an unsupported media type the error quotes. */
const repeatedCharacters = 100;

/** Creates the error for an unsupported media type (415), which names those that the endpoint accepts. */
export function unsupported(c: Context<ApiEnv>, accepted: readonly string[]): ServiceError {
  const given = mediaTypeOf(c).slice(0, repeatedCharacters);
  const problem = given === "" ? "is missing" : `can't be ${given}`;
  return new ServiceError("invalid_input", `Content-Type ${problem}. Use ${accepted.join(" or ")}.`, {
    status: 415,
  });
}
