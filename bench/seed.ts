import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Miniflare } from "miniflare";
import { seal } from "../src/lib/crypto/encrypted-claims.ts";
import { unstable_splitSqlQuery as splitSql } from "wrangler";

export const workspaceId = "01900000-0000-7000-8000-000000000002";
export const apiKey = `sk_live_${"b".repeat(32)}`;

export const origin = "http://localhost:8787";
export const issuer = "http://localhost:8788";
export const sessionSecret = "a secret of 32 characters or more, for benchmarks";
const userId = "01900000-0000-7000-8000-000000000003";

/** The cookie of a member of the workspace, for an hour. */
export async function memberCookie(): Promise<string> {
  const now = Date.now();
  return `session=${await seal(sessionSecret, "session", { sub: userId, iss: issuer }, now, now + 3_600_000)}`;
}

/** Applies the catalogue's migrations. */
export async function migrate(db: Awaited<ReturnType<Miniflare["getD1Database"]>>): Promise<void> {
  const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
  for (const file of files.sort()) {
    for (const statement of splitSql(readFileSync(`migrations/${file}`, "utf8"))) {
      await db.prepare(statement).run();
    }
  }
}

/** Migrates the catalogue and makes a workspace with a key and a member. */
export async function seedWorkspace(miniflare: Miniflare): Promise<void> {
  const db = await miniflare.getD1Database("DB");
  await migrate(db);
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
  await db
    .prepare("INSERT INTO users (id, issuer, subject, created_at) VALUES (?, ?, 'bench', ?)")
    .bind(userId, issuer, Date.now())
    .run();
  await db.prepare("INSERT INTO members VALUES (?, ?, ?)").bind(userId, workspaceId, Date.now()).run();
}

/** Makes codes through the API. @param dataOf what each leads to @returns their hashes */
export async function seedCodes(
  miniflare: Miniflare,
  count: number,
  dataOf: (i: number) => { type: string },
): Promise<string[]> {
  const hashes: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const data = dataOf(i);
    const body = { qrType: data.type, data };
    hashes.push((await create(miniflare, "qr", { authorization: `Bearer ${apiKey}` }, body)).hash);
  }
  return hashes;
}

/** Makes a hosted page with a form. @returns its id */
export async function seedPage(miniflare: Miniflare): Promise<string> {
  const fields = ["name", "company", "city", "message"].map((name) => ({ type: "text", name, label: name }));
  const blocks = Array.from({ length: 4 }, () => ({
    type: "text",
    text: "What is to be told here. ".repeat(12),
  }));
  const page = { title: "Summer fair", blocks, form: { fields } };
  return (await create(miniflare, "developer/pages", { cookie: await memberCookie(), origin }, page)).id;
}

async function create(miniflare: Miniflare, path: string, credentials: object, body: object) {
  const response = await miniflare.dispatchFetch(`${origin}/api/v1/${path}`, {
    method: "POST",
    headers: { ...credentials, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`seeding: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string; hash: string };
}

/** Fills the workspace's ledger with scans of 100 codes, 200 places and 500 user agents. */
export async function fillLedger(miniflare: Miniflare, worker: string, scans: number): Promise<void> {
  const ledger = await miniflare.unsafeGetDurableObjectStorage(worker, "WorkspaceLedger", {
    name: workspaceId,
  });
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await ledger.exec(
    `${numbers(100)} INSERT INTO codes (qr_id, hash)
     SELECT printf('01900000-0000-7000-8000-%012x', i), printf('%08d', i) FROM n`,
  );
  await ledger.exec(`${numbers(200)} INSERT INTO places (country, city) SELECT 'DE', 'City ' || i FROM n`);
  await ledger.exec(
    `${numbers(500)} INSERT INTO agents (user_agent, device, os, bot) SELECT 'Mozilla/5.0 (iPhone; CPU iPhone OS ' ||
       '18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/' || i || ' Safari/604.1',
       'mobile', 'iOS', 0 FROM n`,
  );
  await ledger.exec(
    `${numbers(scans)} INSERT INTO scans (id, code, agent, place)
     SELECT unhex(printf('%012x7000800000%010x', ${Date.UTC(2026, 0, 1)} + i, i)), 1 + i % 100, 1 + i % 500, 1 + i % 200
     FROM n`,
  );
}
