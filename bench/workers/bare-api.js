// The lower bound of the API's cost: the same calls and statements in plain JavaScript, without validation, error
// handling and authorization. Its responses equal the service's, so that both send the same number of bytes.
import { DurableObject } from "cloudflare:workers";

const origin = "http://localhost:8787";
const regions = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"];

/** Counts requests, and stores the count like the service's meter. */
export class Meter extends DurableObject {
  #count = this.ctx.storage.kv.get("count") ?? 0;

  hit() {
    this.#count += 1;
    void this.ctx.storage.put("count", this.#count, { allowUnconfirmed: true });
    return this.#count;
  }
}

/** Lists changed routes. */
export class Feed extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS changes (key TEXT PRIMARY KEY, version INTEGER, at INTEGER)",
    );
  }

  publish(key, version, at) {
    this.ctx.storage.sql.exec(
      "INSERT OR REPLACE INTO changes (key, version, at) VALUES (?, ?, ?)",
      key,
      version,
      at,
    );
  }
}

/** Holds scans, each in one row. */
export class Ledger extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS codes (id TEXT PRIMARY KEY, scans INTEGER, visitors INTEGER) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS scans (qrId TEXT, id TEXT, scannedAt TEXT, country TEXT, city TEXT, device TEXT,
        os TEXT, userAgent TEXT, via TEXT, PRIMARY KEY (qrId, id)) WITHOUT ROWID`);
  }

  fill(codes, scans) {
    const { sql } = this.ctx.storage;
    sql.exec("INSERT INTO codes SELECT value, 0, 0 FROM json_each(?)", JSON.stringify(codes));
    sql.exec(
      `INSERT INTO scans SELECT value->>'qrId', value->>'id', value->>'scannedAt', value->>'country', value->>'city',
         value->>'device', value->>'os', value->>'userAgent', value->>'via' FROM json_each(?)`,
      JSON.stringify(scans),
    );
  }

  scansOf(id, limit) {
    const { sql } = this.ctx.storage;
    const [code] = sql.exec("SELECT scans, visitors FROM codes WHERE id = ?", id).toArray();
    const stats = { total: code?.scans ?? 0, uniqueVisitors: code?.visitors ?? 0 };
    const query = `SELECT id, qrId, scannedAt, country, city, device, os, userAgent, via FROM scans
      WHERE qrId = ? ORDER BY id DESC LIMIT ?`;
    const events = sql.exec(query, id, limit).toArray();
    const nextCursor = events.length === limit ? events.at(-1).id : null;
    return { stats, events, nextCursor, completeFrom: null, closed: { total: 0, reasons: [], days: [] } };
  }
}

const present = (row) => ({
  id: row.id,
  externalId: row.external_id,
  hash: row.hash,
  qrType: row.qr_type,
  name: row.name,
  folderId: row.folder_id,
  tags: JSON.parse(row.tags),
  status: row.status,
  scanUrl: `${origin}/${row.hash}`,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
  data: JSON.parse(row.data),
  shape: row.shape,
  colorConfig: JSON.parse(row.color_config),
  templateId: row.template_id,
  advanced: JSON.parse(row.advanced),
  suspended: JSON.parse(row.suspended),
  readability: row.readable === 0 ? "unreadable" : null,
  scanOriginOnly: row.scan_origin_only === 1,
  startsAt: row.starts_at,
  expiresAt: row.expires_at,
  fallbackUrl: row.fallback_url,
  utm: JSON.parse(row.utm),
  query: row.query,
  domain: row.domain,
  aliases: JSON.parse(row.aliases ?? "[]"),
});

const routeOf = ({ id, hash, version, data }) =>
  JSON.stringify({ id, hash, version, destination: JSON.parse(data).url });

const object = (namespace, name) => namespace.get(namespace.idFromName(name));

const findCode = (env, workspace, id) =>
  env.DB.prepare("SELECT * FROM qr_codes WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL")
    .bind(id, workspace)
    .first();

/** Returns the event of a new code, for its batch. Only written if the workspace has webhooks. */
const createdEvent = (env, workspace, qr) =>
  env.DB.prepare(
    `INSERT INTO outbox (id, workspace_id, kind, data, created_at) SELECT ?, w.id, 'qr.created', ?, ?
     FROM workspaces w CROSS JOIN qr_codes c ON c.workspace_id = w.id WHERE w.id = ? AND w.has_webhooks AND c.id = ?`,
  ).bind(crypto.randomUUID(), JSON.stringify(qr), Date.now(), workspace, qr.id);

/** Returns the event of changed data, for its batch. */
const updatedEvent = (env, workspace, id, data) =>
  env.DB.prepare(
    `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
     SELECT ?, w.id, 'qr.updated', json_object('id', c.id, 'hash', c.hash, 'name', c.name, 'tags', json(c.tags)), ?
     FROM qr_codes c CROSS JOIN workspaces w ON w.id = c.workspace_id
     WHERE c.id = ? AND w.id = ? AND w.has_webhooks AND c.deleted_at IS NULL AND c.data <> ?`,
  ).bind(crypto.randomUUID(), Date.now(), id, workspace, data);

async function listCodes(env, workspace) {
  const { results } = await env.DB.prepare(
    "SELECT * FROM qr_codes WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY id DESC LIMIT 26",
  )
    .bind(workspace)
    .all();
  const items = results.slice(0, 25).map(present);
  const cursor = btoa(JSON.stringify([items.at(-1).id, "{}"])).replaceAll("=", "");
  return { items, nextCursor: results.length > 25 ? cursor : null };
}

async function listFolders(env, workspace) {
  const { results } = await env.DB.prepare("SELECT * FROM folders WHERE workspace_id = ? ORDER BY id")
    .bind(workspace)
    .all();
  const folders = results.map(({ id, name, created_at }) => ({
    id,
    name,
    createdAt: new Date(created_at).toISOString(),
  }));
  return { folders };
}

async function listScans(env, workspace, id) {
  await findCode(env, workspace, id);
  return object(env.LEDGERS, workspace).scansOf(id, 50);
}

async function createCode(env, workspace, input) {
  const now = Date.now();
  const row = {
    id: crypto.randomUUID(),
    hash: crypto.randomUUID().slice(0, 8),
    version: 1,
    qr_type: input.qrType,
    name: input.name ?? null,
    data: JSON.stringify(input.data),
    folder_id: null,
    tags: "[]",
    status: "active",
    shape: null,
    color_config: null,
    template_id: null,
    advanced: null,
    suspended: null,
    starts_at: null,
    expires_at: null,
    fallback_url: null,
    utm: null,
    query: "off",
    domain: null,
    aliases: null,
    created_at: now,
    updated_at: now,
  };
  const qr = present(row);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO qr_codes (id, workspace_id, hash, hash_folded, version, qr_type, name, data, folder_id, tags, status,
         created_at, updated_at)
       SELECT ?, w.id, ?, ?, 1, ?, ?, ?, (SELECT f.id FROM folders f WHERE f.id = ? AND f.workspace_id = w.id), '[]',
         'active', ?, ?
       FROM workspaces w WHERE w.id = ? AND (? IS NULL OR w.live_codes < ?) RETURNING id`,
    ).bind(
      row.id,
      row.hash,
      row.hash,
      row.qr_type,
      row.name,
      row.data,
      null,
      now,
      now,
      workspace,
      null,
      null,
    ),
    createdEvent(env, workspace, qr),
  ]);
  await env.ROUTES.put(row.hash, routeOf(row));
  return qr;
}

async function changeCode(env, workspace, id, input) {
  await findCode(env, workspace, id);
  const now = Date.now();
  const [column, value] =
    input.name === undefined ? ["data", JSON.stringify(input.data)] : ["name", input.name];
  const [, , { results }] = await env.DB.batch([
    updatedEvent(env, workspace, id, JSON.stringify({ [column]: value })),
    env.DB.prepare(
      `UPDATE qr_codes SET ${column} = ?, version = version + 1, updated_at = ?
       WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL AND ${column} IS NOT ?`,
    ).bind(value, now, id, workspace, value),
    env.DB.prepare(
      `SELECT c.*, EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = c.hash) AS is_pending
       FROM qr_codes c WHERE c.id = ? AND c.workspace_id = ?`,
    ).bind(id, workspace),
  ]);
  const [row] = results;
  // Scans don't depend on a name.
  if (column === "name") return present(row);
  await Promise.all([
    env.ROUTES.put(row.hash, routeOf(row)),
    ...regions.map((region) => object(env.FEEDS, region).publish(row.hash, row.version, now)),
  ]);
  await env.REPAIRS.send({ key: row.hash });
  return present(row);
}

async function handle(request, env, workspace) {
  const [, id, part] = new URL(request.url).pathname.slice("/api/v1/".length).split("/");
  if (request.method === "POST") return createCode(env, workspace, await request.json());
  if (request.method === "PATCH") return changeCode(env, workspace, id, await request.json());
  if (part === "scans") return listScans(env, workspace, id);
  if (id !== undefined) return present(await findCode(env, workspace, id));
  return request.url.endsWith("/folders") ? listFolders(env, workspace) : listCodes(env, workspace);
}

export default {
  async fetch(request, env) {
    const workspace = env.WORKSPACE;
    if (request.url.endsWith("/fill")) {
      const { codes, scans } = await request.json();
      return new Response(await object(env.LEDGERS, workspace).fill(codes, scans));
    }
    await object(env.METERS, "key").hit();
    const body = await handle(request, env, workspace);
    return Response.json(body, { status: request.method === "POST" ? 201 : 200 });
  },
};
