import { join } from "node:path";
import { readSecretFile, writeSecretFile } from "../files.ts";

/** A secret that only the service has otherwise. */
export interface Kept {
  readonly name: string;
  readonly id: number;
  readonly value: string;
}

/** Where an installation's secrets are kept: the folder of the installations' files, and its prefix. */
interface Place {
  readonly folder: string;
  readonly prefix: string;
}

/**
 * The file with the newest generated secrets. Cloudflare never shows a secret, and a rollback brings those of the earlier
 * version back: without the file, what was encrypted since would be lost.
 */
const keptFile = ({ folder, prefix }: Place) => join(folder, `${prefix}.rotated-secrets`);

export async function readKept(place: Place): Promise<readonly Kept[]> {
  const text = await readSecretFile(keptFile(place));
  return text === "" ? [] : (JSON.parse(text) as Kept[]);
}

/** Keeps a secret before it is stored, in place of an earlier one of the same name. */
export async function keep(secret: Kept, place: Place): Promise<void> {
  const others = (await readKept(place)).filter(({ name }) => name !== secret.name);
  await writeSecretFile(keptFile(place), `${JSON.stringify([...others, secret], null, 2)}\n`);
}

/** Returns the id of a secret made now: the minute, UTC, such as 202611231205. @param newest the present one's */
export const nextId = (newest: number, time: number): number =>
  Math.max(Number(new Date(time).toISOString().replace(/\D/g, "").slice(0, 12)), newest + 1);
