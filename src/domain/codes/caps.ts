import { type QrType, qrTypeNames } from "../../contract/resources/enums.ts";
import { creationsToday, findWorkspace } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { notInPlanError, planCapError, planOf } from "../context/plan.ts";
import { workspaceSuspendedError } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { requireFound, type ServiceError } from "../errors.ts";

/** Explains why no more codes can be created or restored; undefined if they can. */
export async function refusalOfMore(
  deps: Deps,
  context: WorkspaceContext,
): Promise<ServiceError | undefined> {
  const row = requireFound(await findWorkspace(deps.db, context.workspaceId), "Workspace");
  if (row.suspended !== null) return workspaceSuspendedError();
  const { liveCodes, creationsPerDay } = planOf(context);
  if (creationsToday(row, deps.now()) >= creationsPerDay) {
    return planCapError(
      context,
      `${creationsPerDay} new or restored QR codes a day`,
      "Try again after midnight UTC, or upgrade to create more today.",
    );
  }
  if (liveCodes === null || row.liveCodes < liveCodes) return undefined;
  return planCapError(context, `${liveCodes} live QR codes`, "Delete some, or upgrade to create more.");
}

/** @throws plan_limit for a type, or a chosen short name, that the plan doesn't include */
export function requireInPlan(context: WorkspaceContext, type: QrType, isHashChosen: boolean): void {
  const { qrTypes, chosenShortName } = planOf(context);
  if (!qrTypes.includes(type)) {
    throw notInPlanError(context, `${qrTypeNames[type].inText} codes`, "Upgrade to create them.");
  }
  if (isHashChosen && !chosenShortName) {
    throw notInPlanError(context, "chosen short names", "Leave out hash, or upgrade.");
  }
}
