import type { Qr, QrCreateInput, QrList, QrListQuery, QrUpdateInput } from "../../contract/resources/qr.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import { sameJson } from "../../lib/text/json.ts";
import { ownFolders } from "../../store/folders.ts";
import {
  findQr,
  insertQr,
  listQrs,
  presentQr,
  type QrChanges,
  type QrRow,
  updateQr as writeQr,
} from "../../store/codes.ts";
import { isPublic, type Owner, planOf } from "../identity/caller.ts";
import { normaliseData, readLinkedPages } from "./data.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { runOnce, type Idempotency, idempotencyRecord } from "../idempotency.ts";
import { requireLook } from "../images/design.ts";
import { codesFull, createdEvent, codeFromInput, retryTakenHash } from "./new-code.ts";
import { pageOf, startOf } from "../paging.ts";
import { fillCache, publishChange } from "../routing/publish.ts";
import { codeKind } from "../routing/route-kinds.ts";
import { codeRoute } from "../routing/routes.ts";
import { applyTemplate, readTemplates } from "../images/templates.ts";

/** A page of the workspace's codes, newest first. @throws invalid_input for a cursor of another list */
export async function listQr(deps: Deps, caller: Owner, query: QrListQuery): Promise<QrList> {
  const { cursor, limit, ...filters } = query;
  const after = startOf(cursor, filters);
  const rows = await listQrs(deps.db, caller.workspaceId, { ...filters, limit: limit + 1 }, after);
  const { items, nextCursor } = pageOf(rows, limit, filters);
  return { items: items.map((row) => presentQr(row, deps.scanOrigin)), nextCursor };
}

/**
 * Creates a code, active from now on.
 * @param idempotency the same key and request get the first answer again
 * @throws invalid_input, plan_limit, forbidden for a type that a publishable key may not create
 */
export async function createQr(
  deps: Deps,
  caller: Owner,
  input: QrCreateInput,
  idempotency?: Idempotency,
): Promise<Qr> {
  if (input.qrType !== "url" && isPublic(caller)) {
    throw new ServiceError("forbidden", "qrType: a publishable key can only create codes of type url");
  }
  if (input.colorConfig !== undefined) requireLook({ colorConfig: input.colorConfig });
  return runOnce(deps, caller.workspaceId, idempotency, () =>
    retryTakenHash(async () => {
      const look = applyTemplate(caller, input, await readTemplates(deps, caller, [input]));
      const row = await codeFromInput(deps, caller, look, await readLinkedPages(deps, caller, [input]));
      await requireFolder(deps, caller, row.folderId);
      const qr = presentQr(row, deps.scanOrigin);
      const now = row.createdAt;
      const record = idempotencyRecord(now, idempotency, qr);
      const ownRecord = record && { ...record, qrId: row.id };
      const cap = planOf(caller).liveCodes;
      const created = await insertQr(deps.db, cap, row, createdEvent(qr, now), ownRecord);
      if (!created) throw codesFull(caller);
      await fillCache(deps, row.hash, codeRoute(row));
      return qr;
    }),
  );
}

/** One code of the workspace. @throws not_found */
export async function getQr(deps: Deps, caller: Owner, id: string): Promise<Qr> {
  return presentQr(await requireQr(deps, caller, id), deps.scanOrigin);
}

/**
 * Changes the fields given. Scans follow before this returns. Values that are there already change nothing.
 * @throws invalid_input, not_found
 */
export async function updateQr(deps: Deps, caller: Owner, id: string, input: QrUpdateInput): Promise<Qr> {
  // Undefined when another update came between: then this one starts again from what that one left.
  let updated: QrRow | undefined;
  while (updated === undefined) {
    const before = await requireQr(deps, caller, id);
    updated = await applyChanges(deps, caller, before, input);
  }
  return presentQr(updated, deps.scanOrigin);
}

async function applyChanges(
  deps: Deps,
  caller: Owner,
  before: QrRow,
  input: QrUpdateInput,
): Promise<QrRow | undefined> {
  if (input.data !== undefined && input.data.type !== before.qrType) {
    throw invalid("data.type", `must be ${before.qrType}: a code's type can't be changed`);
  }
  const look = applyTemplate(caller, input, await readTemplates(deps, caller, [input]));
  if (look.colorConfig !== undefined) requireLook({ colorConfig: look.colorConfig });
  const pages = await readLinkedPages(deps, caller, [input]);
  const wanted = { ...look, data: input.data && (await normaliseData(deps, input.data, pages)) };
  const changes: QrChanges = Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => value !== undefined && !sameJson(value, before[field as keyof QrChanges]),
    ),
  );
  const changed = Object.keys(changes).map((field) => (field === "logoId" ? "logo" : field));
  if (changed.length === 0) return before;
  if (changes.folderId !== undefined) await requireFolder(deps, caller, changes.folderId);

  const now = deps.now();
  const after = { ...before, ...changes, version: before.version + 1, updatedAt: now };
  const data = { ...presentQr(after, deps.scanOrigin), changed };
  const event = { id: newId(now), at: now, kind: "qr.updated", data } as const;
  const updated = await writeQr(deps.db, before, { ...changes, updatedAt: now }, event);
  if (updated !== undefined && (changes.data !== undefined || changes.status !== undefined)) {
    await publishChange(deps, codeKind, updated.hash, codeRoute(updated));
  }
  return updated;
}

/** Soft-deletes a code: it stops resolving before this returns, its scans stay. @throws not_found */
export async function deleteQr(deps: Deps, caller: Owner, id: string): Promise<{ success: true }> {
  let deleted: QrRow | undefined;
  while (deleted === undefined) {
    const before = await requireQr(deps, caller, id);
    const now = deps.now();
    const data = presentQr({ ...before, updatedAt: now }, deps.scanOrigin);
    const event = { id: newId(now), at: now, kind: "qr.deleted", data } as const;
    deleted = await writeQr(deps.db, before, { updatedAt: now, deletedAt: now }, event);
  }
  await publishChange(deps, codeKind, deleted.hash, codeRoute(deleted));
  return { success: true };
}

/** The code's row; a deleted one only where it is asked for. @throws not_found */
export async function requireQr(
  deps: Deps,
  caller: Owner,
  id: string,
  deleted: "hidden" | "shown" = "hidden",
): Promise<QrRow> {
  const row = await findQr(deps.db, caller.workspaceId, id, { deleted });
  if (row === undefined) throw notFound("QR code");
  return row;
}

async function requireFolder(deps: Deps, caller: Owner, folderId: string | null): Promise<void> {
  if (folderId === null) return;
  if (!(await ownFolders(deps.db, caller.workspaceId, [folderId])).has(folderId)) {
    throw invalid("folderId", "is not a folder of this workspace");
  }
}
