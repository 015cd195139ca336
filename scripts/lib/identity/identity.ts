import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import Provider, { type Configuration } from "oidc-provider";
import { randomBase62 } from "../../../src/lib/crypto/random.ts";
import { examplePath } from "../../dev/paths.ts";
import { readOrCreateFile } from "../files.ts";
import { addingPage, examplePage, failurePage, signInPage } from "./identity-pages.ts";
import { MemoryAdapter } from "./memory-adapter.ts";

/** The service's client id at the local provider. */
export const clientId = "qr-codes";

const signInPath = "/sign-in/";

/** Issues tokens without a browser, for programs. An extension of the local provider. */
const tokenPath = "/id-token";

/** Accepts every webhook event. Also an extension. */
export const receiverPath = "/receiver";

const hourSeconds = 60 * 60;

/** The example company, as far as the page about it knows. */
export interface Example {
  /** Begins to add it and to make everyone a member; does nothing if that has begun. */
  open(): void;
  isOpening(): boolean;
  isOpen(): boolean;
}

interface Keys {
  readonly signing: JWK;
  readonly cookies: string;
}

/**
 * Starts an OpenID Connect provider on loopback that signs users in under any name, without a password.
 * @param options.serviceOrigin the origin of the only redirect URI
 * @param options.keyFile stores its keys, so that tokens stay valid after a restart
 * @param options.people full names, by the name to sign in
 * @param options.example what the page at `examplePath` opens
 */
export async function startProvider(options: {
  port: number;
  serviceOrigin: string;
  clientSecret: string;
  keyFile: string;
  people: Readonly<Record<string, string>>;
  example: Example;
}): Promise<Server> {
  const issuer = issuerAt(options.port);
  const keys = JSON.parse(await readOrCreateFile(options.keyFile, createKeys)) as Keys;
  const provider = new Provider(issuer, configuration(keys, options));
  const protocol = provider.callback();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", issuer).pathname;
    if (!isLocal(request)) response.writeHead(421).end("The local provider only answers under localhost.\n");
    else if (path.startsWith(signInPath)) void handleSignIn(provider, request, response);
    else if (path === examplePath) handleExample(issuer, options, request, response);
    else if (path === tokenPath) void handleTokenRequest(issuer, keys, request, response);
    else if (path === receiverPath) request.resume().once("end", () => response.writeHead(204).end());
    else void protocol(request, response);
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Returns whether a request names this machine. Another site could lead a name of its own here, to ask for tokens. */
const isLocal = ({ headers: { host = "" } }: IncomingMessage): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

/** The issuer of a provider on this port. */
export const issuerAt = (port: number): string => `http://localhost:${port}`;

async function createKeys(): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const signing = { ...(await exportJWK(privateKey)), kid: randomBase62(8), alg: "RS256", use: "sig" };
  return JSON.stringify({ signing, cookies: randomBase62(32) } satisfies Keys);
}

function configuration(
  keys: Keys,
  {
    serviceOrigin,
    clientSecret,
    people,
  }: { serviceOrigin: string; clientSecret: string; people: Readonly<Record<string, string>> },
): Configuration {
  return {
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${serviceOrigin}/dashboard/callback`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [keys.signing] } as NonNullable<Configuration["jwks"]>,
    cookies: { keys: [keys.cookies] },
    claims: { openid: ["sub"], profile: ["name"] },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({ sub: name, name: people[name] ?? name }),
    }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => signInPath + uid },
    pkce: { required: () => true },
    ttl: {
      AccessToken: hourSeconds,
      AuthorizationCode: 60,
      Grant: hourSeconds,
      IdToken: hourSeconds,
      Interaction: hourSeconds,
      Session: hourSeconds,
    },
    renderError(context, { error, error_description }) {
      context.type = "html";
      context.body = failurePage(error_description ?? error);
    },
    // Grants consent without asking, because this provider only serves local development.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  };
}

/** Offers the example company, opens it, and leads to it. */
function handleExample(
  issuer: string,
  { example, serviceOrigin }: { example: Example; serviceOrigin: string },
  { method, headers: { origin } }: IncomingMessage,
  response: ServerResponse,
): void {
  const redirect = (location: string) => void response.writeHead(303, { location }).end();
  if (method === "POST" && origin !== issuer) {
    // A page of any site could send the form.
    respond(response, 403, "text/plain", "Open it from the page itself.\n");
  } else if (method === "POST") {
    example.open();
    redirect(examplePath);
  } else if (example.isOpening()) respond(response, 200, "text/html", addingPage);
  else if (example.isOpen()) redirect(`${serviceOrigin}/dashboard`);
  else respond(response, 200, "text/html", examplePage);
}

/** Shows the sign-in form, and completes the sign-in when it is submitted. */
async function handleSignIn(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method !== "POST") {
      await provider.interactionDetails(request, response);
      return respond(response, 200, "text/html", signInPage);
    }
    const form = new URLSearchParams(await text(request));
    const name = readName(form.get("name"));
    const declined = { error: "access_denied", error_description: "The user declined" };
    if (name === undefined && !form.has("cancel")) return respond(response, 400, "text/html", signInPage);
    const result = form.has("cancel") ? declined : { login: { accountId: name ?? "" } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  } catch (error) {
    respond(response, 400, "text/html", failurePage(error instanceof Error ? error.message : String(error)));
  }
}

/** Responds with an ID token for a name, as plain text. */
async function handleTokenRequest(
  issuer: string,
  { signing }: Keys,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = readName(new URL(request.url ?? "/", issuer).searchParams.get("name"));
  if (name === undefined) return respond(response, 400, "text/plain", "name: must be 1 to 100 characters\n");
  const token = await new SignJWT({ name })
    .setProtectedHeader({ alg: "RS256", kid: signing.kid ?? "" })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject(name)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(await importJWK(signing, "RS256"));
  respond(response, 200, "text/plain", token);
}

function readName(value: string | null): string | undefined {
  const name = value?.trim() ?? "";
  return name.length >= 1 && name.length <= 100 ? name : undefined;
}

function respond(response: ServerResponse, status: number, type: string, body: string): void {
  response
    .writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" })
    .end(body);
}
