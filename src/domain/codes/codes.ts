import type { Qr, QrCreateInput, QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import type { Deps } from "../deps.ts";
import { presentQr } from "../../store/codes/columns.ts";
import { insertQr } from "../../store/codes/codes.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { countAgainstDailyCap } from "../identity/daily-cap.ts";
import { changeCode } from "./change-code.ts";
import { findReferences, normaliseData } from "./data.ts";
import { requireFolder } from "../folders/folders.ts";
import { changedMeanwhile, notFound } from "../errors.ts";
import { runOnce, type Idempotency, idempotencyRecord } from "../idempotency.ts";
import { hasSameLook, requireScannable } from "../images/design.ts";
import { judgeDesign } from "../images/judging.ts";
import {
  capErrorOf,
  createdEntry,
  createdEvent,
  hashTakenError,
  isHashTaken,
  newCodeFromInput,
  retryOnHashCollision,
} from "./new-code.ts";
import { changeRow, findChangeLookups } from "./read-changes.ts";
import { requireQr } from "./require-code.ts";
import { fillCache } from "../routing/publish.ts";
import { codeRoute } from "../routing/routes.ts";
import { applyStyle, findStyleLookups } from "../templates/styles.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import { planOf } from "../context/plan.ts";
import { requirePermission } from "../context/permissions.ts";

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
  requireScannable(input);
  const create = async () => {
    const lookups = await findStyleLookups(deps, context, [input]);
    const styled = applyStyle(context, input, lookups);
    const references = await findReferences(deps, context, [input]);
    const designed = await newCodeFromInput(deps, context, styled, references, lookups);
    await requireFolder(deps, context, designed.folderId);
    const row = { ...designed, readable: await judgeDesign(deps, context, designed) };
    const qr = presentQr(row, deps.settings.scanOrigin);
    const now = row.createdAt;
    const record = idempotencyRecord(now, idempotency, qr);
    const recordOfCode = record && { ...record, qrId: row.id };
    const created = { event: createdEvent(qr, now), history: createdEntry(context, qr) };
    if (!(await insertQr(deps.db, planOf(context), row, created, recordOfCode))) {
      await requireNotSuspended(deps, context);
      await requireFolder(deps, context, row.folderId);
      await normaliseData(deps, row.data, await findReferences(deps, context, [row]));
      throw await capErrorOf(deps, context);
    }
    await fillCache(deps, row.hash, codeRoute(row));
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
  const row = await requireQr(deps, context, id);
  const { version, logoId } = row;
  return { qr: presentQr(row, deps.settings.scanOrigin), version, logoId };
}

/**
 * Changes the given fields. Equal values change nothing. The route of the returned code has been published, even if it
 * was changed by an earlier request that was interrupted.
 * @param version that the change is based on; any by default
 * @throws invalid_input, also (409) if the code has another version; not_found
 */
export async function updateQr(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: QrUpdateInput,
  version?: number,
): Promise<Qr> {
  requirePermission(context, "codes.write");
  const { row } = await changeCode(deps, context, id, async () => {
    const lookups = await findChangeLookups(deps, context, [input]);
    return async (before) => {
      if (before.deletedAt !== null) return before;
      if (version !== undefined && before.version !== version) throw changedMeanwhile("QR code");
      const after = await changeRow(deps, context, before, input, lookups);
      if (hasSameLook(before, after)) return after;
      return { ...after, readable: await judgeDesign(deps, context, after) };
    };
  });
  if (row.deletedAt !== null) throw notFound("QR code");
  return presentQr(row, deps.settings.scanOrigin);
}

/**
 * Soft-deletes a code. It stops resolving before this returns; its scans are kept.
 * @throws not_found; for a deleted code only once its deletion has been published
 */
export async function deleteQr(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ success: true }> {
  requirePermission(context, "codes.write");
  const { isChanged } = await changeCode(
    deps,
    context,
    id,
    () => (row) => (row.deletedAt === null ? { ...row, deletedAt: deps.now() } : row),
  );
  if (!isChanged) throw notFound("QR code");
  return { success: true };
}
