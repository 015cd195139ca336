import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { readIfThere } from "./files.ts";

const random = () => randomBytes(32).toString("base64url");

/** What the service needs to run locally, and how to make each: the names of wrangler.toml's `[secrets]`. */
export const localSecrets: Readonly<Record<string, () => string>> = {
  VISITOR_SECRET: random,
  WEBHOOK_SECRET: random,
  SESSION_SECRET: random,
  OIDC_CLIENT_SECRET: random,
  OPERATOR_SECRET: random,
};

/**
 * Adds the secrets that `.dev.vars` lacks, and leaves what it has as it is.
 * @returns all that it then holds
 */
export async function ensureSecrets(file: string): Promise<NodeJS.Dict<string>> {
  const there = await readIfThere(file);
  const missing = Object.entries(localSecrets)
    .filter(([name]) => !new RegExp(`^\\s*(export\\s+)?${name}\\s*=`, "m").test(there))
    .map(([name, make]) => `${name}=${make()}\n`);
  if (missing.length === 0) return parseEnv(there);
  const gap = there === "" || there.endsWith("\n") ? "" : "\n";
  const text = there + gap + missing.join("");
  await writeFile(file, text, { mode: 0o600 });
  return parseEnv(text);
}
