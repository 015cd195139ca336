import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readSecretFile, writeSecretFile } from "../lib/files.ts";
import { newestName } from "../lib/installation/stored-secrets.ts";
import { alertSecret } from "./alerts.ts";

export const randomSecret = (): string => randomBytes(32).toString("base64url");

/** The secrets to store with a deployment. The others stay as they are. */
export interface Secrets {
  readonly values: Readonly<Record<string, string>>;
  /** The operator's secret, whether it is stored now or was before. */
  readonly operator: string;
  /** Where the operator's secret is from. A new one has to be written to its file first. */
  readonly operatorFrom: "environment" | "file" | "new";
}

/** The file with an installation's operator secret. Git ignores it. */
export const operatorFile = (folder: string, prefix: string): string =>
  join(folder, `${prefix}.operator-secret`);

/**
 * Decides which secrets to make. Those that the service has can't be read, and are kept.
 * @param required the names of all secrets
 * @param stored the names of those that the service has
 * @param alertUrl where alerts are sent; undefined to leave it as it is
 */
export async function decideSecrets(
  required: readonly string[],
  stored: ReadonlySet<string>,
  file: string,
  env: NodeJS.Dict<string>,
  alertUrl: string | undefined,
): Promise<Secrets> {
  const inFile = (await readSecretFile(file)).trim();
  const operator = env.OPERATOR_SECRET ?? (inFile || randomSecret());
  const operatorFrom = env.OPERATOR_SECRET !== undefined ? "environment" : inFile !== "" ? "file" : "new";
  const values: Record<string, string> = alertUrl === undefined ? {} : { [alertSecret]: alertUrl };
  for (const name of required) {
    const newest = newestName(name, stored);
    if (name === "OPERATOR_SECRET") values[newest] = operator;
    else if (name === "OIDC_CLIENT_SECRET") {
      const { OIDC_CLIENT_SECRET: given } = env;
      if (given !== undefined || !stored.has(newest)) values[newest] = given ?? "none";
    } else if (!stored.has(newest)) values[newest] = randomSecret();
  }
  return { values, operator, operatorFrom };
}

/** Writes the operator's secret. */
export const writeOperatorSecret = (file: string, secret: string): Promise<void> =>
  writeSecretFile(file, `${secret}\n`);
