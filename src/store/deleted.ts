import { limits } from "../contract/limits.ts";
import type { BinItem, BinKind } from "../contract/resources/history/bin.ts";
import { chunksBySize } from "../lib/chunks.ts";
import { newId } from "../lib/text/ids.ts";
import { eraseHistory } from "./history.ts";

/** Tables whose deleted rows stay until they can't be restored any more, and are then deleted, with the kind of their rows. */
export const deletableKinds = {
  folders: "folder",
  templates: "template",
  domains: "domain",
  saved_lists: "saved_list",
} as const satisfies Record<string, BinKind>;

export type DeletableTable = keyof typeof deletableKinds;

export const deletableTables = Object.keys(deletableKinds) as readonly DeletableTable[];

/** A deleted thing that can be restored. */
export type DeletedRow = Pick<BinItem, "kind" | "id" | "name" | "hash"> & DeletedPosition;

/** Its position in the list of deleted things. */
export interface DeletedPosition {
  /** Epoch milliseconds. */
  readonly deletedAt: number;
  readonly id: string;
}

/** The columns of a kind, its table, and the condition of the index by which it is listed. */
const deletedOf: Readonly<Record<BinKind, string>> = {
  code: "name, hash FROM qr_codes WHERE deleted_at IS NOT NULL AND erased_at IS NULL",
  page: "content->>'title' AS name, NULL AS hash FROM pages WHERE deleted_at IS NOT NULL AND erased_at IS NULL",
  folder: deletedIn("folders"),
  template: deletedIn("templates"),
  domain: "host AS name, NULL AS hash FROM domains WHERE deleted_at IS NOT NULL",
  saved_list: `${deletedIn("saved_lists")} AND owner_id IN ('', ?6)`,
};

function deletedIn(table: DeletableTable): string {
  return `name, NULL AS hash FROM ${table} WHERE deleted_at IS NOT NULL`;
}

/**
 * Returns what the workspace has deleted after a time and can be restored, latest first, after a position.
 * @param userId the person who asks, who alone sees their own lists; empty for none
 */
export async function listDeleted(
  db: D1Database,
  workspaceId: string,
  kinds: readonly BinKind[],
  since: number,
  after: DeletedPosition | null,
  limit: number,
  userId: string,
): Promise<DeletedRow[]> {
  const latest = kinds.map(
    (kind) => `SELECT * FROM (SELECT '${kind}' AS kind, id, deleted_at AS deletedAt, ${deletedOf[kind]}
      AND workspace_id = ?1 AND deleted_at > ?2 AND (deleted_at, id) < (?3, ?4)
      ORDER BY deleted_at DESC, id DESC LIMIT ?5)`,
  );
  // D1 allows five terms in one compound SELECT.
  const parts = [...chunksBySize(latest, 4, () => 1)].map(
    (some) => `SELECT * FROM (${some.join(" UNION ALL ")})`,
  );
  const { results } = await db
    .prepare(
      `SELECT * FROM (${parts.join(" UNION ALL ")}) WHERE ?6 IS NOT NULL ORDER BY deletedAt DESC, id DESC LIMIT ?5`,
    )
    .bind(workspaceId, since, after?.deletedAt ?? Number.MAX_SAFE_INTEGER, after?.id ?? "", limit, userId)
    .all<DeletedRow>();
  return results;
}

/**
 * Returns the SQL of a statement for codes that wait for deleted folders: these are about to be gone for good.
 * @param folderIds SQL for the ids of the folders
 */
export const forgetFolders = (folderIds: string, limit = "-1"): string =>
  `UPDATE qr_codes SET deleted_folder_id = NULL, version = version + 1 WHERE id IN
     (SELECT c.id FROM folders f CROSS JOIN qr_codes c ON c.workspace_id = f.workspace_id AND c.deleted_folder_id = f.id
      WHERE f.id IN (${folderIds}) LIMIT ${limit})`;

/**
 * Returns the statements that delete, with the values in their history, the deleted rows of a workspace that are more than
 * it may keep, those deleted first. @param now epoch milliseconds
 */
export function deleteSurplus(
  db: D1Database,
  table: DeletableTable,
  workspaceId: string,
  now: number,
): D1PreparedStatement[] {
  const surplus = `SELECT id FROM ${table} WHERE workspace_id = ?1 AND deleted_at IS NOT NULL
    ORDER BY deleted_at DESC, id DESC LIMIT -1 OFFSET ${limits.deletedKept}`;
  return [
    ...(table === "folders" ? [db.prepare(forgetFolders(surplus)).bind(workspaceId)] : []),
    db
      .prepare(eraseHistory(deletableKinds[table], table, surplus, { id: "?2", at: "?3" }))
      .bind(workspaceId, newId(now), now),
    db.prepare(`DELETE FROM ${table} WHERE id IN (${surplus})`).bind(workspaceId),
  ];
}
