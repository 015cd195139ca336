/** In the order of the API's documents. */
export const errorCodes = [
  "invalid_input",
  "plan_limit",
  "rate_limited",
  "unauthorized",
  "forbidden",
  "not_found",
  "internal",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

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
