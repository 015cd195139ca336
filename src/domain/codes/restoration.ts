import type { Qr, QrListQuery } from "../../contract/resources/qr.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { listDeletedQrs } from "../../store/codes/list.ts";
import { filterOwnedFolderIds } from "../../store/folders/folders.ts";
import type { Deps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { type WorkspaceContext, planOf, requirePermission } from "../identity/caller.ts";
import { parseCursor, toPage } from "../paging.ts";
import { changeCode } from "./change-code.ts";
import { requireQr } from "./require-code.ts";
import { capProblem } from "./new-code.ts";
import { requireAllowedHosts } from "../operations/blocked-hosts.ts";
import { isRestorable, restorableAfter } from "../restorable.ts";
import { requireNotSuspended } from "../workspaces/suspended.ts";
import { allAddressesOf } from "./addresses.ts";

/** Returns a deleted code and until when it can be restored. @throws not_found for any other code */
export async function getDeletedQr(deps: Deps, context: WorkspaceContext, id: string): Promise<DeletedQr> {
  const row = await requireQr(deps, context, id, "shown");
  const after = restorableAfter(deps.now());
  if (row.deletedAt === null || row.erasedAt !== null || row.deletedAt <= after) throw notFound("QR code");
  return presentDeleted(deps, row);
}

/** A deleted code, and until when it can be restored. */
export interface DeletedQr {
  readonly qr: Qr;
  /** ISO 8601. */
  readonly restorableUntil: string;
}

function presentDeleted(deps: Deps, row: QrRow): DeletedQr {
  const until = (row.deletedAt ?? 0) + deps.now() - restorableAfter(deps.now());
  return { qr: presentQr(row, deps.settings.scanOrigin), restorableUntil: new Date(until).toISOString() };
}

const deletedList = { deleted: true } as const;

/**
 * Returns a page of deleted codes that can be restored, latest first. @throws invalid_input for a cursor of another
 * list
 */
export async function listDeletedQr(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { cursor, limit }: Pick<QrListQuery, "cursor" | "limit">,
): Promise<{ items: DeletedQr[]; nextCursor: string | null }> {
  const text = parseCursor(cursor, deletedList, (position) => /^\d{1,15} [0-9a-f-]{36}$/.test(position));
  const [deletedAt, id = ""] = text?.split(" ") ?? [];
  const after = deletedAt === undefined ? null : { deletedAt: Number(deletedAt), id };
  const since = restorableAfter(deps.now());
  const rows = await listDeletedQrs(deps.db, workspaceId, since, after, limit + 1);
  const page = toPage(rows, limit, deletedList, (row) => `${row.deletedAt} ${row.id}`);
  return { items: page.items.map((row) => presentDeleted(deps, row)), nextCursor: page.nextCursor };
}

/**
 * Restores a deleted code as it was. If its folder is deleted, too, it returns there when that is restored. Its route has
 * been published when this returns, even if an earlier, interrupted request restored it. A code that isn't deleted stays
 * as it is.
 * @throws not_found, also 30 days after the deletion; invalid_input if it leads to a blocked host; plan_limit at a cap of
 * the plan; forbidden in a suspended workspace
 */
export async function restoreQr(deps: Deps, context: WorkspaceContext, id: string): Promise<Qr> {
  requirePermission(context, "codes.write");
  const caps = planOf(context);
  const edit = async (row: QrRow): Promise<QrRow> => {
    if (row.deletedAt === null) return row;
    if (row.erasedAt !== null || !isRestorable(row.deletedAt, deps.now())) throw notFound("QR code");
    await requireNotSuspended(deps, context);
    const addresses = allAddressesOf(row).map(({ field, address }): [string, string] => [field, address]);
    await requireAllowedHosts(deps, Object.fromEntries(addresses));
    const problem = await capProblem(deps, context);
    if (problem !== undefined) throw problem;
    const folderId = row.folderId ?? row.deletedFolderId;
    const folders = await filterOwnedFolderIds(
      deps.db,
      context.workspaceId,
      folderId === null ? [] : [folderId],
    );
    const place = folders.has(folderId ?? "")
      ? { folderId, deletedFolderId: null }
      : { folderId: null, deletedFolderId: folderId };
    return { ...row, ...place, deletedAt: null };
  };
  const { row } = await changeCode(deps, context, id, () => edit, { caps });
  return presentQr(row, deps.settings.scanOrigin);
}
