import type { Qr } from "../../contract/resources/codes/qr.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { findFolderStates } from "../../store/folders/folders.ts";
import type { Deps } from "../deps.ts";
import { notFound, type ServiceError } from "../errors.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { changeCode } from "./change-code.ts";
import { requireQr } from "./require-code.ts";
import { capProblem } from "./new-code.ts";
import { isRestorable, restorableUntil } from "../restorable.ts";
import { findSuspension } from "../../store/workspaces/workspaces.ts";
import { workspaceSuspendedError } from "../context/suspension.ts";
import { findReferences, type References, requireUnblocked } from "./data.ts";
import { allAddressesOf } from "../destinations/addresses.ts";
import { planOf } from "../context/plan.ts";
import { requirePermission } from "../context/permissions.ts";

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

/** Conditions for restoring codes. */
interface RestorationLookups {
  readonly folders: FolderStates;
  readonly references: References;
  /** Why no more codes can be restored. */
  readonly problem: ServiceError | undefined;
}

/** Looks up what restoring codes needs. Erased codes are left out. */
export async function findRestorationLookups(
  deps: Deps,
  context: WorkspaceContext,
  all: readonly QrRow[],
): Promise<RestorationLookups> {
  const rows = all.filter(({ erasedAt }) => erasedAt === null);
  const folderIds = rows.flatMap((row) => toldFolder(row) ?? []);
  const [folders, references, suspension, problem] = await Promise.all([
    findFolderStates(deps.db, context.workspaceId, [...new Set(folderIds)]),
    findReferences(deps, context, rows),
    findSuspension(deps.db, context.workspaceId),
    capProblem(deps, context),
  ]);
  return { folders, references, problem: suspension === null ? problem : workspaceSuspendedError() };
}

/** Returns the folder of a code, which may be deleted. */
const toldFolder = ({ folderId, deletedFolderId }: QrRow): string | null => folderId ?? deletedFolderId;

/** Folders of the workspace. Those that are gone for good are missing. */
export type FolderStates = Awaited<ReturnType<typeof findFolderStates>>;

/** Returns the columns of a code's place: in a folder, outside of it while the folder is deleted, or in none. */
export function placeIn(
  folderId: string | null,
  folders: FolderStates,
): Pick<QrRow, "folderId" | "deletedFolderId"> {
  const state = folderId === null ? undefined : folders.get(folderId);
  return {
    folderId: state === "present" ? folderId : null,
    deletedFolderId: state === "deleted" ? folderId : null,
  };
}

/** @throws not_found if a deleted code can't be restored any more */
function requireRestorable({ now }: Deps, { erasedAt, deletedAt }: QrRow): void {
  if (erasedAt !== null || !isRestorable(deletedAt ?? 0, now())) throw notFound("QR code");
}

/** Returns a deleted code's row after its restoration. @throws ServiceError if it can't be restored */
export function restoredRow(
  deps: Deps,
  row: QrRow,
  { folders, references, problem }: RestorationLookups,
): QrRow {
  requireRestorable(deps, row);
  if (problem !== undefined) throw problem;
  requireUnblocked(allAddressesOf(row), references);
  return { ...row, ...placeIn(toldFolder(row), folders), deletedAt: null };
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
  const edit = async (row: QrRow): Promise<QrRow> => {
    if (row.deletedAt === null) return row;
    // First, because an erased code has no data to look up.
    requireRestorable(deps, row);
    return restoredRow(deps, row, await findRestorationLookups(deps, context, [row]));
  };
  const { row } = await changeCode(deps, context, id, () => edit, { caps: planOf(context) });
  return presentQr(row, deps.settings.scanOrigin);
}
