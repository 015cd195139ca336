import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Miniflare } from "miniflare";
import { unstable_splitSqlQuery as splitSql } from "wrangler";

export const workspaceId = "01900000-0000-7000-8000-000000000002";
export const apiKey = `sk_live_${"b".repeat(32)}`;

/** Migrates the catalogue and makes a workspace with a key and codes, through the API. @returns the codes' hashes */
export async function seedService(miniflare: Miniflare, codes: number): Promise<string[]> {
  const db = await miniflare.getD1Database("DB");
  for (const file of readdirSync("migrations")
    .filter((name) => name.endsWith(".sql"))
    .sort()) {
    for (const statement of splitSql(readFileSync(`migrations/${file}`, "utf8")))
      await db.prepare(statement).run();
  }
  await db
    .prepare(
      "INSERT INTO workspaces (id, name, plan, requests_per_minute, created_at) VALUES (?, ?, ?, ?, ?)",
    )
    .bind(workspaceId, "Bench", "business", 100_000_000, Date.now())
    .run();
  await db
    .prepare(
      `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
       VALUES (?, ?, 'bench', 'secret', '["qr:read","qr:write","scans:read"]', '[]', ?, 'sk_live_', 'bbbb', ?)`,
    )
    .bind(crypto.randomUUID(), workspaceId, createHash("sha256").update(apiKey).digest("hex"), Date.now())
    .run();
  const hashes: string[] = [];
  for (let i = 0; i < codes; i += 1) {
    const response = await miniflare.dispatchFetch("http://localhost:8787/api/v1/qr", {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ qrType: "url", data: { type: "url", url: `https://example.com/${i}` } }),
    });
    if (response.status !== 201) throw new Error(`seeding: ${response.status} ${await response.text()}`);
    hashes.push(((await response.json()) as { hash: string }).hash);
  }
  return hashes;
}
