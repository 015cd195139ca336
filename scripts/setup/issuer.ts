import * as z from "zod";
import { type Api, ApiError } from "../lib/account/api.ts";
import { Failure } from "../lib/failure.ts";
import { isPublicIssuer } from "../lib/installation/public-issuers.ts";

type Vars = Readonly<Record<string, string>>;

/** How long the provider's configuration may take, in milliseconds. */
const timeout = 10_000;

/** The parts of a provider's configuration that the service needs. */
const Configuration = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  response_types_supported: z.array(z.string()).optional(),
});

const endpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;

/**
 * Checks a provider before it is deployed.
 * @param allowsPublic whether everybody who can get an account there may join
 * @throws Failure that says what to do
 */
export async function checkIssuer(
  issuer: string,
  allowsPublic: boolean,
  plan: string,
  { fetch, signal }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<void> {
  if (isPublicIssuer(issuer) && !allowsPublic) {
    throw new Failure(`Everybody can get an account at ${issuer}, and would join with a workspace on the plan ${plan}.
Use the issuer of your own organisation, or passkeys. If everybody may join: npm run setup -- --public-issuer`);
  }
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const configuration = await readConfiguration(address, issuer, fetch, signal);
  if (new URL(configuration.issuer).href !== new URL(issuer).href) {
    throw new Failure(`The identity provider calls itself ${configuration.issuer}, not ${issuer}.
If that is yours: npm run setup -- --oidc-issuer ${configuration.issuer}`);
  }
  for (const name of endpoints) {
    const url = configuration[name];
    if (URL.canParse(url) && new URL(url).protocol === "https:") continue;
    throw new Failure(
      `The identity provider's ${name} must begin with https://, not "${url}". See ${address}`,
    );
  }
  if (configuration.response_types_supported?.includes("code") === false) {
    throw new Failure(`The identity provider doesn't offer the response type "code". See ${address}`);
  }
}

async function readConfiguration(
  address: string,
  issuer: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<z.output<typeof Configuration>> {
  const unusable = (reason: string) =>
    new Failure(`The identity provider's configuration can't be used: ${reason}
Check OIDC_ISSUER: ${address} must answer with it.`);
  let body: unknown;
  try {
    const response = await fetch(address, {
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    if (response.status !== 200) throw unusable(`it answered ${response.status}`);
    body = await response.json();
  } catch (error) {
    if (error instanceof Failure || signal.aborted) throw error;
    throw unusable(error instanceof SyntaxError ? "it isn't JSON" : `${new URL(issuer).host} doesn't answer`);
  }
  const configuration = Configuration.safeParse(body);
  if (!configuration.success) throw unusable(`it has no ${configuration.error.issues[0]?.path.join(".")}`);
  if (!URL.canParse(configuration.data.issuer)) throw unusable("its issuer isn't an address");
  return configuration.data;
}

/**
 * Returns the settings with passkeys on, if a provider is added to a service whose people have passkeys: with a
 * provider, passkeys are off unless they are set, and those people couldn't sign in any more.
 * @param deployed the settings of the deployed service
 * @param database the path of its catalogue's database in the account's API
 */
export async function keepPasskeys(
  api: Api,
  vars: Vars,
  deployed: Vars | undefined,
  database: string,
): Promise<Vars> {
  const isAdded = (vars.OIDC_ISSUER ?? "") !== "" && (deployed?.OIDC_ISSUER ?? "") === "";
  if (deployed === undefined || !isAdded || (vars.PASSKEYS ?? "") !== "" || deployed.PASSKEYS === "off") {
    return vars;
  }
  return (await hasPasskeys(api, database)) ? { ...vars, PASSKEYS: "on" } : vars;
}

/** Returns whether people have passkeys; true if that can't be read. */
async function hasPasskeys(api: Api, database: string): Promise<boolean> {
  try {
    const sql = "SELECT 1 FROM passkeys LIMIT 1";
    const [answer] = await api.post<{ results: unknown[] }[]>(`${database}/query`, { sql });
    return (answer?.results ?? []).length > 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return true;
  }
}

/** Returns a line for every setting that differs from the deployed ones, or from the defaults of a new service. */
export function changedSettings(vars: Vars, before: Vars): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(vars)])];
  return names.flatMap((name) => {
    const [was = "", is = ""] = [before[name], vars[name]];
    if (was === is) return [];
    return [`${name} = ${JSON.stringify(is)}${was === "" ? "" : `, was ${JSON.stringify(was)}`}`];
  });
}
