import type { Qr, QrCreateInput, QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import type { HistoryList, ObjectHistoryQuery } from "../../contract/resources/history/history.ts";
import { fillCache } from "../../edge/routing/cache-writes.ts";
import { codeRoute } from "../../edge/routing/routes.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { isUniqueViolation } from "../../store/database-errors.ts";
import { eraseCode } from "../../store/operations/erasure.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, requireVersion, ServiceError, type Versions } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { listObjectHistory } from "../history/history.ts";
import { type Idempotency, idempotencyRecord, runOnce } from "../idempotency.ts";
import { countAgainstDailyCap } from "../identity/daily-cap.ts";
import { changeResource, createResource } from "../resources/change.ts";
import { deleteResource, requireRestorable, restoreResource } from "../resources/revert.ts";
import { restorableUntil } from "../restorable.ts";
import { publishAliases } from "../routing/publish-aliases.ts";
import { changedAddresses, heldAlias } from "./addresses.ts";
import { changedCode, newCode, withReadability } from "./edits.ts";
import { loadReferences } from "./references.ts";
import { requireQr } from "./require-code.ts";
import { codeResource } from "./resource.ts";

/**
 * Creates a code.
 * @param idempotency if given, repeats the first response to the same key and request
 * @throws invalid_input; plan_limit, also at a publishable key's daily cap; forbidden in a suspended workspace
 */
export async function createQr(
  deps: Deps,
  context: WorkspaceContext,
  input: QrCreateInput,
  idempotency?: Idempotency,
): Promise<Qr> {
  requirePermission(context, "codes.write");
  const create = async () => {
    const references = await loadReferences(deps, context, [{ before: null, values: input }]);
    const row = await withReadability(deps, context, null, await newCode(deps, context, input, references));
    const qr = presentQr(row, deps.settings.scanOrigin);
    const record = idempotencyRecord(row.createdAt, idempotency, qr);
    await createResource(deps, context, codeResource, row, record && { ...record, qrId: row.id });
    await fillCache(deps, row.hash, codeRoute(row));
    await publishAliases(deps, context.workspaceId, changedAddresses(null, row));
    return qr;
  };
  const isChosen = input.hash !== undefined;
  try {
    return await runOnce(deps, context.workspaceId, idempotency, () =>
      countAgainstDailyCap(deps, context, () => (isChosen ? create() : retryOnHashCollision(create))),
    );
  } catch (error) {
    throw isChosen && isHashTaken(error) ? hashTakenError() : error;
  }
}

/** Attempts to create codes with new hashes. With 32^8 possible hashes, collisions are rare. */
const hashAttempts = 5;

/**
 * Runs a creation, and repeats it if a hash already exists.
 * @param replaceHashes assigns new hashes before a repetition, unless `create` does so itself
 */
export async function retryOnHashCollision<T>(
  create: () => Promise<T>,
  replaceHashes?: () => Promise<void>,
): Promise<T> {
  for (let attempt = 1; attempt < hashAttempts; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if (!isHashTaken(error)) throw error;
    }
    await replaceHashes?.();
  }
  return create();
}

/**
 * The error for a short name that is taken or looks like one that is. The same for every code, so that it reveals
 * nothing about the owner.
 */
export const hashTakenError = () => invalid("hash", "is taken. Choose another.");

/**
 * Returns whether a creation failed because its hash or folded hash already exists. Both columns' names begin the same
 * way.
 */
const isHashTaken = (error: unknown): boolean => isUniqueViolation(error, "qr_codes.hash");

/** Returns a code of the workspace. @throws not_found */
export async function getQr(deps: Deps, context: WorkspaceContext, id: string): Promise<Qr> {
  return (await getVersionedQr(deps, context, id)).qr;
}

/** A code with its version, which changes with everything that is stored of it, and the id of the logo that it is drawn with. */
export interface VersionedQr {
  readonly qr: Qr;
  readonly version: number;
  readonly logoId: string | null;
}

/** Returns a code with its version. @throws not_found */
export async function getVersionedQr(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<VersionedQr> {
  return versionedQr(deps, await requireQr(deps, context, id));
}

/** Returns a row's resource with its version. */
export const versionedQr = (deps: Deps, row: QrRow): VersionedQr => ({
  qr: presentQr(row, deps.settings.scanOrigin),
  version: row.version,
  logoId: row.logoId,
});

/**
 * Changes the given fields. Equal values change nothing. The route of the returned code has been published, even if it
 * was changed by an earlier request that was interrupted.
 * @throws invalid_input, also (412) if the code has none of the versions; not_found
 */
export async function updateQr(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: QrUpdateInput,
  versions?: Versions,
): Promise<VersionedQr> {
  requirePermission(context, "codes.write");
  const edit = async (before: QrRow) => {
    if (before.deletedAt !== null) return before;
    requireVersion(before, versions);
    const references = await loadReferences(deps, context, [{ before, values: input }]);
    return withReadability(
      deps,
      context,
      before,
      await changedCode(deps, context, before, input, references),
    );
  };
  const { row } = await changeResource(deps, context, codeResource, id, edit);
  if (row.deletedAt !== null) throw notFound("QR code");
  return versionedQr(deps, row);
}

/** Soft-deletes a code. It stops resolving before this returns; its scans are kept. @throws as deleteResource */
export const deleteQr = (
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  versions?: Versions,
): Promise<{ success: true }> => deleteResource(deps, context, codeResource, id, versions);

/**
 * Restores a deleted code as it was. If its folder is deleted, too, it returns there when that is restored.
 * @throws as restoreResource; invalid_input if it leads to a blocked host
 */
export const restoreQr = async (deps: Deps, context: WorkspaceContext, id: string): Promise<Qr> =>
  presentQr(await restoreResource(deps, context, codeResource, id), deps.settings.scanOrigin);

/**
 * Erases a deleted code before its 30 days are over: its values can't be restored, its own id is free. Its hash and its
 * scans are kept. @throws not_found; invalid_input (409) for a code that isn't deleted, or whose aliases the operator holds
 */
export async function eraseQr(deps: Deps, context: WorkspaceContext, id: string): Promise<{ success: true }> {
  requirePermission(context, "codes.write");
  const row = await requireQr(deps, context, id, "shown");
  if (row.deletedAt === null) {
    throw new ServiceError("invalid_input", "Only a deleted QR code can be erased. Delete it first.", {
      status: 409,
    });
  }
  if (heldAlias(row, { aliasAddresses: null }) !== undefined) {
    const problem = "The aliases of this QR code must stay with it while the operator has suspended it.";
    throw new ServiceError("invalid_input", problem, { status: 409 });
  }
  const entry = newEntry(deps, context, "code.erased", { id: row.id, name: null, changes: {} });
  if (!(await eraseCode(deps.db, context.workspaceId, row.id, deps.now(), entry))) throw notFound("QR code");
  return { success: true };
}

/** A deleted code, and until when it can be restored. */
interface DeletedQr {
  readonly qr: Qr;
  /** ISO 8601. */
  readonly restorableUntil: string;
}

/** Returns a deleted code and until when it can be restored. @throws not_found for any other code */
export async function getDeletedQr(deps: Deps, context: WorkspaceContext, id: string): Promise<DeletedQr> {
  const row = await requireQr(deps, context, id, "shown");
  if (row.deletedAt === null) throw notFound("QR code");
  requireRestorable(deps, "QR code", row);
  const qr = presentQr(row, deps.settings.scanOrigin);
  return { qr, restorableUntil: restorableUntil(row.deletedAt) };
}

/** Returns a page of the history of a code, which may be deleted. @throws not_found */
export async function listQrHistory(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  query: ObjectHistoryQuery,
): Promise<HistoryList> {
  const row = await requireQr(deps, context, id, "shown");
  return listObjectHistory(deps, context, { kind: "code", id: row.id }, query);
}
