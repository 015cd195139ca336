import type { SuspensionInput, SuspensionState } from "../../contract/resources/suspension.ts";
import { readHash } from "../../lib/text/hash.ts";
import { newId } from "../../lib/text/ids.ts";
import { pageKey, workspaceKey } from "../../protocol/routes.ts";
import * as store from "../../store/suspensions.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";
import { lookUpReadings } from "../routing/misreadings.ts";
import { publishPending } from "../routing/publish.ts";
import { tryForwardEvents } from "../webhooks/events.ts";

/**
 * Suspends what the operator names, or lifts its suspension. The state that is returned has been published, also if it
 * was an earlier, interrupted request that changed it.
 */

/** What a request sets; null lifts the suspension. */
export type SuspensionRequest = SuspensionInput | null;

/** Suspends a code by its id or hash. Its owner gets an event. @throws not_found, also for an erased code */
export async function setCodeSuspension(
  deps: Deps,
  idOrHash: string,
  request: SuspensionRequest,
): Promise<SuspensionState> {
  const hash = readHash(idOrHash);
  const change = toChange(deps, request);
  const event = { eventId: newId(change.at), scanOrigin: deps.scanOrigin };
  const set = (by: "id" | "hash", value: string) =>
    store.setCodeSuspension(deps.db, { by, value }, change, event);
  const found =
    hash === null ? set("id", idOrHash) : lookUpReadings(deps, hash, (reading) => set("hash", reading));
  const row = requireFound(await found, "QR code");
  await publishPending(deps, row.hash);
  if (row.isEventStored) await tryForwardEvents(deps, row.workspaceId);
  return stateOf(row);
}

/** Suspends a hosted page with its form. Codes that show it are suspended with it. @throws not_found */
export async function setPageSuspension(
  deps: Deps,
  id: string,
  request: SuspensionRequest,
): Promise<SuspensionState> {
  const row = requireFound(await store.setPageSuspension(deps.db, id, toChange(deps, request)), "Page");
  await publishPending(deps, pageKey(id));
  return stateOf(row);
}

/** Suspends a workspace: all its codes and pages, by a record of its own that scans read. @throws not_found */
export async function setWorkspaceSuspension(
  deps: Deps,
  id: string,
  request: SuspensionRequest,
): Promise<SuspensionState> {
  const row = requireFound(
    await store.setWorkspaceSuspension(deps.db, id, toChange(deps, request)),
    "Workspace",
  );
  await publishPending(deps, workspaceKey(id));
  return stateOf(row);
}

function toChange(deps: Deps, request: SuspensionRequest): store.SuspensionChange {
  const at = deps.now();
  return { suspended: request && { ...request, at: new Date(at).toISOString() }, at };
}

const stateOf = ({ id, workspaceId, suspended }: store.SuspendedRow): SuspensionState => ({
  id,
  workspaceId,
  suspended,
});
