import type { JWKSCacheInput } from "jose";
import type { Configuration, ServerMetadata } from "openid-client";
import type { Deps } from "../deps.ts";
import { perIsolate } from "../isolate-memory.ts";
import { log } from "../../lib/log.ts";
import { isLoopback } from "../../lib/web/origin.ts";
import type { Person } from "../../store/users.ts";

/** An isolate's memory of the provider: plain data, since a request must not wait for another one's I/O. */
interface ProviderMemory {
  metadata: ServerMetadata | undefined;
  readAt: number;
  /** Until when the provider counts as unavailable, epoch milliseconds. */
  unavailableUntil: number;
  jwks: JWKSCacheInput;
  /** Whether the log has said that sign-in is not configured. */
  reported: boolean;
}

const providerMemory = perIsolate(
  (): ProviderMemory => ({ metadata: undefined, readAt: 0, unavailableUntil: 0, jwks: {}, reported: false }),
);

/** How long an isolate trusts the provider's metadata, and how long it takes the provider to be unavailable. */
const metadataMilliseconds = 60 * 60_000;
const unavailableMilliseconds = 3_000;

/** Characters kept of a person's name. */
const nameLength = 200;

/** The provider did not answer, or not with what was asked for. */
export class ProviderUnavailable extends Error {}

/** Bytes of 256 random bits in base64, roughly; anything shorter was made up by a person. */
const secretLength = 32;

/** Whether people can sign in here. If not, the log says why, once an isolate. */
export function hasProvider(deps: Deps): boolean {
  const why = whyNoProvider(deps);
  const memory = providerMemory(deps);
  if (why !== null && !memory.reported) {
    memory.reported = true;
    log("warn", "nobody can sign in", { why });
  }
  return why === null;
}

function whyNoProvider({ provider, scanOrigin }: Deps): string | null {
  const { issuer, clientId, sessionSecret } = provider;
  if (issuer === "") return "OIDC_ISSUER is not set";
  if (clientId === "") return "OIDC_CLIENT_ID is not set";
  if (sessionSecret.length < secretLength) {
    return `SESSION_SECRET must have at least ${secretLength} characters`;
  }
  if (!URL.canParse(issuer)) return "OIDC_ISSUER is not a URL";
  if (new URL(issuer).protocol === "https:" || mayBePlain(issuer, scanOrigin)) return null;
  return "OIDC_ISSUER must begin with https://";
}

/** Plain http is for local development: the service and its provider on one machine. */
const mayBePlain = (issuer: string, scanOrigin: string): boolean =>
  [issuer, scanOrigin].every((url) => new URL(url).protocol === "http:" && isLoopback(url));

/** The network as the provider's clients are to use it; notes when the provider is away. */
function fetchOf(deps: Deps) {
  return async (url: string, init: object): Promise<Response> => {
    // Who waits for it in vain must not be joined by everybody who comes meanwhile.
    if (deps.now() < providerMemory(deps).unavailableUntil)
      throw new ProviderUnavailable("it was away a moment ago");
    let problem: string;
    try {
      const response = await deps.fetch(url, init as RequestInit);
      if (response.status < 500) return response;
      problem = `${new URL(url).pathname} answered ${response.status}`;
    } catch (error) {
      problem = String(error);
    }
    providerMemory(deps).unavailableUntil = deps.now() + unavailableMilliseconds;
    throw new ProviderUnavailable(problem);
  };
}

/**
 * What the provider says about itself, at most an hour old; older only while it is away.
 * @throws ProviderUnavailable
 */
async function discover(deps: Deps): Promise<ServerMetadata> {
  const memory = providerMemory(deps);
  const now = deps.now();
  const { metadata } = memory;
  if (metadata !== undefined && now - memory.readAt < metadataMilliseconds) return metadata;
  try {
    const client = await import("openid-client");
    const { issuer, clientId } = deps.provider;
    const config = await client
      .discovery(new URL(issuer), clientId, undefined, client.None(), {
        [client.customFetch]: fetchOf(deps),
        execute: mayBePlain(issuer, deps.scanOrigin) ? [client.allowInsecureRequests] : [],
        timeout: timeoutSeconds,
      })
      .catch((error) => {
        throw new ProviderUnavailable("no discovery document", { cause: error });
      });
    memory.metadata = config.serverMetadata();
    memory.readAt = now;
    return memory.metadata;
  } catch (error) {
    if (metadata === undefined) throw error;
    return metadata;
  }
}

const timeoutSeconds = 5;

/**
 * A client of the provider, for one request.
 * @throws ProviderUnavailable
 */
export async function openClient(deps: Deps): Promise<Configuration> {
  const metadata = await discover(deps);
  const client = await import("openid-client");
  const { issuer, clientId, clientSecret } = deps.provider;
  const skew = { [client.clockSkew]: Math.round((deps.now() - Date.now()) / 1000) };
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authenticate = methods.includes("client_secret_post")
    ? client.ClientSecretPost
    : client.ClientSecretBasic;
  const config = new client.Configuration(
    metadata,
    clientId,
    skew,
    clientSecret === "" ? client.None() : authenticate(clientSecret),
  );
  config[client.customFetch] = fetchOf(deps);
  config.timeout = timeoutSeconds;
  if (mayBePlain(issuer, deps.scanOrigin)) client.allowInsecureRequests(config);
  // The specification trusts the connection the ID token came by; its signature costs one look at known keys.
  client.enableNonRepudiationChecks(config);
  const { jwks } = providerMemory(deps);
  if ("jwks" in jwks) client.setJwksCache(config, jwks as Parameters<typeof client.setJwksCache>[1]);
  return config;
}

/** Signatures that need no shared secret. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** Of a key set that could not be had, whoever sent the token. */
const keySetProblems = ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"];

/**
 * Who a JWT speaks for; null for one that is not this provider's, not for this service, or expired.
 * @throws ProviderUnavailable
 */
export async function verifyToken(deps: Deps, token: string): Promise<Person | null> {
  const jose = await import("jose");
  if (!claimsToFit(deps, jose, token)) return null;
  const metadata = await discover(deps);
  if (metadata.jwks_uri === undefined) throw new ProviderUnavailable("the discovery document names no keys");
  const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri), {
    [jose.customFetch]: fetchOf(deps),
    [jose.jwksCache]: providerMemory(deps).jwks,
    timeoutDuration: timeoutSeconds * 1000,
  });
  try {
    const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience: deps.provider.clientId,
      algorithms: [...algorithms],
      currentDate: new Date(deps.now()),
      requiredClaims: ["exp", "sub"],
    });
    // ID and access tokens speak for a person; others of the same provider, such as logout tokens, do not.
    if (!/^((application\/)?at\+)?jwt$/i.test(protectedHeader.typ ?? "JWT")) return null;
    return personOf(metadata.issuer, payload);
  } catch (error) {
    if (!(error instanceof jose.errors.JOSEError)) throw error;
    if (keySetProblems.includes(error.code)) throw new ProviderUnavailable("no keys", { cause: error });
    return null;
  }
}

/** Whether a token says of itself that it is meant for here: what does not is refused without asking the provider. */
function claimsToFit(deps: Deps, { decodeJwt }: typeof import("jose"), token: string): boolean {
  const bare = (issuer: unknown) => String(issuer).replace(/\/$/, "");
  try {
    const { iss, aud } = decodeJwt(token);
    const { issuer, clientId } = deps.provider;
    return bare(iss) === bare(issuer) && [aud].flat().includes(clientId);
  } catch {
    return false;
  }
}

/** A person out of claims, wherever those come from; null without a subject. */
export function personOf(issuer: string, claims: Readonly<Record<string, unknown>>): Person | null {
  const text = (claim: string): string | null => {
    const value = claims[claim];
    return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, nameLength) : null;
  };
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "") return null;
  const name = text("name") ?? text("preferred_username") ?? text("nickname");
  return { issuer, subject: sub, name, email: text("email") };
}

/** Remembers the provider's keys after a sign-in, so that the next token needs no read of them. */
export function rememberKeys(deps: Deps, jwks: JWKSCacheInput | undefined): void {
  if (jwks !== undefined) providerMemory(deps).jwks = jwks;
}
