import * as z from "zod";

export const ErrorCode = z.enum([
  "invalid_input",
  "plan_limit",
  "rate_limited",
  "unauthorized",
  "forbidden",
  "not_found",
  "internal",
]);
export type ErrorCode = z.output<typeof ErrorCode>;

/** The HTTP status of each code, unless an error sets its own (405, 413 and 415 are invalid_input as well). */
export const httpStatusOf = {
  invalid_input: 400,
  unauthorized: 401,
  plan_limit: 402,
  forbidden: 403,
  not_found: 404,
  rate_limited: 429,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

/** The text of a 429 at the rate limit: part of the contract to the letter, without a full stop. */
export const rateLimitExceeded = "Rate limit exceeded";

export const ErrorBody = z
  .object({
    error: z
      .string()
      .meta({ description: "What is wrong and what to do about it, for developers. Names the field." }),
    code: ErrorCode,
  })
  .meta({ id: "Error" });

/** The body of a 412. */
export const OtherVersion = ErrorBody.extend({
  current: z
    .looseObject({})
    .optional()
    .meta({ description: "The resource as it is now. Its version is the response's ETag" }),
}).meta({ id: "OtherVersion" });
