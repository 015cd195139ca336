import { Plan } from "../../contract/plans.ts";
import type { Keyring } from "../../lib/crypto/keyring.ts";
import type { Deps, Settings } from "../deps.ts";
import { logProblemOnce } from "../log-problem.ts";
import { allowsPlainHttp } from "./provider.ts";

/** The minimum length of SESSION_SECRET and OPERATOR_SECRET, in characters. Shorter ones are likely to be passwords. */
export const minSecretLength = 32;

const isLongEnough = ([newest]: Keyring): boolean => (newest?.secret.length ?? 0) >= minSecretLength;

/** The ways to sign in that this installation offers. */
interface WaysToSignIn {
  /** At the OpenID Connect provider. */
  readonly provider: boolean;
  readonly passkeys: boolean;
}

/** Returns the ways to sign in. If there is none, or one is set up wrongly, logs the reason once per isolate. */
export function waysToSignIn(deps: Deps): WaysToSignIn {
  const { provider, passkeys } = deps.settings;
  const problem = problemOf(deps.settings);
  if (problem !== null) logProblemOnce(deps, "sign-in is not configured", problem);
  const hasSecret = isLongEnough(provider.sessionSecrets);
  return { provider: problem === null && provider.issuer !== "", passkeys: passkeys && hasSecret };
}

export function canSignIn(deps: Deps): boolean {
  const { provider, passkeys } = waysToSignIn(deps);
  return provider || passkeys;
}

function problemOf({ provider, passkeys, appOrigin }: Settings): string | null {
  const { issuer, clientId, sessionSecrets } = provider;
  if (!isLongEnough(sessionSecrets)) {
    return `SESSION_SECRET must have at least ${minSecretLength} characters`;
  }
  if (issuer === "") return passkeys ? null : "OIDC_ISSUER is not set";
  if (clientId === "") return "OIDC_CLIENT_ID is not set";
  if (!URL.canParse(issuer)) return "OIDC_ISSUER is not a URL";
  if (new URL(issuer).protocol === "https:" || allowsPlainHttp(issuer, appOrigin)) return null;
  return "OIDC_ISSUER must begin with https://";
}

/** Returns the plan of new workspaces. */
export function defaultPlanOf(deps: Deps): Plan {
  const { defaultPlan } = deps.settings;
  if (defaultPlan === "") return "free";
  const { data: plan } = Plan.safeParse(defaultPlan);
  if (plan === undefined) logProblemOnce(deps, "default plan is not usable", "DEFAULT_PLAN is not a plan");
  return plan ?? "free";
}

/** Returns whether uninvited people can get a workspace: those of the provider, or everyone with a passkey. */
export const canNewcomersJoin = (deps: Deps): boolean => waysToSignIn(deps).provider || isSignUpOpen(deps);

/** Returns whether everyone may join with a passkey. A paid plan is not given to strangers. */
export function isSignUpOpen(deps: Deps): boolean {
  if (!waysToSignIn(deps).passkeys || deps.settings.signUp !== "open") return false;
  if (defaultPlanOf(deps) === "free") return true;
  logProblemOnce(deps, "sign-up is closed", "SIGN_UP can be open only if DEFAULT_PLAN is free");
  return false;
}
