import type { PlanChange, PlanInput } from "../../contract/endpoints/operator.ts";
import { changesBetween } from "../../lib/changes.ts";
import { newId } from "../../lib/text/ids.ts";
import { listKeyIds } from "../../store/identity/keys.ts";
import { listMemberIds } from "../../store/identity/users.ts";
import { findWorkspace, type PlanValues, updatePlan } from "../../store/workspaces/workspaces.ts";
import { retryOnConflict } from "../conflicts.ts";
import { type Operator, userMeterName } from "../context/context.ts";
import { allowanceOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound } from "../errors.ts";
import { tryForwardEvents } from "../events/forwarding.ts";
import { newEntry } from "../history/entries.ts";

/**
 * Sets a workspace's plan. The meters of its keys and users know it before this returns, so it applies to the next
 * request. A downgrade limits creation; existing codes keep working.
 * @throws invalid_input, not_found
 */
export async function changePlan(
  deps: Deps,
  operator: Operator,
  workspaceId: string,
  input: PlanInput,
): Promise<PlanChange> {
  const { plan, requestsPerMinute } = input;
  if (plan !== "business" && requestsPerMinute) {
    throw invalid("requestsPerMinute", "can be raised only on the Business plan");
  }
  const now = deps.now();
  const { row, previousPlan } = await retryOnConflict(deps, "workspace", async (note) => {
    const before = note(requireFound(await findWorkspace(deps.db, workspaceId), "Workspace"));
    const after = plannedValues(before, input);
    const changes = changesBetween(fieldsOf(before), fieldsOf(after));
    const entry =
      Object.keys(changes).length === 0
        ? undefined
        : newEntry(deps, operator, "workspace.updated", { ...before, changes });
    const stored = await updatePlan(deps.db, before, after, { id: newId(now), at: now }, entry);
    return stored === undefined ? "conflict" : { row: stored, previousPlan: before.plan };
  });
  const allowance = allowanceOf(row);
  const [keyIds, userIds] = await Promise.all([
    listKeyIds(deps.db, workspaceId),
    listMemberIds(deps.db, workspaceId),
  ]);
  const meters = [...keyIds, ...userIds.map((userId) => userMeterName({ userId, workspaceId }))];
  await Promise.all(meters.map((name) => deps.meter(name).adopt(allowance)));
  await tryForwardEvents(deps, workspaceId);
  return {
    workspaceId,
    previousPlan,
    plan,
    requestsPerMinute: allowance.requestsPerMinute,
    storedBytes: row.storageLimit,
  };
}

/**
 * Returns the values after a change. A raised cap is kept on the business plan and removed on any other; a set limit of
 * bytes is kept as long as the plan stays the same.
 */
function plannedValues(before: PlanValues, { plan, requestsPerMinute, storedBytes }: PlanInput): PlanValues {
  const keptRequests = plan === "business" ? before.requestsPerMinute : null;
  const keptBytes = plan === before.plan ? before.maxStoredBytes : null;
  return {
    plan,
    requestsPerMinute: requestsPerMinute === undefined ? keptRequests : requestsPerMinute,
    maxStoredBytes: storedBytes === undefined ? keptBytes : storedBytes,
  };
}

/** The fields of a plan that the history records. */
const fieldsOf = ({ plan, requestsPerMinute, maxStoredBytes }: PlanValues) => ({
  plan,
  requestsPerMinute,
  storedBytes: maxStoredBytes,
});
