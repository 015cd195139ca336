import type { Difference } from "../contract/resources/codes/proposals.ts";
import type { Scope } from "../contract/resources/enums.ts";
import { BinKind } from "../contract/resources/history/bin.ts";
import type { Reverted, RevertQuery } from "../contract/resources/history/revert.ts";
import type { HistoryEntry } from "../protocol/history.ts";
import { findCurrent } from "../store/resources/find.ts";
import type { ResourceRow } from "../store/resources/kind.ts";
import { createRevertJob } from "./bulk/revert-jobs.ts";
import { codeResource } from "./codes/resource.ts";
import { savedListResource } from "./codes/saved-lists.ts";
import type { WorkspaceContext } from "./context/context.ts";
import { requirePermission, requirePerson, requireScope } from "./context/permissions.ts";
import type { Deps } from "./deps.ts";
import { domainResource } from "./domains/resource.ts";
import { notFound, ServiceError } from "./errors.ts";
import { folderResource } from "./folders/folders.ts";
import { findHistoryEntry, presentEntry } from "./history/history.ts";
import { pageResource } from "./pages/resource.ts";
import { differenceOf } from "./resources/difference.ts";
import { notRevertible, type Reversible, undoChange, undoneRow } from "./resources/revert.ts";
import { templateResource } from "./templates/templates.ts";

/**
 * Undoes one change with a new change, or a whole bulk job with a new job. Creating something is undone by deleting it,
 * deleting by restoring.
 * @throws not_found; invalid_input naming the fields that have changed since; errors of the change itself
 */
export async function revertChange(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { scope }: RevertQuery,
): Promise<Reverted> {
  requirePermission(context, "codes.write");
  const entry = await findHistoryEntry(deps, context, id);
  const jobId = entry.object.kind === "job" ? entry.object.id : entry.jobId;
  if (scope === "job" || entry.object.kind === "job") {
    if (jobId === undefined) {
      throw new ServiceError("invalid_input", "This change wasn't made by a bulk job. Undo it alone.");
    }
    requireScope(context, "qr:write");
    return { entry: null, job: await createRevertJob(deps, context, jobId) };
  }
  const { make } = undoOfEntry(context, entry);
  return { entry: presentEntry(context, await make(deps, context, entry)), job: null };
}

/** The effect of undoing a change. */
interface ExaminedUndo {
  /** The version of what it changes. */
  readonly version: number;
  readonly difference: Difference;
}

/** Returns what undoing one change would do. Stores nothing. @throws as revertChange */
export async function examineUndo(
  deps: Deps,
  context: WorkspaceContext,
  entry: HistoryEntry,
): Promise<ExaminedUndo> {
  requirePermission(context, "codes.write");
  return undoOfEntry(context, entry).examine(deps, context, entry);
}

/** @throws invalid_input for a change that can't be undone; forbidden for a key without the scope */
function undoOfEntry(context: WorkspaceContext, { object }: HistoryEntry): Undo {
  const { data: kind } = BinKind.safeParse(object.kind);
  if (kind === undefined) throw notRevertible();
  const scope = undoScopes[kind];
  if (scope === null) requirePerson(context);
  else requireScope(context, scope);
  return undoing[kind];
}

/** The scope that a key needs for undoing a change of each kind of resource; null for people only. */
const undoScopes: Readonly<Record<BinKind, Scope | null>> = {
  code: "qr:write",
  folder: "qr:write",
  page: "pages:write",
  template: "templates:write",
  domain: null,
  saved_list: "qr:write",
};

interface Undo {
  make(deps: Deps, context: WorkspaceContext, entry: HistoryEntry): Promise<HistoryEntry>;
  examine(deps: Deps, context: WorkspaceContext, entry: HistoryEntry): Promise<ExaminedUndo>;
}

const undoOf = <Row extends ResourceRow>(resource: Reversible<Row>): Undo => ({
  make: (deps, context, entry) => undoChange(deps, context, resource, entry),
  async examine(deps, context, entry) {
    const found = await findCurrent(deps.db, resource.kind, context.workspaceId, entry.object.id);
    if (found === undefined) throw notFound(resource.noun);
    const { row: before } = found;
    const after = await undoneRow(deps, context, resource, before, entry);
    return { version: before.version, difference: await differenceOf(deps, resource, [{ before, after }]) };
  },
});

/** Undoes a change of each kind of resource. */
const undoing: Readonly<Record<BinKind, Undo>> = {
  code: undoOf(codeResource),
  page: undoOf(pageResource),
  folder: undoOf(folderResource),
  template: undoOf(templateResource),
  domain: undoOf(domainResource),
  saved_list: undoOf(savedListResource),
};
