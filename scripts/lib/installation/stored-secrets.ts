import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secretIds, secretName } from "../../../src/lib/crypto/keyring.ts";
import { Failure } from "../failure.ts";
import { writeSecretFile } from "../files.ts";

/** Runs wrangler. @returns its output @throws Failure with its output */
export type RunWrangler = (args: string[]) => Promise<string>;

/**
 * Returns the names of a Worker's secrets; none if it isn't deployed yet.
 * @param config the path of its configuration
 */
export async function listSecrets(wrangler: RunWrangler, config: string): Promise<ReadonlySet<string>> {
  const output = await wrangler(["secret", "list", "-c", config]).catch((error: unknown) => {
    if (error instanceof Failure && /Worker "\S+" not found/.test(error.message)) return "[]";
    throw error;
  });
  return new Set((JSON.parse(output) as { name: string }[]).map(({ name }) => name));
}

/** Returns the name under which a secret's newest value is stored, or will be. */
export const newestName = (name: string, stored: Iterable<string>): string =>
  secretName(name, secretIds(name, stored)[0] ?? 1);

/** Hands values to wrangler in a file that only this user can read, and that is gone when it ends. */
export async function withSecretsFile<Result>(
  values: Readonly<Record<string, string | null>>,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "qr-secrets-"));
  try {
    const file = join(folder, "secrets.json");
    await writeSecretFile(file, JSON.stringify(values));
    return await use(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
