/** Reads from the primary database. @returns its size in bytes @throws if it can't be read */
export async function readCatalogue(db: D1Database): Promise<number> {
  const { meta } = await db.withSession("first-primary").prepare("SELECT id FROM workspaces LIMIT 1").run();
  return meta.size_after;
}

/** Reads from KV. @throws if it can't be read */
export async function readRouteCache(kv: KVNamespace): Promise<void> {
  await kv.get("readiness");
}
