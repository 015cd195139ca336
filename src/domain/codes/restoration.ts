import type { Qr } from "../../contract/resources/qr.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { filterOwnedFolderIds } from "../../store/folders/folders.ts";
import type { Deps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { type WorkspaceContext, planOf, requirePermission } from "../identity/caller.ts";
import { changeCode } from "./change-code.ts";
import { requireQr } from "./require-code.ts";
import { capProblem } from "./new-code.ts";
import { requireAllowedHosts } from "../operations/blocked-hosts.ts";
import { isRestorable, restorableUntil } from "../restorable.ts";
import { requireNotSuspended } from "../workspaces/suspended.ts";
import { allAddressesOf } from "./addresses.ts";

/** Returns a deleted code and until when it can be restored. @throws not_found for any other code */
export async function getDeletedQr(deps: Deps, context: WorkspaceContext, id: string): Promise<DeletedQr> {
  const row = await requireQr(deps, context, id, "shown");
  if (row.deletedAt === null || row.erasedAt !== null || !isRestorable(row.deletedAt, deps.now())) {
    throw notFound("QR code");
  }
  const qr = presentQr(row, deps.settings.scanOrigin);
  return { qr, restorableUntil: restorableUntil(row.deletedAt) };
}

/** A deleted code, and until when it can be restored. */
interface DeletedQr {
  readonly qr: Qr;
  /** ISO 8601. */
  readonly restorableUntil: string;
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
