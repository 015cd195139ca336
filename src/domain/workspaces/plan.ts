import type { PlanChange, PlanInput } from "../../contract/endpoints/operator.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import { keyIds } from "../../store/keys.ts";
import { memberIds } from "../../store/users.ts";
import { writePlan } from "../../store/workspaces.ts";
import { allowanceOf } from "../identity/caller.ts";
import { invalid, notFound } from "../errors.ts";
import { forwardEvents } from "../webhooks/events.ts";
import { meterOf } from "../identity/sessions.ts";

/**
 * Sets a workspace's plan. Its meters know of it before this returns, so that the very next request is under it.
 * A downgrade stops creation; it never breaks what is there.
 * @throws invalid_input, not_found
 */
export async function changePlan(deps: Deps, workspaceId: string, input: PlanInput): Promise<PlanChange> {
  const { plan, requestsPerMinute } = input;
  if (plan !== "business" && requestsPerMinute) {
    throw invalid("requestsPerMinute", "can be raised on the business plan alone");
  }
  const now = deps.now();
  const changed = await writePlan(deps.db, workspaceId, {
    plan,
    requestsPerMinute,
    eventId: newId(now),
    now,
  });
  if (changed === undefined) throw notFound("Workspace");
  const allowance = allowanceOf(changed.row);
  const [keys, users] = await Promise.all([keyIds(deps.db, workspaceId), memberIds(deps.db, workspaceId)]);
  const meters = [...keys, ...users.map((userId) => meterOf({ userId }))];
  await Promise.all(meters.map((name) => deps.meter(name).adopt(allowance)));
  await forwardEvents(deps, workspaceId);
  return {
    workspaceId,
    previousPlan: changed.previousPlan,
    plan,
    requestsPerMinute: allowance.requestsPerMinute,
  };
}
