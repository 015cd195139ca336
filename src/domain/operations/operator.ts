import type { Deps } from "../deps.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { digest } from "../../lib/crypto/crypto.ts";
import { ServiceError, tooMany } from "../errors.ts";
import { unknownKeyThrottle } from "../throttle.ts";

/**
 * Lets whoever runs the service pass. Without an operator secret nobody passes.
 * @param clientAddress to throttle networks that try secrets
 * @throws unauthorized; rate_limited for an address that tried too often
 */
export async function requireOperator(
  deps: Deps,
  authorization: string | undefined,
  clientAddress: string,
): Promise<void> {
  const now = deps.now();
  const throttle = unknownKeyThrottle(deps);
  const retryAfter = throttle.retryAfter(clientAddress, now);
  if (retryAfter > 0) throw tooMany(retryAfter);
  const given = bearerOf(authorization) ?? "";
  if (deps.operatorSecret !== "" && (await isSame(given, deps.operatorSecret))) return;
  if (given !== "") await throttle.countMiss(clientAddress, now);
  throw new ServiceError("unauthorized", "The operator's secret is required: Authorization: Bearer …", {
    headers: { "www-authenticate": "Bearer" },
  });
}

/** In the same time whatever differs, the length included: what is compared are digests. */
async function isSame(a: string, b: string): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await digest(a), await digest(b));
}
