import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import { describeIssues } from "../contract/issues.ts";
import { ServiceError } from "../domain/errors.ts";
import { JsonError, readJson } from "../lib/text/json.ts";
import type { ApiEnv } from "./context.ts";

/** Validates the handler's input; anything else is a 400 that names the fields. */
export function validate(target: "json" | "query", schema: z.ZodType): MiddlewareHandler<ApiEnv> {
  return zValidator(target, schema as z.ZodType<Record<string, unknown>>, (result) => {
    if (!result.success) throw new ServiceError("invalid_input", describeIssues(result.error.issues));
  }) as MiddlewareHandler<ApiEnv>;
}

/** Reads the body strictly before it is validated: JSON by its content type, valid UTF-8, no key that could do harm. */
export const strictJson = createMiddleware<ApiEnv>(async (c, next) => {
  if (mediaTypeOf(c) !== "application/json") throw unsupported(["application/json"]);
  try {
    readJson(await c.req.arrayBuffer());
  } catch (error) {
    throw asInvalid(error);
  }
  await next();
});

/** A problem with the JSON itself as an error for the client; any other error unchanged. */
export const asInvalid = (error: unknown) =>
  error instanceof JsonError ? new ServiceError("invalid_input", error.message) : error;

/** The request's media type, without its parameters; empty when it has none. */
export const mediaTypeOf = (c: Context<ApiEnv>): string =>
  c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";

/** 415, with the media types that the endpoint takes. */
export const unsupported = (accepted: readonly string[]) =>
  new ServiceError("invalid_input", `Content-Type: must be ${accepted.join(" or ")}`, { status: 415 });
