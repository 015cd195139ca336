import type { Deps } from "../deps.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { equalInConstantTime } from "../../lib/crypto/constant-time.ts";
import { unauthorized } from "../errors.ts";
import { minSecretLength } from "../identity/ways.ts";
import { logProblemOnce } from "../log-problem.ts";
import { unknownKeyThrottle } from "../throttle.ts";

/** Returns whether OPERATOR_SECRET gives access. If it is too short, logs that once per isolate. */
function isOperatorConfigured(deps: Deps): boolean {
  const { length } = deps.settings.operatorSecret;
  if (length > 0 && length < minSecretLength) {
    const problem = `OPERATOR_SECRET must have at least ${minSecretLength} characters`;
    logProblemOnce(deps, "operator access is off", problem);
  }
  return length >= minSecretLength;
}

/**
 * Authenticates the operator, who runs the installation. Without an OPERATOR_SECRET of at least 32 characters, all
 * requests are refused.
 * @param clientAddress to throttle networks that try secrets
 * @throws unauthorized; rate_limited for a wrong secret from a network that has tried too many
 */
export async function requireOperator(
  deps: Deps,
  authorization: string | undefined,
  clientAddress: string,
): Promise<void> {
  const secret = bearerOf(authorization) ?? "";
  const isOperator = async () =>
    isOperatorConfigured(deps) && (await equalInConstantTime(secret, deps.settings.operatorSecret))
      ? true
      : null;
  if (secret !== "" && (await unknownKeyThrottle(deps).lookUpCredential(clientAddress, isOperator))) return;
  throw unauthorized("The operator's secret is missing or wrong. Send it as Authorization: Bearer <secret>.");
}
