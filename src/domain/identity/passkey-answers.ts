import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod";
import { log } from "../../lib/log.ts";
import type { Deps } from "../deps.ts";

/**
 * The answers of browsers whose authenticators have signed a challenge, and their verification. The package that verifies
 * is loaded by the first answer.
 */

/** Base64url, of at most so many characters. */
const base64url = (length: number) =>
  z
    .string()
    .max(length)
    .regex(/^[\w-]+$/);

/** A credential's id has at most 1,023 bytes. */
const credential = { id: base64url(1364), rawId: base64url(1364), type: z.literal("public-key") };

const NewCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(8192),
    transports: z.array(z.string().max(32)).max(8).catch([]),
  }),
});

const Signature = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(2048),
    userHandle: base64url(128).nullish(),
  }),
});
export type Signature = z.output<typeof Signature>;

/** Reads an answer of the browser; null if it isn't one. */
export const readSignature = (json: string): Signature | null => read(Signature, json);

function read<S extends z.ZodType>(schema: S, json: string): z.output<S> | null {
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

/** The algorithms of accepted passkeys: ES256, which all authenticators know, then EdDSA and RS256. */
export const algorithms = [-7, -8, -257];

/** The domain to which passkeys belong. */
export const relyingParty = ({ settings }: Deps): string => new URL(settings.appOrigin).hostname;

/** The values that an answer must have. */
const expected = (deps: Deps, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: deps.settings.appOrigin,
  expectedRPID: relyingParty(deps),
  requireUserVerification: true,
});

/** A passkey as the authenticator describes it. */
export interface Credential {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Returns the passkey that was made for a challenge; null if the answer doesn't prove it. */
export async function verifyNewCredential(
  deps: Deps,
  json: string,
  challenge: string,
): Promise<Credential | null> {
  const answer = read(NewCredential, json);
  if (answer === null) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const response: RegistrationResponseJSON = { ...answer, clientExtensionResults: {} };
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject));
    // None is asked for. Others may have certificates, which are costly to check and name addresses to fetch.
    const isSelfSigned = attestation.get("fmt") === "packed" && !attestation.get("attStmt").get("x5c");
    if (attestation.get("fmt") !== "none" && !isSelfSigned) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs: algorithms,
      ...expected(deps, challenge),
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: isoBase64URL.fromBuffer(publicKey),
      counter,
      transports: answer.response.transports,
    };
  } catch (error) {
    logRefusal("new passkey refused", error);
    return null;
  }
}

/** Returns the counter of a signature by a passkey; null if it isn't a signature of the challenge by it. */
export async function verifySignature(
  deps: Deps,
  answer: Signature,
  challenge: string,
  { credentialId, publicKey, counter }: Credential,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const { userHandle, ...signed } = answer.response;
  const response: AuthenticationResponseJSON = { ...answer, response: signed, clientExtensionResults: {} };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      credential: { id: credentialId, publicKey: isoBase64URL.toBuffer(publicKey), counter },
      ...expected(deps, challenge),
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    logRefusal("passkey refused", error);
    return null;
  }
}

/** Logs why an answer was refused, such as another origin than the configured one, without values from the answer. */
function logRefusal(message: string, error: unknown): void {
  const reason = error instanceof Error ? error.message.replace(/"[^"]*"?/g, "…").slice(0, 200) : "unknown";
  log("warn", message, { reason });
}
