import type { Workspace } from "../../contract/resources/workspace.ts";
import { plans } from "../../contract/plans.ts";
import type { Deps } from "../deps.ts";
import { findWorkspace } from "../../store/workspaces.ts";
import type { Member } from "../identity/caller.ts";
import { notFound } from "../errors.ts";
import { meterOf } from "../identity/sessions.ts";

/** The member's workspace: its plan, what that allows, and what is used of it. @throws not_found */
export async function getWorkspace(deps: Deps, member: Member): Promise<Workspace> {
  const ledger = deps.ledger(member.workspaceId);
  const [row, scans, { length: webhooks }, requestsThisMinute] = await Promise.all([
    findWorkspace(deps.db, member.workspaceId),
    ledger.countScans(),
    ledger.listWebhooks(),
    deps.meter(meterOf(member)).used(deps.now()),
  ]);
  if (row === undefined) throw notFound("Workspace");
  const { requestsPerMinute, bulkRows, liveCodes, secretKeys, qrTypes, webhooks: most } = plans[row.plan];
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    limits: {
      requestsPerMinute: row.requestsPerMinute ?? requestsPerMinute,
      bulkRows,
      liveCodes,
      webhooks: most,
      secretKeys,
      qrTypes: [...qrTypes],
    },
    usage: { requestsThisMinute, liveCodes: row.liveCodes, webhooks, scans },
  };
}
