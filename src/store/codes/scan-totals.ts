/** Returns whether the catalogue has any totals of a workspace's codes. */
export const hasScanTotals = async (db: D1Database, workspaceId: string): Promise<boolean> =>
  (await db.prepare("SELECT 1 FROM scan_totals WHERE workspace_id = ? LIMIT 1").bind(workspaceId).first()) !==
  null;
