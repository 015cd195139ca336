import { limits } from "../../contract/limits.ts";
import type { Domain, DomainInput, DomainUpdate } from "../../contract/resources/domains.ts";
import { newId } from "../../lib/text/ids.ts";
import { requiresHttps } from "../../lib/web/https.ts";
import * as store from "../../store/domains/domains.ts";
import { findCurrent } from "../../store/resources/find.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { notInPlanError, planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, requireFound, requireVersion, type Versions } from "../errors.ts";
import { definedFields } from "../partial-updates.ts";
import { changeResource, createResource } from "../resources/change.ts";
import { deleteResource, restoreResource } from "../resources/revert.ts";
import { checkOnRequest, checkRow } from "./checks.ts";
import { readTargets, requireHost } from "./hosts.ts";
import { domainResource, newToken, presentDomain } from "./resource.ts";

/** Returns whether codes answer at a domain. */
export const isInUse = ({ status, suspended }: Pick<Domain, "status" | "suspended">): boolean =>
  status === "active" && suspended === null;

/** Returns the workspace's domains, oldest first. */
export async function listDomains(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
): Promise<{ domains: Domain[] }> {
  const rows = await store.listDomains(deps.db, workspaceId);
  return { domains: rows.map((row) => presentDomain(deps.settings, row)) };
}

/** A domain with its version, which changes with everything that its owner or the operator sets. */
export interface VersionedDomain {
  readonly domain: Domain;
  readonly version: number;
}

/** Returns a domain with its version. @throws not_found */
export const getVersionedDomain = async (
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  id: string,
): Promise<VersionedDomain> => versioned(deps, await requireDomain(deps, context, id));

const versioned = (deps: Deps, row: store.DomainRow): VersionedDomain => ({
  domain: presentDomain(deps.settings, row),
  version: row.version,
});

async function requireDomain(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  id: string,
): Promise<store.DomainRow> {
  const row = requireFound((await findCurrent(deps.db, domainResource.kind, workspaceId, id))?.row, "Domain");
  if (row.deletedAt !== null) throw notFound("Domain");
  return row;
}

/**
 * Claims a host for the workspace, and checks at once how far it is. A claim reserves nothing: another workspace may claim
 * the host, too, until one proves it. Claims that aren't proved within `limits.domain.claimDays` end.
 * @throws invalid_input; plan_limit; forbidden in a suspended workspace
 */
export async function createDomain(
  deps: Deps,
  context: WorkspaceContext,
  input: DomainInput,
): Promise<VersionedDomain> {
  requirePermission(context, "domains");
  requireInPlan(context);
  const host = requireHost(deps, input.host);
  if (!canClaimHosts(deps)) {
    throw invalid(
      "host",
      `can be added by the operator of this installation alone. Ask them to run ${operatorCommand(context, host)}`,
    );
  }
  const row = {
    ...newRow(deps, context.workspaceId, host, newToken()),
    ...definedFields({ isDefault: input.isDefault, name: input.name, query: input.query }),
    ...readTargets(deps, host, input),
  };
  if (await store.isSuspendedElsewhere(deps.db, row)) {
    throw invalid("host", "was suspended by the operator of this service. Ask them first");
  }
  await createResource(deps, context, domainResource, row);
  await checkRow(deps, row, true);
  return getVersionedDomain(deps, context, row.id);
}

/** Returns whether members can add hosts. Without custom hostnames, only the operator can, except in local development. */
export const canClaimHosts = ({ settings: { customHostnames, scanOrigin } }: Deps): boolean =>
  customHostnames !== null || !requiresHttps(scanOrigin);

/** Returns the command by which the operator gives the workspace a host. */
export const operatorCommand = (
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  host: string,
): string => `npm run domains -- add ${host} --workspace ${workspaceId}`;

/** Returns a new claim of a host. */
export function newRow(deps: Deps, workspaceId: string, host: string, token: string): store.DomainRow {
  const now = deps.now();
  return {
    id: newId(now),
    workspaceId,
    host,
    token,
    status: "unproved",
    ...{ problem: null, detail: null, provedAt: null, customHostnameId: null },
    ...{ isDefault: false, name: null, rootUrl: null, unknownUrl: null, query: "off" },
    ...{ createdAt: now, claimedAt: now, checkedAt: null, checkAt: now, deletedAt: null, suspended: null },
    version: 1,
    routeVersion: now,
  };
}

/** @throws plan_limit on a plan without domains */
function requireInPlan(context: WorkspaceContext): void {
  if (planOf(context).domains === 0) {
    throw notInPlanError(context, "domains", "Upgrade to use your own.");
  }
}

/** Changes the given fields. @throws not_found; invalid_input, also (412) if the domain has none of the versions */
export async function updateDomain(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: DomainUpdate,
  versions?: Versions,
): Promise<VersionedDomain> {
  requirePermission(context, "domains");
  const { rootUrl, unknownUrl, ...others } = input;
  const { row } = await changeResource(deps, context, domainResource, id, (before) => {
    if (before.deletedAt !== null) throw notFound("Domain");
    requireVersion(before, versions);
    const targets = readTargets(deps, before.host, { rootUrl, unknownUrl }, before);
    return { ...before, ...definedFields(others), ...targets };
  });
  return versioned(deps, row);
}

/**
 * Checks now how far a domain is. One that was checked within the last minute stays as it is, and many checks at once are
 * left to the sweep. @throws not_found
 */
export async function checkDomain(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<VersionedDomain & { readonly checked: Awaited<ReturnType<typeof checkOnRequest>> }> {
  requirePermission(context, "domains");
  const checked = await checkOnRequest(deps, await requireDomain(deps, context, id));
  return { ...(await getVersionedDomain(deps, context, id)), checked };
}

/** Counts the codes whose short link or aliases use a domain, up to `limits.countedCodes`. */
export const countCodesAt = (
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  host: string,
): Promise<number> => store.countCodesAt(deps.db, workspaceId, host, limits.countedCodes);

/**
 * Removes a domain. Its host shows a page of ours, and its codes' short links have the scan origin again.
 * @param typed its host, typed once more
 * @throws as deleteResource; invalid_input while codes use it, unless the host was typed
 */
export async function deleteDomain(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  typed: string | undefined,
  versions?: Versions,
): Promise<{ success: true }> {
  requirePermission(context, "domains");
  const { host } = await requireDomain(deps, context, id);
  if (typed?.trim().toLowerCase() !== host) {
    const codes = await countCodesAt(deps, context, host);
    if (codes > 0 || typed !== undefined) {
      const are = codes === 1 ? "1 code uses" : `${codes} codes use`;
      const why = codes === 0 ? "" : `${are} this domain, and printed ones can't be recalled. `;
      throw invalid("host", `must be ${host}, the domain to remove. ${why}`.trim());
    }
  }
  return deleteResource(deps, context, domainResource, id, versions);
}

/** Restores a removed domain, whose host has to be proved again. @throws as restoreResource */
export async function restoreDomain(deps: Deps, context: WorkspaceContext, id: string): Promise<Domain> {
  requirePermission(context, "domains");
  await checkRow(deps, await restoreResource(deps, context, domainResource, id), true);
  return (await getVersionedDomain(deps, context, id)).domain;
}
