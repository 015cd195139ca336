import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import { ServiceError } from "../domain/errors.ts";
import { JsonProblem, readJson } from "../lib/text/json.ts";
import type { ApiEnv } from "./context.ts";

/** At most this many problems are told at once. */
const told = 3;

/** What is wrong, each problem with its field. */
export function describe(issues: readonly z.core.$ZodIssue[]): string {
  const problems = issues.slice(0, told).map(({ path, message }) => {
    const field = path.map(String).join(".");
    return field === "" ? message : `${field}: ${message}`;
  });
  if (issues.length > told) problems.push(`and ${issues.length - told} more`);
  return problems.join("; ");
}

/** Validated input of the handler; anything else is a 400 that names the fields. */
export function validate(target: "json" | "query", schema: z.ZodType): MiddlewareHandler<ApiEnv> {
  return zValidator(target, schema as z.ZodType<Record<string, unknown>>, (result) => {
    if (!result.success) throw new ServiceError("invalid_input", describe(result.error.issues));
  }) as MiddlewareHandler<ApiEnv>;
}

/**
 * Reads the body strictly before it is validated: JSON by its content type, valid UTF-8, no key that could
 * do harm.
 */
export const strictJson = createMiddleware<ApiEnv>(async (c, next) => {
  if (mediaTypeOf(c) !== "application/json") throw unsupported(["application/json"]);
  try {
    readJson(await c.req.arrayBuffer());
  } catch (error) {
    throw asInvalid(error);
  }
  await next();
});

/** A problem of the JSON itself as the client's error; anything else as it is. */
export const asInvalid = (error: unknown) =>
  error instanceof JsonProblem ? new ServiceError("invalid_input", error.message) : error;

/** The request's media type, without its parameters; empty when it has none. */
export const mediaTypeOf = (c: Context<ApiEnv>): string =>
  c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";

export const unsupported = (accepted: readonly string[]) =>
  new ServiceError("invalid_input", `Content-Type: must be ${accepted.join(" or ")}`, { status: 415 });
