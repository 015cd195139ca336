/** Deletes the rows of files that are being removed and have been deleted. */
export async function deleteRemovedRows(
  db: D1Database,
  table: "logos" | "page_images",
  files: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<void> {
  await db
    .prepare(
      `DELETE FROM ${table} WHERE removing_at IS NOT NULL AND (workspace_id, id) IN
         (SELECT value->>'workspaceId', value->>'id' FROM json_each(?))`,
    )
    .bind(JSON.stringify(files))
    .run();
}
