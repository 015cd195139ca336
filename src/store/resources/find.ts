import type { ResourceKind, ResourceRow } from "./kind.ts";

/** A resource's current row, deleted or not. */
export interface Current<Row> {
  readonly row: Row;
  /** Whether a change that scans depend on may still be unpublished. */
  readonly isPublicationPending: boolean;
}

/** Returns SQL for whether a change of the row `c` may still be unpublished. */
export const isPending = ({ publicationKey }: Pick<ResourceKind<never>, "publicationKey">): string =>
  publicationKey === null
    ? "0"
    : `EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = ${publicationKey})`;

/** Returns the workspace's resource with this id, deleted or not. */
export async function findCurrent<Row extends ResourceRow>(
  db: D1Database,
  kind: ResourceKind<Row>,
  workspaceId: string,
  id: string,
): Promise<Current<Row> | undefined> {
  const result = await db
    .prepare(
      `SELECT ${kind.rows.columns("c")}, ${isPending(kind)} AS is_pending
       FROM ${kind.table} c WHERE c.${kind.keys.id} = ? AND c.${kind.keys.workspaceId} = ?`,
    )
    .bind(id, workspaceId)
    .first();
  return result === null
    ? undefined
    : { row: kind.rows.read(result), isPublicationPending: result.is_pending === 1 };
}
