import type { PlanChange, PlanInput } from "../../contract/endpoints/operator.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import { listKeyIds } from "../../store/identity/keys.ts";
import { listMemberIds } from "../../store/identity/users.ts";
import { updatePlan } from "../../store/workspaces/workspaces.ts";
import { allowanceOf } from "../identity/caller.ts";
import { invalid, requireFound } from "../errors.ts";
import { tryForwardEvents } from "../webhooks/events.ts";
import { userMeterName } from "../identity/sessions.ts";

/**
 * Sets a workspace's plan. The meters of its keys and users know it before this returns, so it applies to the next
 * request. A downgrade limits creation; existing codes keep working.
 * @throws invalid_input, not_found
 */
export async function changePlan(deps: Deps, workspaceId: string, input: PlanInput): Promise<PlanChange> {
  const { plan, requestsPerMinute, storedBytes } = input;
  if (plan !== "business" && requestsPerMinute) {
    throw invalid("requestsPerMinute", "can be raised only on the Business plan");
  }
  const now = deps.now();
  const changed = await updatePlan(deps.db, workspaceId, {
    plan,
    requestsPerMinute,
    storedBytes,
    eventId: newId(now),
    now,
  });
  const { row, previousPlan } = requireFound(changed, "Workspace");
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
