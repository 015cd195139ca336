import { hmacKey } from "../../lib/crypto/digest.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import type { EdgeDeps } from "../deps.ts";

const keyMemory = perIsolate((): { keys?: readonly CryptoKey[] } => ({}));

/** Returns the keys of the hashes that stand for visitors and their submissions, newest first. An isolate imports them once. */
export async function visitorKeys(deps: EdgeDeps): Promise<readonly CryptoKey[]> {
  const memory = keyMemory(deps);
  memory.keys ??= await Promise.all(deps.settings.visitorSecrets.map(({ secret }) => hmacKey(secret)));
  return memory.keys;
}

/** Returns the key of new hashes. */
export async function visitorKey(deps: EdgeDeps): Promise<CryptoKey> {
  const [newest] = await visitorKeys(deps);
  if (newest === undefined) throw new Error("VISITOR_SECRET is missing");
  return newest;
}
