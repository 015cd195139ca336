import type { Workspace } from "../../contract/resources/workspace.ts";
import { plans } from "../../contract/plans.ts";
import type { Deps } from "../deps.ts";
import { findWorkspace } from "../../store/workspaces.ts";
import type { Member } from "../identity/caller.ts";
import { requireFound } from "../errors.ts";
import { userMeterName } from "../identity/sessions.ts";

/** The member's workspace with its plan, limits and usage. @throws not_found */
export async function getWorkspace(deps: Deps, member: Member): Promise<Workspace> {
  const ledger = deps.ledger(member.workspaceId);
  const [found, scans, storage, { length: webhooks }, requestsThisMinute] = await Promise.all([
    findWorkspace(deps.db, member.workspaceId),
    ledger.countScans(),
    ledger.storage(),
    ledger.listWebhooks(),
    deps.meter(userMeterName(member)).used(deps.now()),
  ]);
  const row = requireFound(found, "Workspace");
  const {
    requestsPerMinute,
    bulkRows,
    liveCodes,
    secretKeys,
    qrTypes,
    webhooks: maxWebhooks,
  } = plans[row.plan];
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    limits: {
      requestsPerMinute: row.requestsPerMinute ?? requestsPerMinute,
      bulkRows,
      liveCodes,
      webhooks: maxWebhooks,
      secretKeys,
      qrTypes: [...qrTypes],
    },
    usage: { requestsThisMinute, liveCodes: row.liveCodes, webhooks, scans, storage },
    suspended: row.suspended,
  };
}
