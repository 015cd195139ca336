import type { Workspace, WorkspaceInput } from "../../contract/resources/workspace.ts";
import { plans } from "../../contract/plans.ts";
import type { Deps } from "../deps.ts";
import {
  countOwned,
  creationsToday,
  findWorkspace,
  renameWorkspace,
} from "../../store/workspaces/workspaces.ts";
import { type Member, requirePermission } from "../identity/caller.ts";
import { requireFound } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { changesBetween } from "../../lib/changes.ts";
import { untilStored } from "../lost-races.ts";
import { userMeterName } from "../identity/sessions.ts";

/** Returns the member's workspace with its plan, limits and usage. @throws not_found */
export async function getWorkspace(deps: Deps, member: Member): Promise<Workspace> {
  const ledger = deps.ledger(member.workspaceId);
  const [found, owned, scans, storage, { length: webhooks }, requestsThisMinute] = await Promise.all([
    findWorkspace(deps.db, member.workspaceId),
    countOwned(deps.db, member.workspaceId),
    ledger.countScans(),
    ledger.storage(),
    ledger.listWebhooks(),
    deps.meter(userMeterName(member)).used(deps.now()),
  ]);
  const row = requireFound(found, "Workspace");
  const caps = plans[row.plan];
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    limits: {
      requestsPerMinute: row.requestsPerMinute ?? caps.requestsPerMinute,
      bulkRows: caps.bulkRows,
      liveCodes: caps.liveCodes,
      storedBytes: row.storageLimit ?? caps.storedBytes,
      jobBytes: caps.jobBytes,
      creationsPerDay: caps.creationsPerDay,
      folders: caps.folders,
      pages: caps.pages,
      templates: caps.templates,
      webhooks: caps.webhooks,
      secretKeys: caps.secretKeys,
      qrTypes: [...caps.qrTypes],
    },
    usage: {
      requestsThisMinute,
      liveCodes: row.liveCodes,
      creationsToday: creationsToday(row, deps.now()),
      storedBytes: row.storedBytes + row.jobBytes,
      jobBytes: row.jobBytes,
      ...owned,
      webhooks,
      scans,
      storage,
    },
    suspended: row.suspended,
  };
}

/** Changes the given settings of the member's workspace. @throws not_found */
export async function updateWorkspace(
  deps: Deps,
  member: Member,
  { name }: WorkspaceInput,
): Promise<Workspace> {
  requirePermission(member, "workspace");
  if (name !== undefined) await rename(deps, member, name);
  return getWorkspace(deps, member);
}

function rename(deps: Deps, member: Member, name: string): Promise<void> {
  return untilStored(deps, "workspace", async () => {
    const before = requireFound(await findWorkspace(deps.db, member.workspaceId), "Workspace");
    const changes = changesBetween({ name: before.name }, { name });
    if (Object.keys(changes).length === 0) return undefined;
    const entry = newEntry(deps, member, "workspace.updated", { id: before.id, name, changes });
    return (await renameWorkspace(deps.db, before, name, entry)) ? undefined : "lost";
  });
}
