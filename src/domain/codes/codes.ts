import type { Qr, QrCreateInput, QrList, QrListQuery, QrUpdateInput } from "../../contract/resources/qr.ts";
import type { Deps } from "../deps.ts";
import { markUnforwarded } from "../webhooks/events.ts";
import { idLength, isId, newId } from "../../lib/text/ids.ts";
import * as changes from "../../store/code-changes.ts";
import { presentQr, type QrRow } from "../../store/code-columns.ts";
import {
  findQr,
  insertQr,
  type ListFilter,
  listQrs,
  namePosition,
  type QrChanges,
  type QrMerges,
} from "../../store/codes.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { withinDailyCap } from "../identity/daily-cap.ts";
import { findReferences } from "./data.ts";
import { requireFolder } from "./folders.ts";
import { notFound, requireFound } from "../errors.ts";
import { judgeChanges, sameWhereJudged } from "./merges.ts";
import { runOnce, type Idempotency, idempotencyRecord } from "../idempotency.ts";
import { assertScannable } from "../images/design.ts";
import {
  capErrorOf,
  createdEvent,
  hashTakenError,
  isHashTaken,
  newCodeFromInput,
  retryOnHashCollision,
} from "./new-code.ts";
import { readChanges } from "./read-changes.ts";
import { toPage, parseCursor } from "../paging.ts";
import { fillCache, publishChange } from "../routing/publish.ts";
import { codeKind } from "../routing/route-kinds.ts";
import { codeRoute } from "../routing/routes.ts";
import { applyTemplate, findAppliedTemplates } from "../images/templates.ts";
import { requireNotSuspended } from "../workspaces/suspended.ts";

/** A selection of codes, and the page of them. */
export type QrSelection = ListFilter & Pick<QrListQuery, "cursor">;

/** A page of the list of codes, newest first unless asked otherwise. @throws invalid_input for a cursor of another list */
export async function listQr(deps: Deps, owner: Owner, query: QrSelection): Promise<QrList> {
  const { cursor, limit, ...filters } = query;
  const byName = filters.order === "name";
  const after = parseCursor(cursor, filters, byName ? (text) => isId(text.slice(-idLength)) : isId);
  const rows = await listQrs(deps.db, owner.workspaceId, { ...filters, limit: limit + 1 }, after);
  const { items, nextCursor } = toPage(rows, limit, filters, byName ? namePosition : undefined);
  return { items: items.map((row) => presentQr(row, deps.scanOrigin)), nextCursor };
}

/**
 * Creates a code.
 * @param idempotency repeats the first response to the same key and request
 * @throws invalid_input; plan_limit, also at the daily cap of a publishable key; forbidden in a suspended workspace
 */
export async function createQr(
  deps: Deps,
  owner: Owner,
  input: QrCreateInput,
  idempotency?: Idempotency,
): Promise<Qr> {
  if (input.colorConfig !== undefined) assertScannable({ colorConfig: input.colorConfig });
  const create = async () => {
    const styled = applyTemplate(owner, input, await findAppliedTemplates(deps, owner, [input]));
    const row = await newCodeFromInput(deps, owner, styled, await findReferences(deps, owner, [input]));
    await requireFolder(deps, owner, row.folderId);
    const qr = presentQr(row, deps.scanOrigin);
    const now = row.createdAt;
    const record = idempotencyRecord(now, idempotency, qr);
    const recordOfCode = record && { ...record, qrId: row.id };
    const result = await insertQr(deps.db, planOf(owner), row, createdEvent(qr, now), recordOfCode);
    if (!result.created) {
      await requireNotSuspended(deps, owner);
      throw await capErrorOf(deps, owner);
    }
    if (result.eventStored) markUnforwarded(deps, owner.workspaceId);
    await fillCache(deps, row.hash, codeRoute(row));
    return qr;
  };
  const isChosen = input.hash !== undefined;
  try {
    return await runOnce(deps, owner.workspaceId, idempotency, () =>
      withinDailyCap(deps, owner, () => (isChosen ? create() : retryOnHashCollision(create))),
    );
  } catch (error) {
    throw isChosen && isHashTaken(error) ? hashTakenError() : error;
  }
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
  const before = await requireQr(deps, owner, id);
  const lookups = {
    templates: await findAppliedTemplates(deps, owner, [input]),
    references: await findReferences(deps, owner, [input]),
  };
  const given = await readChanges(deps, owner, before, input, lookups);
  await requireFolder(deps, owner, given.folderId);
  const row = await changeJudged(deps, owner, before, given);
  return presentQr(row, deps.scanOrigin);
}

/**
 * Stores a change that has been judged with the values that stay. If a concurrent change makes the result another one, it is judged again.
 * @throws invalid_input, not_found
 */
async function changeJudged(
  deps: Deps,
  owner: Owner,
  before: QrRow,
  given: QrChanges & QrMerges,
): Promise<QrRow> {
  let judged = before;
  for (;;) {
    const seenColors = judgeChanges(judged, given);
    const { row, isChanged } = await change(deps, owner, before.id, (code) =>
      changes.updateQr(deps.db, code, given, seenColors),
    );
    if (row.deletedAt !== null) throw notFound("QR code");
    if (isChanged || sameWhereJudged(row, judged)) return row;
    judged = row;
  }
}

/**
 * Soft-deletes a code: it stops resolving before this returns, and its scans are kept.
 * @throws not_found; for a deleted code only once its deletion has been published
 */
export async function deleteQr(deps: Deps, owner: Owner, id: string): Promise<{ success: true }> {
  const { isChanged } = await change(deps, owner, id, (code) => changes.deleteQr(deps.db, code));
  if (!isChanged) throw notFound("QR code");
  return { success: true };
}

/** Stores a change of a code. Its route is published if this change or an earlier one is pending. @throws not_found */
async function change(
  deps: Deps,
  { workspaceId }: Owner,
  id: string,
  store: (code: changes.CodeChange) => Promise<changes.ChangedCode | undefined>,
): Promise<changes.ChangedCode> {
  const at = deps.now();
  const { scanOrigin } = deps;
  const changed = requireFound(
    await store({ id, workspaceId, at, eventId: newId(at), scanOrigin }),
    "QR code",
  );
  const { row, isEventStored, isPublicationPending } = changed;
  if (isEventStored) markUnforwarded(deps, workspaceId);
  if (isPublicationPending) await publishChange(deps, codeKind, row.hash, codeRoute(row));
  return changed;
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
