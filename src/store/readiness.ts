/** Reads from the primary database. @throws when it can't be read */
export async function readCatalogue(db: D1Database): Promise<void> {
  await db.withSession("first-primary").prepare("SELECT id FROM workspaces LIMIT 1").first();
}

/** Reads from KV. @throws when it can't be read */
export async function readRouteCache(kv: KVNamespace): Promise<void> {
  await kv.get("readiness");
}
