import { createHash, randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { notFound, type Refusal, type Request, refuse } from "./cloudflare-answers.ts";

/** The databases of an account, and how they are to answer. */
export interface Databases {
  readonly base: string;
  readonly databases: Map<string, { name: string; sqlite: DatabaseSync }>;
  readonly databaseBytes: number;
  readonly bookmark: string;
  /** Whether queries with a trigger are refused, as D1 does for reasons of its own. Imports never are. */
  readonly refusesTriggers: boolean;
  readonly execute: ((sql: string, params: readonly string[]) => Promise<unknown[]>) | undefined;
  /** Files that were uploaded to be imported, by name. */
  readonly uploads: Map<string, string>;
}

/** Answers the part of Cloudflare's API that is about D1. */
export async function answerD1(
  account: Databases,
  { method, body, query }: Request,
  [, id, action, part]: string[],
): Promise<unknown> {
  const { databases } = account;
  if (id === undefined && method === "POST") {
    const { name } = JSON.parse(body.toString()) as { name: string };
    if ([...databases.values()].some((each) => each.name === name)) {
      return refuse(400, 7502, `Database with name ${name} already exists`);
    }
    const uuid = randomUUID();
    databases.set(uuid, { name, sqlite: new DatabaseSync(":memory:") });
    return { uuid, name };
  }
  const all = [...databases].map(([uuid, { name }]) => ({ uuid, name }));
  if (id === undefined) return all.filter(({ name }) => [null, name].includes(query.get("name")));
  const database = databases.get(id);
  if (database === undefined) return refuse(404, 7404, "The database was not found");
  if (action === undefined && method === "DELETE") return databases.delete(id) && {};
  if (action === "time_travel" && part === "bookmark") return { bookmark: account.bookmark };
  if (action === "time_travel" && part === "restore")
    return { bookmark: account.bookmark, previous_bookmark: account.bookmark, message: "" };
  const run = (sql: string, params: string[] = []) =>
    account.execute === undefined
      ? execute(database.sqlite, sql, params)
      : account.execute(sql, params).catch(refuseSql);
  if (action === "import") return answerImport(account, body, run);
  if (action !== "query") {
    return { uuid: id, name: database.name, version: "production", file_size: account.databaseBytes };
  }
  const { sql, params } = JSON.parse(body.toString()) as { sql: string; params?: string[] };
  if (account.refusesTriggers && /\bCREATE TRIGGER\b/.test(sql)) {
    return refuseSql("incomplete input: SQLITE_ERROR");
  }
  return run(sql, params);
}

const refuseSql = (error: unknown): Refusal => refuse(400, 7500, String(error));

/** Runs statements, all or none of them. */
function execute(sqlite: DatabaseSync, sql: string, params: string[]) {
  const isOne = /^\s*(SELECT|PRAGMA)/i.test(sql) || params.length > 0;
  try {
    const results = isOne ? sqlite.prepare(sql).all(...params) : [];
    if (!isOne) sqlite.exec(`BEGIN;\n${sql}\n;COMMIT;`);
    return [{ results, success: true, meta: { duration: 0, changes: 0 } }];
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
    return refuseSql(error);
  }
}

/** Answers the steps of an import: where to upload the file, then that it was executed. */
async function answerImport(
  { base, uploads }: Databases,
  body: Buffer,
  run: (sql: string) => unknown,
): Promise<unknown> {
  const { action, filename, etag } = JSON.parse(body.toString()) as {
    action: string;
    filename?: string;
    etag: string;
  };
  if (action === "init") return { upload_url: new URL(`/uploads/${etag}`, base).href, filename: etag };
  const sql = uploads.get(filename ?? "");
  if (action !== "ingest" || sql === undefined || etagOf(sql) !== etag) return notFound;
  const answer = await run(sql);
  if (!Array.isArray(answer)) return answer;
  const meta = { duration: 0, rows_read: 0, rows_written: 0, size_after: 0 };
  const result = { num_queries: answer.length, final_bookmark: "", meta };
  return { success: true, status: "complete", messages: [], result };
}

/** Returns the checksum by which an uploaded file is known. */
export const etagOf = (text: string): string => createHash("md5").update(text).digest("hex");
