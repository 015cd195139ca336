import { createHash } from "node:crypto";
import type { Plan } from "../../src/contract/plans.ts";
import type { KeyType, Scope } from "../../src/contract/resources/enums.ts";
import { randomBase62 } from "../../src/lib/crypto/random.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { Database } from "./catalogue.ts";
import { readFileIfExists, writeSecretFile } from "./files.ts";

const workspaceId = "01900000-0000-7000-8000-000000000001";
const userId = "01900000-0000-7000-8000-000000000002";
const plan: Plan = "business";
const scopes: Scope[] = ["qr:read", "qr:write", "scans:read"];

/** The name of the demo workspace's member. */
export const demoName = "demo";

/** Returns the demo workspace's key stored in a file, creating it if necessary. */
export async function demoKey(file: string, prefix: "sk_live_" | "pk_live_"): Promise<string> {
  const stored = (await readFileIfExists(file)).trim();
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

/**
 * Creates the demo workspace, its keys and its member. In existing rows, it updates only the values that contain a port:
 * the member's issuer, and the publishable key's origin.
 */
export async function insertDemo(db: Database, demo: Demo, now: number): Promise<void> {
  const { key, publishableKey, origin, issuer } = demo;
  // Keys are listed in the order of their ids.
  const [keyId = "", publishableKeyId = ""] = [newId(now), newId(now)].sort();
  const insertKey = (
    id: string,
    name: string,
    given: string,
    type: KeyType,
    keyScopes: Scope[],
    origins: string[],
  ) =>
    db
      .prepare(
        `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (digest) DO UPDATE SET origins = excluded.origins`,
      )
      .bind(
        id,
        workspaceId,
        name,
        type,
        JSON.stringify(keyScopes),
        JSON.stringify(origins),
        sha256(given),
        given.slice(0, 8),
        given.slice(-4),
        now,
      );
  await db.batch([
    db
      .prepare(
        "INSERT INTO workspaces (id, name, plan, created_at) VALUES (?, 'Demo', ?, ?) ON CONFLICT DO NOTHING",
      )
      .bind(workspaceId, plan, now),
    insertKey(keyId, "Demo", key, "secret", scopes, []),
    insertKey(publishableKeyId, "Embed demo", publishableKey, "publishable", ["qr:write"], [origin]),
    db
      .prepare(
        `INSERT INTO users (id, issuer, subject, name, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET issuer = excluded.issuer`,
      )
      .bind(userId, issuer, demoName, demoName, now),
    db
      .prepare(
        "INSERT INTO members (user_id, workspace_id, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      )
      .bind(userId, workspaceId, now),
  ]);
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
