// The lower bound of a page's cost: the statements and calls it needs, in the same sequence, with the rows as JSON
// instead of a page.
import { DurableObject } from "cloudflare:workers";

/** Rows of a report, of a list of codes and of one code's days, and the count of a person's requests. */
export class Store extends DurableObject {
  #requests = 0;

  count() {
    this.#requests += 1;
    return this.#requests;
  }

  fill(reportRows, reportBytes, codes, days) {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE rollups (kind TEXT, i INTEGER, sums BLOB, PRIMARY KEY (kind, i)) WITHOUT ROWID");
    const insert = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO rollups SELECT ?, i, randomblob(?) FROM n`;
    sql.exec(insert, reportRows, "report", reportBytes);
    sql.exec(insert, codes, "list", 32);
    sql.exec(insert, days, "days", 32);
  }

  read(kind) {
    const rows = this.ctx.storage.sql.exec("SELECT i, sums FROM rollups WHERE kind = ?", kind).toArray();
    return rows.map(({ i, sums }) => ({ i, bytes: sums.byteLength }));
  }
}

const first = (env, sql, ...values) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first();
const all = async (env, sql, ...values) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all()
  ).results;

const member = (env) =>
  first(
    env,
    `SELECT u.id, u.name, u.email, w.* FROM sessions s JOIN users u ON u.id = s.user_id
     JOIN members m ON m.user_id = u.id JOIN workspaces w ON w.id = m.workspace_id
     WHERE s.id = ? AND s.expires_at > ? ORDER BY m.created_at, m.workspace_id LIMIT 1`,
    env.SESSION,
    Date.now(),
  );
const folders = (env) => all(env, "SELECT * FROM folders WHERE workspace_id = ? ORDER BY id", env.WORKSPACE);
const code = (env) =>
  first(
    env,
    "SELECT * FROM qr_codes WHERE id = ? AND workspace_id = ? AND deleted_at IS NULL",
    env.CODE,
    env.WORKSPACE,
  );
const codes = (env) =>
  all(
    env,
    "SELECT * FROM qr_codes WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY id DESC LIMIT 26",
    env.WORKSPACE,
  );

const topCodes = (env) =>
  all(
    env,
    "SELECT c.* FROM json_each(?) i CROSS JOIN qr_codes c ON c.id = i.value WHERE c.workspace_id = ?",
    JSON.stringify([env.CODE]),
    env.WORKSPACE,
  );

const batch = async (env, ...statements) =>
  (await env.DB.batch(statements.map(([sql, ...values]) => env.DB.prepare(sql).bind(...values)))).map(
    ({ results }) => results,
  );

/** Returns the notices above every page's content. @param settings the ledger's part */
const notices = (env, settings) =>
  Promise.all([
    batch(
      env,
      [
        "SELECT * FROM qr_codes WHERE workspace_id = ? AND suspended IS NOT NULL AND deleted_at IS NULL LIMIT 3",
        env.WORKSPACE,
      ],
      [
        `SELECT * FROM pages
         WHERE workspace_id = ? AND (form_closed OR suspended IS NOT NULL) AND deleted_at IS NULL LIMIT 3`,
        env.WORKSPACE,
      ],
      [
        "SELECT name FROM api_keys WHERE workspace_id = ? AND capped_at >= ? AND revoked_at IS NULL LIMIT 3",
        env.WORKSPACE,
        Date.now(),
      ],
    ),
    settings,
  ]);

/** Returns the latest changes and the bulk jobs in progress. */
const activity = (env) =>
  batch(
    env,
    [
      "SELECT * FROM qr_codes WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY updated_at DESC LIMIT 5",
      env.WORKSPACE,
    ],
    [
      `SELECT * FROM bulk_jobs
       WHERE workspace_id = ? AND completed_at IS NULL AND staged_at IS NOT NULL ORDER BY id DESC LIMIT 5`,
      env.WORKSPACE,
    ],
  );

/** A report covers days in the time zone named in the settings. */
const pages = {
  "/list": async (env, store) => [await codes(env), await Promise.all([store.read("list"), folders(env)])],
  "/code": async (env, store, settings) => [
    await code(env),
    await Promise.all([store.read("days"), settings.then(() => store.read("report"))]),
  ],
  "/overview": (env, store, settings) =>
    Promise.all([
      activity(env),
      folders(env),
      settings.then(async () => [
        await store.read("report"),
        await Promise.all([topCodes(env), store.read("days")]),
      ]),
    ]),
};

export default {
  async fetch(request, env) {
    const store = env.STORE.get(env.STORE.idFromName("store"));
    if (request.method === "POST") {
      const { rows, bytes, codes, days } = await request.json();
      await store.fill(rows, bytes, codes, days);
      return new Response();
    }
    const page = pages[new URL(request.url).pathname];
    const signedIn = await member(env);
    const requests = await env.STORE.get(env.STORE.idFromName("meter")).count();
    const settings = store.read("settings");
    return Response.json([
      signedIn,
      requests,
      await Promise.all([notices(env, settings), page(env, store, settings)]),
    ]);
  },
};
