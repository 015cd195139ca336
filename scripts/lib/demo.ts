import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Scope } from "../../src/contract/resources/enums.ts";
import type { Plan } from "../../src/contract/plans.ts";
import { randomBase62 } from "../../src/lib/crypto/random.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { readFileIfExists } from "./files.ts";

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
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
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
 * Returns SQL that creates the demo workspace, its keys and its member. In existing rows, it updates only the values
 * that contain a port: the member's issuer, and the publishable key's origin.
 */
export async function demoSql(demo: Demo, now: number): Promise<string> {
  const { key, publishableKey, origin, issuer } = demo;
  return `
    INSERT INTO workspaces (id, name, plan, created_at)
    VALUES ('${workspaceId}', 'Demo', '${plan}', ${now})
    ON CONFLICT DO NOTHING;
    INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
    VALUES ('${newId(now)}', '${workspaceId}', 'Demo', 'secret', '${JSON.stringify(scopes)}', '[]',
      '${sha256(key)}', 'sk_live_', '${key.slice(-4)}', ${now})
    ON CONFLICT DO NOTHING;
    INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
    VALUES ('${newId(now + 1)}', '${workspaceId}', 'Embed demo', 'publishable', '["qr:write"]', '["${origin}"]',
      '${sha256(publishableKey)}', 'pk_live_', '${publishableKey.slice(-4)}', ${now})
    ON CONFLICT (digest) DO UPDATE SET origins = excluded.origins;
    INSERT INTO users (id, issuer, subject, name, created_at)
    VALUES ('${userId}', '${issuer}', '${demoName}', '${demoName}', ${now})
    ON CONFLICT (id) DO UPDATE SET issuer = excluded.issuer;
    INSERT INTO members (user_id, workspace_id, created_at)
    VALUES ('${userId}', '${workspaceId}', ${now})
    ON CONFLICT DO NOTHING;`;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
