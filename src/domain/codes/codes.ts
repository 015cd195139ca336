import type { Qr, QrCreateInput, QrList, QrListQuery, QrUpdateInput } from "../../contract/resources/qr.ts";
import { definedFields } from "../defined-fields.ts";
import type { QrEvent } from "../../protocol/events.ts";
import type { Deps } from "../deps.ts";
import { markUnforwarded } from "../webhooks/events.ts";
import { newId } from "../../lib/text/ids.ts";
import { sameJson } from "../../lib/text/json.ts";
import {
  findQr,
  insertQr,
  listQrs,
  presentQr,
  type QrChanges,
  type QrRow,
  updateQr as writeQr,
} from "../../store/codes.ts";
import { type Owner, planOf, usesPublishableKey } from "../identity/caller.ts";
import { findReferences, normaliseData } from "./data.ts";
import { requireFolder } from "./folders.ts";
import { invalid, notFound, requireFound, ServiceError } from "../errors.ts";
import { runOnce, type Idempotency, idempotencyRecord } from "../idempotency.ts";
import { assertScannable } from "../images/design.ts";
import { codeLimitError, createdEvent, newCodeFromInput, retryOnHashCollision } from "./new-code.ts";
import { toPage, parseCursor } from "../paging.ts";
import { fillCache, publishChange, publishIfPending } from "../routing/publish.ts";
import { codeKind } from "../routing/route-kinds.ts";
import { codeRoute } from "../routing/routes.ts";
import { applyTemplate, findAppliedTemplates } from "../images/templates.ts";

/** A page of the list of codes, newest first. @throws invalid_input for a cursor of another list */
export async function listQr(deps: Deps, owner: Owner, query: QrListQuery): Promise<QrList> {
  const { cursor, limit, ...filters } = query;
  const after = parseCursor(cursor, filters);
  const rows = await listQrs(deps.db, owner.workspaceId, { ...filters, limit: limit + 1 }, after);
  const { items, nextCursor } = toPage(rows, limit, filters);
  return { items: items.map((row) => presentQr(row, deps.scanOrigin)), nextCursor };
}

/**
 * Creates an active code.
 * @param idempotency repeats the first response to the same key and request
 * @throws invalid_input, plan_limit, forbidden for a type that a publishable key may not create
 */
export async function createQr(
  deps: Deps,
  owner: Owner,
  input: QrCreateInput,
  idempotency?: Idempotency,
): Promise<Qr> {
  if (input.qrType !== "url" && usesPublishableKey(owner)) {
    throw new ServiceError("forbidden", "qrType: a publishable key can only create codes of type url");
  }
  if (input.colorConfig !== undefined) assertScannable({ colorConfig: input.colorConfig });
  return runOnce(deps, owner.workspaceId, idempotency, () =>
    retryOnHashCollision(async () => {
      const styled = applyTemplate(owner, input, await findAppliedTemplates(deps, owner, [input]));
      const row = await newCodeFromInput(deps, owner, styled, await findReferences(deps, owner, [input]));
      await requireFolder(deps, owner, row.folderId);
      const qr = presentQr(row, deps.scanOrigin);
      const now = row.createdAt;
      const record = idempotencyRecord(now, idempotency, qr);
      const recordOfCode = record && { ...record, qrId: row.id };
      const cap = planOf(owner).liveCodes;
      const result = await insertQr(deps.db, cap, row, createdEvent(qr, now), recordOfCode);
      if (!result.created) throw codeLimitError(owner);
      if (result.eventStored) markUnforwarded(deps, owner.workspaceId);
      await fillCache(deps, row.hash, codeRoute(row));
      return qr;
    }),
  );
}

/** A code of the workspace. @throws not_found */
export async function getQr(deps: Deps, owner: Owner, id: string): Promise<Qr> {
  return presentQr(await requireQr(deps, owner, id), deps.scanOrigin);
}

/**
 * Changes the fields that are given. Equal values change nothing. The route of the code that is returned has been
 * published, also if it was an earlier, interrupted request that changed it.
 * @throws invalid_input, not_found
 */
export async function updateQr(deps: Deps, owner: Owner, id: string, input: QrUpdateInput): Promise<Qr> {
  // Undefined after a concurrent update of the code: then the changes are applied again to the newer row.
  let updated: QrRow | undefined;
  while (updated === undefined) {
    const before = await requireQr(deps, owner, id);
    updated = await applyChanges(deps, owner, before, input);
  }
  return presentQr(updated, deps.scanOrigin);
}

async function applyChanges(
  deps: Deps,
  owner: Owner,
  before: QrRow,
  input: QrUpdateInput,
): Promise<QrRow | undefined> {
  if (input.data !== undefined && input.data.type !== before.qrType) {
    throw invalid("data.type", `must be ${before.qrType}: a code's type can't be changed`);
  }
  const styled = applyTemplate(owner, input, await findAppliedTemplates(deps, owner, [input]));
  if (styled.colorConfig !== undefined) assertScannable({ colorConfig: styled.colorConfig });
  const references = await findReferences(deps, owner, [input]);
  const given: QrChanges = definedFields({
    name: styled.name,
    data: input.data && (await normaliseData(deps, input.data, references)),
    folderId: styled.folderId,
    tags: styled.tags,
    status: styled.status,
    templateId: styled.templateId,
    colorConfig: styled.colorConfig,
    shape: styled.shape,
    logoId: styled.logoId,
  });
  const changes: QrChanges = Object.fromEntries(
    Object.entries(given).filter(([field, value]) => !sameJson(value, before[field as keyof QrChanges])),
  );
  const changed = Object.keys(changes).map((field) => (field === "logoId" ? "logo" : field));
  if (changed.length === 0) {
    await publishIfPending(deps, codeKind, before.hash, codeRoute(before));
    return before;
  }
  if (changes.folderId !== undefined) await requireFolder(deps, owner, changes.folderId);

  const now = deps.now();
  const after = { ...before, ...changes, version: before.version + 1, updatedAt: now };
  const data = { ...presentQr(after, deps.scanOrigin), changed };
  const event = { id: newId(now), at: now, kind: "qr.updated", data } as const;
  const updated = await writeChange(deps, before, { ...changes, updatedAt: now }, event);
  if (updated !== undefined) {
    const rerouted = changes.data !== undefined || changes.status !== undefined;
    await (rerouted ? publishChange : publishIfPending)(deps, codeKind, updated.hash, codeRoute(updated));
  }
  return updated;
}

/** Stores a change with its event. @returns the new row; undefined when the code has changed since `before` was read */
async function writeChange(
  deps: Deps,
  before: QrRow,
  changes: Parameters<typeof writeQr>[2],
  event: QrEvent,
): Promise<QrRow | undefined> {
  const written = await writeQr(deps.db, before, changes, event);
  if (written?.eventStored) markUnforwarded(deps, before.workspaceId);
  return written?.row;
}

/**
 * Soft-deletes a code: it stops resolving before this returns, and its scans are kept.
 * @throws not_found; for a deleted code only once its deletion has been published
 */
export async function deleteQr(deps: Deps, owner: Owner, id: string): Promise<{ success: true }> {
  let deleted: QrRow | undefined;
  while (deleted === undefined) {
    const before = await requireQr(deps, owner, id, "shown");
    if (before.deletedAt !== null) {
      await publishIfPending(deps, codeKind, before.hash, codeRoute(before));
      throw notFound("QR code");
    }
    const now = deps.now();
    const data = presentQr({ ...before, updatedAt: now }, deps.scanOrigin);
    const event = { id: newId(now), at: now, kind: "qr.deleted", data } as const;
    deleted = await writeChange(deps, before, { updatedAt: now, deletedAt: now }, event);
  }
  await publishChange(deps, codeKind, deleted.hash, codeRoute(deleted));
  return { success: true };
}

/** The code's row; that of a deleted code only with `deleted: "shown"`. @throws not_found */
export async function requireQr(
  deps: Deps,
  owner: Owner,
  id: string,
  deleted: "hidden" | "shown" = "hidden",
): Promise<QrRow> {
  return requireFound(await findQr(deps.db, owner.workspaceId, id, { deleted }), "QR code");
}
