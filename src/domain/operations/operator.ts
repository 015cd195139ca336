import type { Deps } from "../deps.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { sha256Bytes } from "../../lib/crypto/digest.ts";
import { unauthorized } from "../errors.ts";
import { unknownKeyThrottle } from "../throttle.ts";

/**
 * Authenticates the operator, who runs the installation. Without OPERATOR_SECRET every request is refused.
 * @param clientAddress to throttle networks that try secrets
 * @throws unauthorized; rate_limited for a wrong secret of a network that tried too many
 */
export async function requireOperator(
  deps: Deps,
  authorization: string | undefined,
  clientAddress: string,
): Promise<void> {
  const secret = bearerOf(authorization) ?? "";
  const isOperator = async () =>
    deps.operatorSecret !== "" && (await equalInConstantTime(secret, deps.operatorSecret)) ? true : null;
  if (secret !== "" && (await unknownKeyThrottle(deps).lookUpCredential(clientAddress, isOperator))) return;
  throw unauthorized("The operator's secret is required: Authorization: Bearer …");
}

/** Compares in constant time. Digests are compared, so that the time does not depend on the length either. */
async function equalInConstantTime(a: string, b: string): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await sha256Bytes(a), await sha256Bytes(b));
}
