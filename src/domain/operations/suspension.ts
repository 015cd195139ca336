import { limits } from "../../contract/limits.ts";
import type { Suspension, SuspensionInput, SuspensionState } from "../../contract/resources/suspension.ts";
import { readHash } from "../../lib/text/hash.ts";
import { pageKey, workspaceKey } from "../../protocol/routes.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import * as store from "../../store/operations/suspensions.ts";
import type { Deps } from "../deps.ts";
import { changeCode } from "../codes/change-code.ts";
import { notFound, requireFound } from "../errors.ts";
import { lookUpWithCorrections } from "../routing/misreadings.ts";
import { publishPending } from "../routing/publish.ts";
import { tryForwardEvents } from "../webhooks/events.ts";

/**
 * Suspends what the operator names, or lifts its suspension. The state that is returned has been published, also if it
 * was an earlier, interrupted request that changed it.
 */

/** The suspension that a request sets; null lifts it. */
export type SuspensionRequest = SuspensionInput | null;

/** Suspends a code by its id or hash. Its owner gets an event. @throws not_found, also for an erased code */
export async function setCodeSuspension(
  deps: Deps,
  idOrHash: string,
  request: SuspensionRequest,
): Promise<SuspensionState> {
  const hash = readHash(idOrHash);
  const find = (by: "id" | "hash", value: string) => store.findCodeToSuspend(deps.db, { by, value });
  const found =
    hash === null
      ? find("id", idOrHash)
      : lookUpWithCorrections(deps, hash, (reading) => find("hash", reading));
  const code = requireFound(await found, "QR code");
  const { suspended } = toChange(deps, request);
  const suspend = (before: QrRow) => {
    if (before.erasedAt !== null) throw notFound("QR code");
    return isSameSuspension(before.suspended, suspended) ? before : { ...before, suspended };
  };
  const patience = limits.changeAttempts.suspensionSeconds * 1000;
  const { row, isEventStored } = await changeCode(deps, code, code.id, () => suspend, { patience });
  if (isEventStored) await tryForwardEvents(deps, row.workspaceId);
  return stateOf(row);
}

/** Whether two suspensions are the same. Their times do not count. */
const isSameSuspension = (a: Suspension | null, b: Suspension | null): boolean =>
  a?.reason === b?.reason && a?.legalOrder === b?.legalOrder;

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
