import { env } from "cloudflare:workers";
import type { Keyring } from "../../src/lib/crypto/keyring.ts";

/** Returns a keyring of secrets, newest first. The oldest has the id 1. */
export const keyring = (...secrets: string[]): Keyring =>
  secrets.map((secret, i) => ({ id: secrets.length - i, secret }));

/** The settings of an installation without an identity provider. */
export const noProvider = {
  issuer: "",
  clientId: "",
  clientSecrets: [],
  sessionSecrets: keyring(env.SESSION_SECRET),
};
