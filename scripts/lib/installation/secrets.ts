import { randomBytes } from "node:crypto";
import { parseEnv } from "node:util";
import { readSecretFile, writeSecretFile } from "../files.ts";

const random = () => randomBytes(32).toString("base64url");

/** A generator for each secret that wrangler.toml requires. */
export const localSecrets: Readonly<Record<string, () => string>> = {
  VISITOR_SECRET: random,
  WEBHOOK_SECRET: random,
  SESSION_SECRET: random,
  OIDC_CLIENT_SECRET: random,
  OPERATOR_SECRET: random,
};

/** Those of `npm run dev`: an installation has the last one only while a backup is taken or restored. */
const devSecrets = { ...localSecrets, BACKUP_SECRET: random };

/**
 * Adds missing secrets to `.dev.vars`, keeping existing ones.
 * @returns all variables in the file
 */
export async function ensureSecrets(file: string): Promise<NodeJS.Dict<string>> {
  const existing = await readSecretFile(file);
  const missing = Object.entries(devSecrets)
    .filter(([name]) => !new RegExp(`^\\s*(export\\s+)?${name}\\s*=`, "m").test(existing))
    .map(([name, generate]) => `${name}=${generate()}\n`);
  if (missing.length === 0) return parseEnv(existing);
  const separator = existing === "" || existing.endsWith("\n") ? "" : "\n";
  const text = existing + separator + missing.join("");
  await writeSecretFile(file, text);
  return parseEnv(text);
}
