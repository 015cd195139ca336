import type { OperatorDomain } from "../../contract/resources/domains.ts";
import * as store from "../../store/domains/domains.ts";
import { findWorkspace } from "../../store/workspaces/workspaces.ts";
import type { Operator } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound } from "../errors.ts";
import { changeResource, createResource } from "../resources/change.ts";
import { checkRow } from "./checks.ts";
import { newRow } from "./domains.ts";
import { requireHost } from "./hosts.ts";
import { domainResource, givenByOperator, newToken, presentDomain } from "./resource.ts";

/** The operator's actions on domains of any workspace. */

const present = (deps: Deps, row: store.DomainRow): OperatorDomain => ({
  ...presentDomain(deps.settings, row),
  workspaceId: row.workspaceId,
});

/** Returns the domains of a workspace, oldest first. @throws not_found */
export async function listWorkspaceDomains(
  deps: Deps,
  workspaceId: string,
): Promise<{ domains: OperatorDomain[] }> {
  requireFound(await findWorkspace(deps.db, workspaceId), "Workspace");
  const rows = await store.listDomains(deps.db, workspaceId);
  return { domains: rows.map((row) => present(deps, row)) };
}

/** Returns the domain that has a host. @throws not_found */
export const getDomainOfHost = async (deps: Deps, host: string): Promise<OperatorDomain> =>
  present(deps, await requireHolder(deps, host));

/** Returns the domain that has a host. @throws not_found */
export const requireHolder = async (deps: Deps, host: string): Promise<store.DomainRow> =>
  requireFound(await store.findHolder(deps.db, host), "Domain");

/**
 * Gives a workspace a host that leads here already, as its active domain. Repeating it changes nothing.
 * @throws invalid_input, also (409) for a host that another workspace has; not_found; plan_limit
 */
export async function putDomain(
  deps: Deps,
  { actor }: Operator,
  text: string,
  workspaceId: string,
): Promise<OperatorDomain> {
  const host = requireHost(deps, text, "operator");
  const { plan } = requireFound(await findWorkspace(deps.db, workspaceId), "Workspace");
  const holder = await store.findHolder(deps.db, host);
  if (holder !== undefined && holder.workspaceId !== workspaceId) {
    throw invalid("host", `is a domain of the workspace ${holder.workspaceId}. Remove it there first`, 409);
  }
  const context = { workspaceId, plan, actor };
  const claimed = (await store.listDomains(deps.db, workspaceId)).find((row) => row.host === host);
  if (claimed === undefined) {
    const row = newRow(deps, workspaceId, host, givenByOperator);
    await createResource(deps, context, domainResource, row);
    await checkRow(deps, row, false);
  } else if (claimed.token !== givenByOperator) {
    const { row } = await changeResource(deps, context, domainResource, claimed.id, (before) => ({
      ...before,
      token: givenByOperator,
    }));
    await checkRow(deps, row, false);
  }
  return getDomainOfHost(deps, host);
}

/** Removes a domain. Its workspace can restore it, but then has to prove the host. @throws not_found */
export async function removeDomain(
  deps: Deps,
  { actor }: Operator,
  host: string,
): Promise<{ success: true }> {
  const { id, workspaceId } = await requireHolder(deps, host);
  await changeResource(deps, { workspaceId, actor }, domainResource, id, (before) =>
    before.deletedAt === null
      ? {
          ...before,
          token: newToken(),
          deletedAt: deps.now(),
          isDefault: false,
          checkAt: deps.now(),
        }
      : before,
  );
  return { success: true };
}
