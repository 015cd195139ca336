import { limits } from "../../contract/limits.ts";
import type { Qr } from "../../contract/resources/qr.ts";
import { newId } from "../../lib/text/ids.ts";
import { restoreQr as storeRestoration } from "../../store/code-restoration.ts";
import { presentQr } from "../../store/code-columns.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound } from "../errors.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { publishChange } from "../routing/publish.ts";
import { codeKind } from "../routing/route-kinds.ts";
import { codeRoute } from "../routing/routes.ts";
import { markUnforwarded } from "../webhooks/events.ts";
import { requireQr } from "./codes.ts";
import { capErrorOf } from "./new-code.ts";

/** Rows deleted at this time or before can't be restored, and are erased. Both are epoch milliseconds. */
export const restorableAfter = (now: number): number => now - limits.deletedDays * 24 * 60 * 60 * 1000;

/** A deleted code that can be restored, and until when. @throws not_found for any other code */
export async function getDeletedQr(
  deps: Deps,
  owner: Owner,
  id: string,
): Promise<{ qr: Qr; restorableUntil: string }> {
  const row = await requireQr(deps, owner, id, "shown");
  const after = restorableAfter(deps.now());
  if (row.deletedAt === null || row.erasedAt !== null || row.deletedAt <= after) throw notFound("QR code");
  const until = row.deletedAt + deps.now() - after;
  return { qr: presentQr(row, deps.scanOrigin), restorableUntil: new Date(until).toISOString() };
}

/**
 * Restores a deleted code as it was. A folder or template that is gone is removed from it. Its route has been published
 * when this returns, also if an earlier, interrupted request restored it; a code that is not deleted stays as it is.
 * @throws not_found, also 30 days after the deletion; plan_limit at a cap of the plan
 */
export async function restoreQr(deps: Deps, owner: Owner, id: string): Promise<Qr> {
  const { workspaceId } = owner;
  const { scanOrigin } = deps;
  const at = deps.now();
  const deletedAfter = restorableAfter(at);
  const caps = planOf(owner);
  const restoration = { id, workspaceId, at, deletedAfter, caps, eventId: newId(at), scanOrigin };
  const { row, isEventStored, isPublicationPending } = requireFound(
    await storeRestoration(deps.db, restoration),
    "QR code",
  );
  if (isEventStored) markUnforwarded(deps, workspaceId);
  if (row.deletedAt !== null) {
    const isRestorable = row.deletedAt > deletedAfter && row.erasedAt === null;
    throw isRestorable ? await capErrorOf(deps, owner) : notFound("QR code");
  }
  if (isPublicationPending) await publishChange(deps, codeKind, row.hash, codeRoute(row));
  return presentQr(row, scanOrigin);
}
