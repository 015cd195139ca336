import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { watched } from "./runner/log-watch.ts";

/** A user of the provider. */
export interface ProviderUser {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

interface Grant {
  readonly user: ProviderUser;
  readonly parameters: URLSearchParams;
  /** When the user entered their credentials, epoch milliseconds. */
  readonly authenticatedAt: number;
}

/** Overrides that make an ID token invalid. */
interface Signing {
  readonly claims?: JWTPayload;
  readonly header?: { alg?: string; kid?: string; typ?: string };
  readonly key?: CryptoKey;
}

/**
 * An OpenID Connect provider behind an injected `fetch`. Its documents and keys are real, and it enforces PKCE and the
 * client secret.
 */
export class FakeProvider {
  readonly issuer = env.OIDC_ISSUER;
  /** Paths that were fetched, in order. */
  readonly fetched: string[] = [];
  /** Paths whose connections are refused. */
  unreachablePaths: ReadonlySet<string> = new Set();
  /** Paths whose connections break in the middle of the response. */
  breakingPaths: ReadonlySet<string> = new Set();
  /** The secret that it issued to the service. */
  clientSecret = env.OIDC_CLIENT_SECRET;
  /** Overrides for the next ID tokens. */
  signing: Signing = {};
  /** Whether ID tokens say when the user entered their credentials: `asked` only on a request with `max_age`. */
  saysAuthTime: "always" | "asked" | "never" = "always";
  readonly #now: () => number;
  #keys: { kid: string; privateKey: CryptoKey; publicKey: CryptoKey };
  readonly #grants = new Map<string, Grant>();

  private constructor(now: () => number, keys: CryptoKeyPair) {
    this.#now = now;
    this.#keys = { kid: "first", ...keys };
  }

  /** Every provider begins with the same key. */
  static async start(now: () => number = Date.now): Promise<FakeProvider> {
    firstKeys ??= await newKeys();
    return new FakeProvider(now, firstKeys);
  }

  /** Signs with another key from now on. */
  async rotate(kid: string): Promise<void> {
    this.#keys = { kid, ...(await newKeys()) };
  }

  /** For tests that forge tokens. */
  get privateKey(): CryptoKey {
    return this.#keys.privateKey;
  }

  /** The network as the service sees it. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input as RequestInfo, init);
    const { origin, pathname } = new URL(request.url);
    this.fetched.push(pathname);
    if (origin !== this.issuer || this.unreachablePaths.has(pathname))
      throw new TypeError("connection refused");
    if (this.breakingPaths.has(pathname)) return brokenResponse();
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return Response.json(this.#metadata());
      case "/jwks":
        return Response.json({ keys: [await this.#publicKey()] });
      case "/token":
        return this.#token(request);
      case "/userinfo":
        return this.#userinfo(request);
      default:
        return new Response(null, { status: 404 });
    }
  };

  /**
   * Signs a user in.
   * @param location the authorization request
   * @param sessionSince when the provider's own session of the user began, which it uses unless the request demands
   * credentials; by default they enter them now
   * @returns the URL to which the browser is redirected
   */
  agree(location: string, user: ProviderUser, sessionSince = this.#now()): URL {
    const { origin, pathname, searchParams: parameters } = new URL(location);
    if (origin + pathname !== `${this.issuer}/authorize`) throw new Error(`not the provider: ${location}`);
    const code = watched(crypto.randomUUID(), "authorization code");
    const isAsked = parameters.get("prompt") === "login" || parameters.get("max_age") === "0";
    this.#grants.set(code, { user, parameters, authenticatedAt: isAsked ? this.#now() : sessionSince });
    return this.#back(parameters, { code });
  }

  /** Declines an authorization request. */
  decline(location: string): URL {
    return this.#back(new URL(location).searchParams, { error: "access_denied" });
  }

  /** Returns a JWT of this provider for this service, valid for an hour. */
  token(user: ProviderUser, { claims, header, key }: Signing = this.signing): Promise<string> {
    const now = Math.floor(this.#now() / 1000);
    return new SignJWT({
      iss: this.issuer,
      aud: env.OIDC_CLIENT_ID,
      iat: now,
      exp: now + 3600,
      ...user,
      ...claims,
    })
      .setProtectedHeader({ alg: "RS256", kid: this.#keys.kid, ...header })
      .sign(key ?? this.#keys.privateKey);
  }

  #back(parameters: URLSearchParams, answer: Record<string, string>): URL {
    const url = new URL(parameters.get("redirect_uri") ?? "");
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    url.searchParams.set("state", parameters.get("state") ?? "");
    url.searchParams.set("iss", this.issuer);
    return url;
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  async #publicKey() {
    return { ...(await exportJWK(this.#keys.publicKey)), kid: this.#keys.kid, alg: "RS256", use: "sig" };
  }

  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    if (form.get("client_secret") !== this.clientSecret) {
      return Response.json({ error: "invalid_client" }, { status: 401 });
    }
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    // An authorization code is only valid once.
    this.#grants.delete(code);
    if (grant === undefined) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const { parameters, user, authenticatedAt } = grant;
    const refused =
      form.get("client_id") !== env.OIDC_CLIENT_ID ||
      form.get("redirect_uri") !== parameters.get("redirect_uri") ||
      (await challengeOf(form.get("code_verifier") ?? "")) !== parameters.get("code_challenge");
    if (refused) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const nonce = parameters.get("nonce") ?? "";
    const says =
      this.saysAuthTime === "always" || (this.saysAuthTime === "asked" && parameters.has("max_age"));
    const authTime = says ? { auth_time: Math.floor(authenticatedAt / 1000) } : {};
    const claims = { nonce, ...authTime, ...this.signing.claims };
    return Response.json({
      access_token: `access ${JSON.stringify(user)}`,
      token_type: "bearer",
      expires_in: 3600,
      id_token: await this.token({ sub: user.sub }, { ...this.signing, claims }),
    });
  }

  #userinfo(request: Request): Response {
    const user = request.headers.get("authorization")?.replace(/^Bearer access /i, "") ?? "";
    return Response.json(JSON.parse(user));
  }
}

/** A response whose connection breaks after its first bytes. */
function brokenResponse(): Response {
  const chunks = [new TextEncoder().encode('{"issuer":')];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.error(new TypeError("connection lost"));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

/** Kept, because generating a pair takes up to a second. */
let firstKeys: CryptoKeyPair | undefined;

const newKeys = () => generateKeyPair("RS256", { extractable: true }) as Promise<CryptoKeyPair>;

async function challengeOf(verifier: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  return btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
