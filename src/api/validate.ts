import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import { ServiceError } from "../domain/errors.ts";
import { JsonProblem, readJson } from "../lib/json.ts";
import type { ApiEnv } from "./context.ts";

/** At most this many problems are told at once. */
const told = 3;

function describe(issues: readonly z.core.$ZodIssue[]): string {
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
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new ServiceError("invalid_input", "Content-Type: must be application/json", { status: 415 });
  }
  try {
    readJson(await c.req.arrayBuffer());
  } catch (error) {
    if (error instanceof JsonProblem) throw new ServiceError("invalid_input", error.message);
    throw error;
  }
  await next();
});
