import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type {
  OperatorWorkspace,
  OperatorWorkspaceDetails,
  OperatorWorkspaceList,
  OperatorWorkspaceQuery,
} from "../../contract/resources/operations/operations.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { listMembers } from "../../store/identity/users.ts";
import { readSuspension } from "../../store/routing/route-sources.ts";
import type { StoredDeletion } from "../../store/workspaces/deletion.ts";
import {
  findWorkspaceDetails,
  listWorkspaceUsage,
  type WorkspaceUsage,
} from "../../store/workspaces/usage.ts";
import { findWorkspace } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";

/** How long a workspace's ledger may take to respond. */
const ledgerMilliseconds = 2000;

/** Returns a page of workspaces, newest first. @throws invalid_input for a cursor of another list */
export async function listWorkspaces(
  deps: Deps,
  query: OperatorWorkspaceQuery,
): Promise<OperatorWorkspaceList> {
  const { cursor, limit, ...filters } = query;
  const after = parseCursor(cursor, filters);
  const rows = await listWorkspaceUsage(deps.db, filters, after, limit + 1);
  const { items, nextCursor } = toPage(rows, limit, filters);
  return {
    items: await Promise.all(
      items.map(async (row) => presentWorkspace(row, (await readLedger(deps, row, countWebhooks)) ?? null)),
    ),
    nextCursor,
  };
}

/** Returns the name of a workspace; its id if it is gone. */
export const nameOfWorkspace = async (deps: Deps, id: string): Promise<string> =>
  (await findWorkspace(deps.db, id))?.name ?? id;

/** Returns a workspace with its detailed usage, even if its ledger can't be read. @throws not_found */
export async function inspectWorkspace(deps: Deps, workspaceId: string): Promise<OperatorWorkspaceDetails> {
  const row = requireFound(await findWorkspaceDetails(deps.db, workspaceId), "Workspace");
  const { folders, templates, pages } = row;
  const [people, webhooks = null, scans = null] = await Promise.all([
    listMembers(deps.db, row.id, limits.operatorPeople),
    readLedger(deps, row, countWebhooks),
    readLedger(deps, row, (ledger) => ledger.countScans()),
  ]);
  const { usage, ...workspace } = presentWorkspace(row, webhooks);
  return {
    ...workspace,
    people,
    usage: { ...usage, folders, templates, pages, scans },
    ledgerProblem:
      webhooks === null || scans === null
        ? `The workspace's ledger failed, or did not answer within ${ledgerMilliseconds} ms`
        : null,
  };
}

type Ledger = ReturnType<Deps["ledger"]>;

/** Without asking the ledger, it is known that a workspace that never had a webhook has none. */
const countWebhooks = async (ledger: Ledger, { hasWebhooks }: WorkspaceUsage): Promise<number> =>
  hasWebhooks ? (await ledger.listWebhooks()).length : 0;

/** Reads a number from the workspace's ledger; undefined if that fails or takes too long. */
async function readLedger(
  deps: Deps,
  row: WorkspaceUsage,
  read: (ledger: Ledger, row: WorkspaceUsage) => Promise<number>,
): Promise<number | undefined> {
  try {
    return await withTimeout(deps, ledgerMilliseconds, () => read(deps.ledger(row.id), row));
  } catch (error) {
    log("warn", "ledger not read for the operator", { workspaceId: row.id, error: describeError(error) });
    return undefined;
  }
}

function presentWorkspace(row: WorkspaceUsage, webhooks: number | null): OperatorWorkspace {
  const { id, name, plan, requestsPerMinute, storageLimit, createdAt, suspended } = row;
  const { liveCodes, storedBytes, members, keys } = row;
  return {
    id,
    name,
    plan,
    requestsPerMinute: requestsPerMinute ?? plans[plan].requestsPerMinute,
    storedBytes: storageLimit,
    usage: { liveCodes, storedBytes, members, keys, webhooks },
    suspended: readSuspension(suspended),
    deletion: presentDeletion(row),
    createdAt: new Date(createdAt).toISOString(),
  };
}

function presentDeletion({ deletion, isErased }: WorkspaceUsage): OperatorWorkspace["deletion"] {
  if (deletion === null) return null;
  const { requestedAt, eraseAt } = JSON.parse(deletion) as StoredDeletion;
  return {
    requestedAt: new Date(requestedAt).toISOString(),
    eraseAt: new Date(eraseAt).toISOString(),
    erased: isErased === 1,
  };
}
