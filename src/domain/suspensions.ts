import { limits } from "../contract/limits.ts";
import type {
  Suspension,
  SuspensionInput,
  SuspensionStatus,
} from "../contract/resources/operations/suspension.ts";
import { lookUpWithCorrections } from "../edge/routing/misreadings.ts";
import { pageUrl, shownTarget } from "../edge/routing/route-target.ts";
import { changesBetween } from "../lib/changes.ts";
import { readHash } from "../lib/text/hash.ts";
import { workspaceKey } from "../protocol/routes.ts";
import type { QrRow } from "../store/codes/columns.ts";
import * as store from "../store/operations/suspensions.ts";
import { findWorkspace } from "../store/workspaces/workspaces.ts";
import { codeResource } from "./codes/resource.ts";
import { retryOnConflict } from "./conflicts.ts";
import type { Operator } from "./context/context.ts";
import type { Deps } from "./deps.ts";
import { requireHolder } from "./domains/operator.ts";
import { domainResource } from "./domains/resource.ts";
import { notFound, requireFound } from "./errors.ts";
import { tryForwardEvents } from "./events/forwarding.ts";
import { newEntry } from "./history/entries.ts";
import { pageResource } from "./pages/resource.ts";
import { parseCursor, toPage } from "./paging.ts";
import { changeResource } from "./resources/change.ts";
import { findAnswering, readScanAddress, siteOfAnyone } from "./routing/answering.ts";
import { publishPending } from "./routing/publish.ts";

/**
 * Suspends a resource on the operator's behalf, or lifts its suspension. The returned state has been published, even if
 * it was changed by an earlier request that was interrupted.
 */

/** The suspension that a request sets; null lifts it. */
export type SuspensionRequest = SuspensionInput | null;

/** Suspends a code by its id or hash. Its owner gets an event. @throws not_found, also for an erased code */
export async function setCodeSuspension(
  deps: Deps,
  { actor }: Operator,
  idOrHash: string,
  request: SuspensionRequest,
): Promise<SuspensionStatus> {
  const hash = readHash(idOrHash);
  const find = (by: "id" | "hash", value: string) => store.findCodeToSuspend(deps.db, { by, value });
  const found =
    hash === null
      ? find("id", idOrHash)
      : lookUpWithCorrections(deps, hash, (reading) => find("hash", reading));
  const code = requireFound(await found, "QR code");
  const edit = suspending("QR code", suspensionOf(deps, request));
  const { row, entry } = await changeResource(
    deps,
    { ...code, actor },
    codeResource,
    code.id,
    edit,
    patience,
  );
  if (entry !== null) await tryForwardEvents(deps, row.workspaceId);
  return suspensionStatus(row);
}

/** Suspends a hosted page with its form. Codes that show it are suspended with it. @throws not_found, also for an erased page */
export async function setPageSuspension(
  deps: Deps,
  { actor }: Operator,
  id: string,
  request: SuspensionRequest,
): Promise<SuspensionStatus> {
  const page = requireFound(await store.findPageToSuspend(deps.db, id), "Page");
  const edit = suspending("Page", suspensionOf(deps, request));
  const { row } = await changeResource(deps, { ...page, actor }, pageResource, id, edit, patience);
  return suspensionStatus(row);
}

/**
 * Suspends a domain by its host. Its codes answer at the scan origin alone.
 * @param of the workspace that must have the host; any if omitted
 * @throws not_found
 */
export async function setDomainSuspension(
  deps: Deps,
  { actor }: Operator,
  host: string,
  request: SuspensionRequest,
  of?: string,
): Promise<SuspensionStatus> {
  const domain = await requireHolder(deps, host);
  const { workspaceId } = domain;
  if (of !== undefined && of !== workspaceId) throw notFound("Domain");
  const edit = suspending("Domain", suspensionOf(deps, request));
  const { row } = await changeResource(
    deps,
    { workspaceId, actor },
    domainResource,
    domain.id,
    edit,
    patience,
  );
  return suspensionStatus(row);
}

/** A suspension keeps retrying against the owner's own changes for this long. */
const patience = limits.changeAttempts.suspensionSeconds * 1000;

/** Returns the edit that suspends a code, page or domain. A different time alone doesn't make it another suspension. */
const suspending =
  (resource: string, suspended: Suspension | null) =>
  <Row extends Pick<QrRow, "suspended"> & Partial<Pick<QrRow, "erasedAt">>>(before: Row): Row => {
    if (before.erasedAt != null) throw notFound(resource);
    return isSame(before.suspended, suspended) ? before : { ...before, suspended };
  };

const isSame = (one: Suspension | null, other: Suspension | null): boolean =>
  one?.reason === other?.reason && one?.legalOrder === other?.legalOrder;

/** Suspends a workspace with all its codes and pages, through a record of its own that scans read. @throws not_found */
export async function setWorkspaceSuspension(
  deps: Deps,
  operator: Operator,
  id: string,
  request: SuspensionRequest,
): Promise<SuspensionStatus> {
  const suspended = await retryOnConflict(
    deps,
    "workspace",
    async (note) => {
      const { name, suspended: before } = note(requireFound(await findWorkspace(deps.db, id), "Workspace"));
      const after = suspensionOf(deps, request);
      if (isSame(before, after)) return before;
      const action = after === null ? "workspace.unsuspended" : "workspace.suspended";
      const changes = changesBetween({ suspended: before }, { suspended: after });
      const entry = newEntry(deps, operator, action, { id, name, changes });
      const isStored = await store.setWorkspaceSuspension(deps.db, id, [before, after], deps.now(), entry);
      return isStored ? after : "conflict";
    },
    patience,
  );
  await publishPending(deps, workspaceKey(id));
  return suspensionStatus({ id, workspaceId: id, suspended });
}

/** A code or page, as the operator checks it before suspending it. */
export interface SuspensionSubject {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** A code's short name, a page's title. */
  readonly name: string;
  /** Where it leads; null for a contact. */
  readonly destination: string | null;
}

/** Returns a code that the operator may suspend. @throws not_found */
export async function getCodeToSuspend(deps: Deps, id: string): Promise<SuspensionSubject> {
  const code = requireFound(await store.findCodeToSuspend(deps.db, { by: "id", value: id }), "QR code");
  const { hash: name, data, ...subject } = code;
  return { ...subject, name, destination: shownTarget(deps.settings.scanOrigin, data) };
}

/** Returns a hosted page that the operator may suspend. @throws not_found */
export async function getPageToSuspend(deps: Deps, id: string): Promise<SuspensionSubject> {
  const { title: name, ...subject } = requireFound(await store.findPageToSuspend(deps.db, id), "Page");
  return { ...subject, name, destination: pageUrl(deps.settings.scanOrigin, id) };
}

/** Finds what can be suspended at an address. @returns its kind and its id, or the host of a domain; null if nothing is there */
export async function findToSuspend(
  deps: Deps,
  text: string,
): Promise<{ readonly kind: "code" | "page" | "domain"; readonly id: string } | null> {
  const address = readScanAddress(text);
  if (address === null) return null;
  const [found] = await findAnswering(deps, [address], await siteOfAnyone(deps, address));
  switch (found?.kind) {
    case "code": {
      const code = await store.findCodeToSuspend(deps.db, { by: "hash", value: found.hash });
      return code === undefined ? null : { kind: "code", id: code.id };
    }
    case "page": {
      const page = await store.findPageToSuspend(deps.db, found.pageId);
      const isThere = page !== undefined && (found.workspaceId ?? page.workspaceId) === page.workspaceId;
      return isThere ? { kind: "page", id: page.id } : null;
    }
    case "domain":
      return { kind: "domain", id: found.host };
    default:
      return null;
  }
}

/** Returns a page of what is suspended. @throws invalid_input for a cursor of another list */
export async function listSuspensions(
  deps: Deps,
  cursor: string | undefined,
): Promise<{ items: store.SuspensionRow[]; nextCursor: string | null }> {
  const filters = "suspensions";
  const limit = limits.operatorList.default;
  const rows = await store.listSuspensions(deps.db, parseCursor(cursor, filters), limit + 1);
  return toPage(rows, limit, filters);
}

const suspensionOf = (deps: Deps, request: SuspensionRequest): Suspension | null =>
  request && { ...request, at: new Date(deps.now()).toISOString() };

const suspensionStatus = ({ id, workspaceId, suspended }: store.SuspendedRow): SuspensionStatus => ({
  id,
  workspaceId,
  suspended,
});
