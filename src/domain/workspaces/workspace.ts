import { plans } from "../../contract/plans.ts";
import type { Me } from "../../contract/resources/identity/keys.ts";
import type {
  Workspace,
  WorkspaceInput,
  WorkspaceLimits,
} from "../../contract/resources/identity/workspace.ts";
import { changesBetween } from "../../lib/changes.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { listWorkspacesOf } from "../../store/identity/members.ts";
import { findLogoName } from "../../store/logos/logos.ts";
import {
  countOwned,
  creationsToday,
  findWorkspace,
  updateWorkspaceLook,
  type WorkspaceRow,
} from "../../store/workspaces/workspaces.ts";
import { retryOnConflict } from "../conflicts.ts";
import { type Caller, type Member, userMeterName } from "../context/context.ts";
import { isKey, requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { getLogo } from "../logos/logos.ts";
import { definedFields } from "../partial-updates.ts";

/** Returns the caller's workspace with its plan, limits and usage. @throws not_found */
export async function getWorkspace(deps: Deps, caller: Member | Caller): Promise<Workspace> {
  const { workspaceId } = caller;
  const ledger = deps.ledger(workspaceId);
  const [found, owned, scans, storage, { length: webhooks }, requestsThisMinute] = await Promise.all([
    findWorkspace(deps.db, workspaceId),
    countOwned(deps.db, workspaceId),
    ledger.countScans(),
    ledger.storage(),
    ledger.listWebhooks(),
    deps.meter(isKey(caller) ? caller.keyId : userMeterName(caller)).used(deps.now()),
  ]);
  const row = requireFound(found, "Workspace");
  return {
    id: row.id,
    name: row.name,
    logoId: row.logoId,
    plan: row.plan,
    limits: limitsOf(row),
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

/** Returns a key with its workspace, as its holder sees them. @throws not_found */
export async function getMe(deps: Deps, key: Caller): Promise<Me> {
  const row = requireFound(await findWorkspace(deps.db, key.workspaceId), "Workspace");
  const { id, name, plan, suspended } = row;
  return {
    key: {
      id: key.keyId,
      name: key.keyName,
      personConfirms: key.personConfirms,
      type: key.keyType,
      scopes: [...key.scopes],
    },
    workspace: { id, name, plan, limits: limitsOf(row), suspended },
  };
}

function limitsOf(row: Pick<WorkspaceRow, "plan" | "requestsPerMinute" | "storageLimit">): WorkspaceLimits {
  const caps = plans[row.plan];
  return {
    requestsPerMinute: row.requestsPerMinute ?? caps.requestsPerMinute,
    bulkRows: caps.bulkRows,
    liveCodes: caps.liveCodes,
    storedBytes: row.storageLimit ?? caps.storedBytes,
    jobBytes: caps.jobBytes,
    creationsPerDay: caps.creationsPerDay,
    folders: caps.folders,
    pages: caps.pages,
    templates: caps.templates,
    domains: caps.domains,
    webhooks: caps.webhooks,
    secretKeys: caps.secretKeys,
    qrTypes: [...caps.qrTypes],
  };
}

/** Changes the given settings of the member's workspace. @throws not_found; invalid_input for a logo that isn't the brand's */
export async function updateWorkspace(deps: Deps, member: Member, input: WorkspaceInput): Promise<Workspace> {
  requirePermission(member, "workspace");
  const { workspaceId: id } = member;
  await retryOnConflict(deps, "workspace", async (note) => {
    const { name, logoId } = requireFound(await findWorkspace(deps.db, id), "Workspace");
    const before = note({ name, logoId });
    const after = { ...before, ...definedFields(input) };
    const { logoId: logo, ...changes } = changesBetween(before, after);
    if (logo === undefined && changes.name === undefined) return undefined;
    const names = logo && (await Promise.all([nameOf(deps, id, logoId), nameOf(deps, id, after.logoId)]));
    if (names?.[1] === null && after.logoId !== null) {
      throw invalid("logoId", "isn't a logo of the brand. Add it to the brand first.");
    }
    const entry = newEntry(deps, member, "workspace.updated", {
      id,
      name: after.name,
      changes: { ...changes, ...(names && { logo: names }) },
    });
    return (await updateWorkspaceLook(deps.db, id, before, after, entry)) ? undefined : "conflict";
  });
  return getWorkspace(deps, member);
}

/** Returns the name of a logo in the brand; null for none or another logo. */
const nameOf = async (deps: Deps, workspaceId: string, logoId: string | null): Promise<string | null> =>
  logoId === null ? null : findLogoName(deps.db, workspaceId, logoId);

/** Returns the file of the logo of one of the person's workspaces. @throws not_found, also for one without a logo */
export async function getWorkspaceLogo(
  deps: Deps,
  { userId }: Pick<Member, "userId">,
  id: string,
): Promise<DrawnFile> {
  const workspaces = await listWorkspacesOf(deps.db, userId);
  const { logoId } = requireFound(
    workspaces.find((workspace) => workspace.id === id),
    "Workspace",
  );
  return getLogo(deps, { workspaceId: id }, requireFound(logoId ?? undefined, "Logo"));
}
