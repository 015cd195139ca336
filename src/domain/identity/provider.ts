import type { JWKSCacheInput } from "jose";
import type { Configuration, ServerMetadata } from "openid-client";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { isLoopback } from "../../lib/web/origin.ts";
import { readBytesAtMost } from "../../lib/web/read-at-most.ts";
import type { UserProfile } from "../../store/identity/users.ts";
import type { Deps } from "../deps.ts";
import { authTimeOf, clockToleranceMilliseconds } from "./recent-sign-in.ts";

/** The provider as cached by an isolate. Plain data only, because a request must not await another request's I/O. */
interface ProviderMemory {
  metadata: ServerMetadata | undefined;
  readAt: number;
  /** Don't contact the provider before this time, epoch milliseconds. */
  unavailableUntil: number;
  jwks: JWKSCacheInput;
}

const providerMemory = perIsolate(
  (): ProviderMemory => ({
    metadata: undefined,
    readAt: 0,
    unavailableUntil: 0,
    jwks: {},
  }),
);

/** How long an isolate trusts the provider's metadata, and how long it sends no requests after one has failed. */
const metadataMilliseconds = 60 * 60_000;
const unavailableMilliseconds = 3_000;

/** The longest response that is read. A provider's documents have a few kilobytes. */
const maxResponseBytes = 1_000_000;

/** The longest name or email that is stored, in characters. */
const maxNameLength = 200;

/** The provider didn't respond, or its response is unusable. */
export class ProviderUnavailable extends Error {}

/** Plain http is allowed only in local development, where service and provider run on the same machine. */
export const allowsPlainHttp = (issuer: string, appOrigin: string): boolean =>
  [issuer, appOrigin].every((url) => new URL(url).protocol === "http:" && isLoopback(url));

/**
 * Returns a `fetch` for the provider's clients. Responses are read to their end, so that a broken connection is noticed
 * as such. After a failure, it fails immediately for three seconds.
 */
function providerFetch(deps: Deps) {
  return async (url: string, init: { readonly signal?: AbortSignal }): Promise<Response> => {
    // Requests must not pile up behind an unresponsive provider.
    if (deps.now() < providerMemory(deps).unavailableUntil) {
      throw new ProviderUnavailable("it was unavailable a moment ago");
    }
    const { pathname } = new URL(url);
    let failure: ProviderUnavailable;
    try {
      const response = await deps.fetch(url, init as RequestInit);
      const body = await readBytesAtMost(
        response.body,
        maxResponseBytes,
        init.signal ?? new AbortController().signal,
      );
      if (response.status < 500) return new Response(body, response);
      failure = new ProviderUnavailable(`${pathname} answered ${response.status}`);
    } catch (error) {
      failure = new ProviderUnavailable(`${pathname} could not be fetched`, { cause: error });
    }
    providerMemory(deps).unavailableUntil = deps.now() + unavailableMilliseconds;
    throw failure;
  };
}

/** Reads the provider's discovery document. @throws ProviderUnavailable */
export async function readProviderMetadata(deps: Deps): Promise<ServerMetadata> {
  const client = await import("openid-client");
  const { issuer, clientId } = deps.settings.provider;
  const config = await client
    .discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: providerFetch(deps),
      execute: allowsPlainHttp(issuer, deps.settings.appOrigin) ? [client.allowInsecureRequests] : [],
      timeout: timeoutSeconds,
    })
    .catch((error) => {
      throw new ProviderUnavailable("no discovery document", { cause: error });
    });
  return config.serverMetadata();
}

/**
 * Returns the provider's discovery document, at most an hour old; older only while the provider is unavailable.
 * @throws ProviderUnavailable
 */
async function discover(deps: Deps): Promise<ServerMetadata> {
  const memory = providerMemory(deps);
  const now = deps.now();
  const { metadata } = memory;
  if (metadata !== undefined && now - memory.readAt < metadataMilliseconds) return metadata;
  try {
    memory.metadata = await readProviderMetadata(deps);
    memory.readAt = now;
    return memory.metadata;
  } catch (error) {
    if (metadata === undefined) throw error;
    return metadata;
  }
}

const timeoutSeconds = 5;

/** How far the provider's clock may differ from ours, in `exp`, `iat` and `nbf`. */
const clockToleranceSeconds = clockToleranceMilliseconds / 1000;

/**
 * Creates a client of the provider for one request.
 * @param clientSecret by default the newest, if there is one
 * @throws ProviderUnavailable
 */
export async function openClient(
  deps: Deps,
  clientSecret: string | undefined = deps.settings.provider.clientSecrets[0]?.secret,
): Promise<Configuration> {
  const metadata = await discover(deps);
  const client = await import("openid-client");
  const { issuer, clientId } = deps.settings.provider;
  const skew = {
    [client.clockSkew]: Math.round((deps.now() - Date.now()) / 1000),
    [client.clockTolerance]: clockToleranceSeconds,
  };
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authenticate = methods.includes("client_secret_post")
    ? client.ClientSecretPost
    : client.ClientSecretBasic;
  const config = new client.Configuration(
    metadata,
    clientId,
    skew,
    clientSecret === undefined ? client.None() : authenticate(clientSecret),
  );
  config[client.customFetch] = providerFetch(deps);
  config.timeout = timeoutSeconds;
  if (allowsPlainHttp(issuer, deps.settings.appOrigin)) client.allowInsecureRequests(config);
  // OpenID Connect doesn't require this check for an ID token received over TLS, but it is cheap with cached keys.
  client.enableNonRepudiationChecks(config);
  const { jwks } = providerMemory(deps);
  if ("jwks" in jwks) client.setJwksCache(config, jwks as Parameters<typeof client.setJwksCache>[1]);
  return config;
}

/** Asymmetric signature algorithms. */
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

/** Error codes of jose for a key set that couldn't be fetched. They don't mean that the token is invalid. */
const keySetErrors = ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"];

/** A JWT that is valid for this service. */
interface VerifiedToken {
  /** The user it was issued to. */
  readonly profile: UserProfile;
  /** When it was issued, by the provider's clock: epoch milliseconds, in whole seconds. 0 if the token doesn't say. */
  readonly issuedAt: number;
  /** As in `authTimeOf`. */
  readonly authenticatedAt: number | null;
}

/**
 * Verifies a JWT; null if it is expired, or for another provider, audience or authorized party.
 * @throws ProviderUnavailable
 */
export async function verifyToken(deps: Deps, token: string): Promise<VerifiedToken | null> {
  const jose = await import("jose");
  if (!hasMatchingClaims(deps, jose, token)) return null;
  const metadata = await discover(deps);
  if (metadata.jwks_uri === undefined) throw new ProviderUnavailable("the discovery document names no keys");
  const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri), {
    [jose.customFetch]: providerFetch(deps),
    [jose.jwksCache]: providerMemory(deps).jwks,
    timeoutDuration: timeoutSeconds * 1000,
  });
  try {
    const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience: deps.settings.provider.clientId,
      algorithms: [...algorithms],
      currentDate: new Date(deps.now()),
      clockTolerance: clockToleranceSeconds,
      requiredClaims: ["exp", "sub"],
    });
    // Only ID and access tokens identify a user; other tokens of the provider, such as logout tokens, must not.
    if (!/^((application\/)?at\+)?jwt$/i.test(protectedHeader.typ ?? "JWT")) return null;
    const profile = profileFromClaims(metadata.issuer, payload);
    const authenticatedAt = authTimeOf(deps, payload);
    return profile && { profile, issuedAt: (payload.iat ?? 0) * 1000, authenticatedAt };
  } catch (error) {
    if (!(error instanceof jose.errors.JOSEError)) throw error;
    if (keySetErrors.includes(error.code))
      throw new ProviderUnavailable("its keys could not be fetched", { cause: error });
    return null;
  }
}

/**
 * Returns whether the unverified claims name this provider, and this service as audience and authorized party (OpenID
 * Connect Core 3.1.3.7). Other tokens are rejected without network access.
 */
function hasMatchingClaims(deps: Deps, { decodeJwt }: typeof import("jose"), token: string): boolean {
  const withoutSlash = (issuer: unknown) => String(issuer).replace(/\/$/, "");
  try {
    const { iss, aud, azp } = decodeJwt(token);
    const { issuer, clientId } = deps.settings.provider;
    const audiences = [aud].flat();
    if (withoutSlash(iss) !== withoutSlash(issuer) || !audiences.includes(clientId)) return false;
    // The authorized party is the client that the token was issued to. It is required if there are several audiences.
    return azp === undefined ? audiences.length === 1 : azp === clientId;
  } catch {
    return false;
  }
}

/** Returns a user's profile from the claims of a token or of userinfo; null without a subject. */
export function profileFromClaims(
  issuer: string,
  claims: Readonly<Record<string, unknown>>,
): UserProfile | null {
  const readText = (claim: string): string | null => {
    const value = claims[claim];
    const line = typeof value === "string" ? value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim() : "";
    return line === "" ? null : line.slice(0, maxNameLength);
  };
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "") return null;
  const name = readText("name") ?? readText("preferred_username") ?? readText("nickname");
  const emailVerified = claims.email_verified === true;
  return { issuer, subject: sub, name, email: readText("email"), emailVerified };
}

/** Caches the provider's keys after a sign-in, so that verifying the next token doesn't fetch them. */
export function cacheProviderKeys(deps: Deps, jwks: JWKSCacheInput | undefined): void {
  if (jwks !== undefined) providerMemory(deps).jwks = jwks;
}
