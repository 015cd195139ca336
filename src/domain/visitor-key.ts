import { hmacKey } from "../lib/crypto/digest.ts";
import type { Deps } from "./deps.ts";
import { perIsolate } from "./isolate-memory.ts";

const keyMemory = perIsolate((): { keys?: readonly CryptoKey[] } => ({}));

/** Returns the keys of the hashes that stand for visitors and their submissions, newest first. An isolate imports them once. */
export async function visitorKeys(deps: Deps): Promise<readonly CryptoKey[]> {
  const memory = keyMemory(deps);
  memory.keys ??= await Promise.all(deps.settings.visitorSecrets.map(({ secret }) => hmacKey(secret)));
  return memory.keys;
}

/** Returns the key of new hashes. */
export async function visitorKey(deps: Deps): Promise<CryptoKey> {
  const [newest] = await visitorKeys(deps);
  if (newest === undefined) throw new Error("VISITOR_SECRET is missing");
  return newest;
}
