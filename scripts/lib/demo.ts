import { Scope } from "../../src/contract/resources/enums.ts";
import { randomBase62 } from "../../src/lib/crypto/random.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { Database } from "./catalogue.ts";
import { readSecretFile, writeSecretFile } from "./files.ts";
import { foundWorkspace } from "./found-workspace.ts";

/** The name of the demo workspace's member. */
export const demoName = "demo";

/** Returns the demo workspace's key stored in a file, creating it if necessary. */
export async function demoKey(file: string, prefix: "sk_live_" | "pk_live_"): Promise<string> {
  const stored = (await readSecretFile(file)).trim();
  if (stored.startsWith(prefix) && /^\w{8}[0-9A-Za-z]{32}$/.test(stored)) return stored;
  const key = prefix + randomBase62(32);
  await writeSecretFile(file, `${key}\n`);
  return key;
}

export interface Demo {
  readonly key: string;
  readonly publishableKey: string;
  /** The service's origin. */
  readonly origin: string;
  /** The identity provider's issuer. */
  readonly issuer: string;
}

/** Creates the demo workspace, its keys and its member, or updates what contains a port. @param now epoch milliseconds */
export async function insertDemo(db: Database, demo: Demo, now: number): Promise<void> {
  const { key, publishableKey, origin, issuer } = demo;
  // Keys are listed in the order of their ids.
  const [keyId = "", publishableKeyId = ""] = [newId(now), newId(now)].sort();
  await foundWorkspace(db, {
    id: "01900000-0000-7000-8000-000000000001",
    name: "Demo",
    plan: "business",
    createdAt: now,
    keys: [
      { id: keyId, name: "Demo", key, scopes: Scope.options },
      {
        id: publishableKeyId,
        name: "Embed demo",
        key: publishableKey,
        scopes: ["qr:write"],
        origins: [origin],
      },
    ],
    owner: { id: "01900000-0000-7000-8000-000000000002", issuer, subject: demoName, name: demoName },
  });
}
