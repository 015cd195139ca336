import { hmacKey } from "../lib/crypto/digest.ts";
import type { Deps } from "./deps.ts";
import { perIsolate } from "./isolate-memory.ts";

const keyMemory = perIsolate((): { key?: CryptoKey } => ({}));

/** Returns the key of the hashes that stand for visitors and their submissions. An isolate imports it once. */
export async function visitorKey(deps: Deps): Promise<CryptoKey> {
  const memory = keyMemory(deps);
  memory.key ??= await hmacKey(deps.settings.visitorSecret);
  return memory.key;
}
