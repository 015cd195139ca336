import { equalInConstantTime } from "../../lib/crypto/constant-time.ts";
import { hmac, hmacKey } from "../../lib/crypto/digest.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { findExceeded } from "../../lib/web/network-limit.ts";
import * as store from "../../store/operations/operator-sessions.ts";
import { lookUpCredential } from "../credential-throttle.ts";
import type { Deps } from "../deps.ts";
import { unauthorized } from "../errors.ts";
import { cookieName } from "../identity/sessions.ts";
import { minSecretLength } from "../identity/ways.ts";
import { logProblemOnce } from "../log-problem.ts";

/** Returns the secrets that give access. If the newest is too short, logs that once per isolate. */
function operatorSecrets(deps: Deps): string[] {
  const secrets = deps.settings.operatorSecrets.map(({ secret }) => secret);
  if (secrets[0] !== undefined && secrets[0].length < minSecretLength) {
    const problem = `OPERATOR_SECRET must have at least ${minSecretLength} characters`;
    logProblemOnce(deps, "operator access is off", problem);
  }
  return secrets.filter(({ length }) => length >= minSecretLength);
}

async function isOperatorSecret(deps: Deps, secret: string): Promise<boolean> {
  const matches = operatorSecrets(deps).map((each) => equalInConstantTime(secret, each));
  return (await Promise.all(matches)).includes(true);
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
  const isOperator = async () => ((await isOperatorSecret(deps, secret)) ? true : null);
  if (secret !== "" && (await lookUpCredential(deps, clientAddress, isOperator))) return;
  throw unauthorized("The operator's secret is missing or wrong. Send it as Authorization: Bearer <secret>.");
}

/** How long a session in the operator's pages lasts. */
export const operatorSessionMilliseconds = 60 * 60_000;

/** The name of the cookie with the token of a session. */
export const operatorCookie = (deps: Deps): string => cookieName(deps, "operator");

/** Why the operator's secret was not exchanged for a session: it is wrong, or the network tried too often. */
export type OperatorSignInProblem = "wrong" | "limited";

/** Exchanges the operator's secret for a session. @returns its token for the cookie */
export async function signInOperator(
  deps: Deps,
  secret: string,
  clientAddress: string,
): Promise<{ token: string } | OperatorSignInProblem> {
  if ((await findExceeded(deps.signInLimit, clientAddress, "operator ")) !== undefined) return "limited";
  if (!(await isOperatorSecret(deps, secret))) return "wrong";
  const token = randomBase62(43);
  const expiresAt = deps.now() + operatorSessionMilliseconds;
  await store.insertOperatorSession(deps.db, await sessionDigest(secret, token), expiresAt);
  return { token };
}

/** Returns whether a cookie has the token of a session that has not ended. */
export async function isSignedInOperator(deps: Deps, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false;
  return store.hasOperatorSession(deps.db, await sessionDigests(deps, token), deps.now());
}

/** Ends a session. */
export async function signOutOperator(deps: Deps, token: string | undefined): Promise<void> {
  if (token === undefined) return;
  await store.deleteOperatorSession(deps.db, await sessionDigests(deps, token));
}

/** Keyed with the secret that began the session, so that the session ends with it. */
const sessionDigest = async (secret: string, token: string): Promise<string> =>
  new Uint8Array(await hmac(await hmacKey(secret), token)).toHex();

const sessionDigests = (deps: Deps, token: string): Promise<string[]> =>
  Promise.all(operatorSecrets(deps).map((secret) => sessionDigest(secret, token)));
