import type { Miniflare } from "miniflare";
import { defaultScopes } from "../../src/contract/resources/enums.ts";
import { encryptClaims } from "../../src/lib/crypto/encryption.ts";
import type { Keyring } from "../../src/lib/crypto/keyring.ts";
import { type Database, migrate } from "./catalogue.ts";
import { foundWorkspace } from "./found-workspace.ts";

export const workspaceId = "01900000-0000-7000-8000-000000000002";
export const apiKey = `sk_live_${"b".repeat(32)}`;

/** A second workspace's key. */
export const otherApiKey = `sk_live_${"c".repeat(32)}`;
const otherWorkspaceId = "01900000-0000-7000-8000-000000000004";

export const origin = "http://localhost:8787";
export const issuer = "http://localhost:8788";
export const sessionSecret = "a secret of 32 characters or more, for benchmarks";
const sessionSecrets: Keyring = [{ id: 1, secret: sessionSecret }];
/** A signed-in member of each workspace. */
const members = {
  first: { userId: "01900000-0000-7000-8000-000000000003", sid: "01900000-0000-7000-8000-000000000004" },
  other: { userId: "01900000-0000-7000-8000-000000000005", sid: "01900000-0000-7000-8000-000000000006" },
};
const hour = 3_600_000;

/** The session of the first workspace's member. */
export const sessionId = members.first.sid;

/** Returns a session cookie of a member of the first or second workspace, valid for an hour. */
export async function memberCookie(workspace: keyof typeof members = "first"): Promise<string> {
  const now = Date.now();
  const claims = { sid: members[workspace].sid, iss: issuer };
  return `session=${await encryptClaims(sessionSecrets, "session", claims, now, now + hour)}`;
}

/** Drops a table's triggers. */
export async function dropTriggers(db: Database, table: string): Promise<void> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?")
    .bind(table)
    .all<{ name: string }>();
  for (const { name } of results) await db.prepare(`DROP TRIGGER ${name}`).run();
}

/** Migrates the catalogue and inserts two workspaces, each with a key and a signed-in member. */
export async function seedWorkspace(miniflare: Miniflare): Promise<void> {
  const db = await miniflare.getD1Database("DB");
  await migrate(db);
  for (const [id, key, { userId, sid }] of [
    [workspaceId, apiKey, members.first],
    [otherWorkspaceId, otherApiKey, members.other],
  ] as const) {
    const now = Date.now();
    await foundWorkspace(db, {
      ...{ id, name: "Bench", plan: "business", requestsPerMinute: 100_000_000, createdAt: now },
      keys: [{ id: crypto.randomUUID(), name: "bench", key, scopes: defaultScopes }],
      owner: {
        ...{ id: userId, issuer, subject: `bench ${userId}` },
        session: { id: sid, createdAt: now, expiresAt: now + hour },
      },
    });
  }
}

/**
 * Creates codes through the API.
 * @param dataOf returns the `data` of the code with this index
 * @param more returns its other fields
 * @returns their hashes
 */
export async function seedCodes(
  miniflare: Miniflare,
  count: number,
  dataOf: (i: number) => { type: string },
  more: (i: number) => object = () => ({}),
): Promise<string[]> {
  const hashes: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const data = dataOf(i);
    const body = { qrType: data.type, data, ...more(i) };
    hashes.push((await create(miniflare, "qr", { authorization: `Bearer ${apiKey}` }, body)).hash);
  }
  return hashes;
}

/** Creates a hosted page with a form. @returns its id */
export async function seedPage(miniflare: Miniflare): Promise<string> {
  const fields = ["name", "company", "city", "message"].map((name) => ({ type: "text", name, label: name }));
  const blocks = Array.from({ length: 4 }, () => ({
    type: "text",
    text: "A sentence of the text. ".repeat(12),
  }));
  const page = { title: "Summer fair", blocks, form: { fields } };
  return (await create(miniflare, "developer/pages", { cookie: await memberCookie(), origin }, page)).id;
}

/** Gives the workspace a host, which has to end in `.localhost`. */
export async function seedDomain(miniflare: Miniflare, host: string): Promise<void> {
  await create(miniflare, "developer/domains", { cookie: await memberCookie(), origin }, { host });
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

/** Returns the id of the workspace's code with this number, from 1. */
export const codeId = (i: number): string => `${codeIdStart}${i.toString(16).padStart(12, "0")}`;
const codeIdStart = "01900000-0000-7000-8000-";

/** Returns SQL for a table `n` with the numbers `i` from 1. */
const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** How many codes a statement inserts. */
const inserted = 20_000;

/**
 * Inserts codes with names of two words and a number, own ids, two tags and addresses at a hundred hosts. One in ten has
 * an accent in its name; the first is called the oldest.
 */
export async function fillSearched(db: Database, codes: number): Promise<void> {
  await dropTriggers(db, "qr_codes");
  const words = ["Lantern", "Menu", "Poster", "Shelf", "Table", "Window", "Café", "Door", "Garden", "Hall"];
  const word = `json_extract('${JSON.stringify(words)}', '$[' || (i % 10) || ']')`;
  for (let from = 0; from < codes; from += inserted) {
    await db
      .prepare(
        `${numbers(Math.min(inserted, codes - from))}, m(i) AS (SELECT i + ${from} FROM n), k(i, name) AS (
           SELECT i, iif(i = 1, 'The oldest of all', iif(i = 17, 'Lantern', ${word}) || ' ' || i) FROM m)
         INSERT INTO qr_codes (id, workspace_id, hash, hash_folded, version, qr_type, name, name_folded, external_id,
           data, tags, status, created_at, updated_at)
         SELECT '${codeIdStart}' || printf('%012x', i), ?1, printf('%08d', i), printf('%08d', i), 1, 'url', name,
           iif(i % 10 = 6, replace(upper(name), 'é', 'É'), NULL), printf('ART-%06d', i),
           json_object('type', 'url', 'url', 'https://shop' || (i % 100) || '.example/' || i || '?ref=print'),
           json_array(lower(${word}), 'batch ' || (i % 50)), 'active', ?2, ?2 FROM k`,
      )
      .bind(workspaceId, seedTime)
      .run();
    await db
      .prepare(
        `INSERT INTO qr_tags (workspace_id, tag, qr_id) SELECT c.workspace_id, j.value, c.id
         FROM qr_codes c CROSS JOIN json_each(c.tags) j WHERE c.id BETWEEN ? AND ?`,
      )
      .bind(codeId(from + 1), codeId(from + inserted))
      .run();
  }
  await db.prepare("UPDATE workspaces SET live_codes = ? WHERE id = ?").bind(codes, workspaceId).run();
}

/** Inserts codes and 20 folders into the workspace. */
export async function fillCatalogue(db: Database, codes: number): Promise<void> {
  await db
    .prepare(
      `${numbers(20)} INSERT INTO folders (id, workspace_id, name, name_order, created_at)
       SELECT printf('01900000-0000-7000-9000-%012x', i), ?, 'Folder ' || i, printf('FOLDER %03d%d', length(i), i), ?
       FROM n`,
    )
    .bind(workspaceId, seedTime)
    .run();
  await db
    .prepare(
      `${numbers(codes)} INSERT INTO qr_codes
         (id, workspace_id, hash, hash_folded, version, qr_type, name, data, tags, status, created_at, updated_at)
       SELECT '${codeIdStart}' || printf('%012x', i), ?1, printf('%08d', i), printf('%08d', i), 1, 'url', 'Code ' || i,
         json_object('type', 'url', 'url', 'https://example.com/' || i), '[]', 'active', ?2, ?2 FROM n`,
    )
    .bind(workspaceId, seedTime)
    .run();
}

/** The time of all seeded rows, in epoch milliseconds. */
const seedTime = Date.UTC(2026, 0, 1);

/** How many codes, places and user agents the ledger's scans are spread over. */
const spread = { codes: 100, places: 200, agents: 500 };
const agentStart =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/";

/** Inserts scans of the first codes into the workspace's ledger. */
export async function fillLedger(miniflare: Miniflare, worker: string, scans: number): Promise<void> {
  const ledger = await miniflare.unsafeGetDurableObjectStorage(worker, "WorkspaceLedger", {
    name: workspaceId,
  });
  await ledger.exec(
    `${numbers(spread.codes)} INSERT INTO codes (qr_id, hash)
     SELECT '${codeIdStart}' || printf('%012x', i), printf('%08d', i) FROM n`,
  );
  await ledger.exec(
    `${numbers(spread.places)} INSERT INTO places (country, city) SELECT 'DE', 'City ' || i FROM n`,
  );
  await ledger.exec("INSERT INTO clients (ref, device, os, browser) VALUES (1, 'mobile', 'iOS', 'Safari')");
  await ledger.exec(
    `${numbers(spread.agents)} INSERT INTO agents (user_agent, client, bot)
     SELECT '${agentStart}' || i, 1, 0 FROM n`,
  );
  await ledger.exec(
    `${numbers(scans)} INSERT INTO scans (id, code, agent, place)
     SELECT unhex(printf('%012x7000800000%010x', ${seedTime} + i, i)), 1 + i % ${spread.codes}, 1 + i % ${spread.agents},
       1 + i % ${spread.places} FROM n`,
  );
}

/** Returns the same scans as the API presents them, and the codes that have scans. */
export function ledgerRows(scans: number) {
  const codes = Array.from({ length: spread.codes }, (_, i) => codeId(i + 1));
  const rows = Array.from({ length: scans }, (_, at) => {
    const i = at + 1;
    const time = (seedTime + i).toString(16).padStart(12, "0");
    return {
      id: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-00${i.toString(16).padStart(10, "0")}`,
      qrId: codeId(1 + (i % spread.codes)),
      scannedAt: new Date(seedTime + i).toISOString(),
      country: "DE",
      city: `City ${1 + (i % spread.places)}`,
      device: "mobile",
      os: "iOS",
      userAgent: `${agentStart}${1 + (i % spread.agents)}`,
      via: null,
    };
  });
  return { codes, scans: rows };
}
