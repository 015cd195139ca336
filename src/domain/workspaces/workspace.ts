import { plans } from "../../contract/plans.ts";
import type { Me } from "../../contract/resources/identity/keys.ts";
import type {
  Workspace,
  WorkspaceInput,
  WorkspaceLimits,
} from "../../contract/resources/identity/workspace.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { foldedName } from "../../store/codes/codes.ts";
import { listWorkspacesOf } from "../../store/identity/members.ts";
import { findLogoName } from "../../store/logos/logos.ts";
import { type SettingsRow, settingsKind } from "../../store/workspaces/settings.ts";
import {
  countOwned,
  creationsToday,
  findWorkspace,
  type WorkspaceRow,
} from "../../store/workspaces/workspaces.ts";
import { type Caller, type Member, userMeterName } from "../context/context.ts";
import { isKey, requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound } from "../errors.ts";
import { getLogo } from "../logos/logos.ts";
import { definedFields } from "../partial-updates.ts";
import { changeResource } from "../resources/change.ts";
import type { Resource } from "../resources/resource.ts";

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

/** The name and the logo of a workspace as a resource. */
const workspaceResource: Resource<SettingsRow> = {
  kind: settingsKind,
  object: "workspace",
  noun: "Workspace",
  nameOf: ({ name }) => name,
  fieldsOf: ({ name, logoName }) => ({ name, logo: logoName }),
};

/** Changes the given settings of the member's workspace. @throws not_found; invalid_input for a logo that isn't the brand's */
export async function updateWorkspace(deps: Deps, member: Member, input: WorkspaceInput): Promise<Workspace> {
  requirePermission(member, "workspace");
  const { workspaceId: id } = member;
  await changeResource(deps, member, workspaceResource, id, async (before) => {
    const after = { ...before, ...definedFields(input) };
    const { name, logoId } = after;
    const renamed = name === before.name ? after : { ...after, nameFolded: foldedName(name) };
    if (logoId === before.logoId) return renamed;
    const logoName = logoId === null ? null : await findLogoName(deps.db, id, logoId);
    if (logoName === null && logoId !== null) {
      throw invalid("logoId", "isn't a logo of the brand. Add it to the brand first.");
    }
    return { ...renamed, logoName };
  });
  return getWorkspace(deps, member);
}

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
