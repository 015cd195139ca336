import type { HistoryEntry } from "../../protocol/history.ts";
import { changedSince, type QrRow, valuesBefore } from "../../store/codes/columns.ts";
import { foldedName } from "../../store/codes/codes.ts";
import { filterOwnedFolderIds } from "../../store/folders/folders.ts";
import { keepLogos } from "../../store/templates/logos.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { changedSinceError, notRevertible, requireValues } from "../history/revertible.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { requireScannable } from "../images/design.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { applyStyle, findStyleLogo, findStyleLookups, type StyleLookups } from "../templates/styles.ts";
import { findReferences, normaliseLinks, type References } from "./data.ts";
import { requireOrder } from "./life-span.ts";
import { findRestorationLookups, placeIn, restoredRow } from "./restoration.ts";

/** A code and the change of it to revert. */
export interface RevertedCode {
  readonly row: QrRow;
  readonly entry: HistoryEntry;
}

/** The rows that reverting changes of codes refers to. */
interface RevertLookups {
  readonly styles: StyleLookups;
  readonly references: References;
  readonly folders: ReadonlySet<string>;
  readonly logos: StyleLookups["logos"];
  readonly restoration: Awaited<ReturnType<typeof findRestorationLookups>> | null;
}

/** Looks up the rows that reverting changes of codes refers to. */
export async function findRevertLookups(
  deps: Deps,
  context: WorkspaceContext,
  codes: readonly RevertedCode[],
): Promise<RevertLookups> {
  const deleted = codes.filter(({ entry }) => entry.action === "code.deleted").map(({ row }) => row);
  const values = codes.flatMap(({ entry }) =>
    entry.action === "code.updated" ? [valuesBefore(entry.changes)] : [],
  );
  const folderIds = values.flatMap(({ folderId }) => folderId ?? []);
  const logoIds = values.flatMap(({ logoId }) => logoId ?? []);
  const [styles, references, folders, logos, restoration] = await Promise.all([
    findStyleLookups(
      deps,
      context,
      values.map(({ advanced }) => ({ advanced })),
    ),
    findReferences(deps, context, values),
    filterOwnedFolderIds(deps.db, context.workspaceId, [...new Set(folderIds)]),
    keepLogos(deps.db, context.workspaceId, [...new Set(logoIds)], deps.now()),
    deleted.length === 0 ? null : findRestorationLookups(deps, context, deleted),
  ]);
  return {
    styles,
    references,
    folders,
    logos: new Map(logos.map((logo) => [logo.id, logo])),
    restoration,
  };
}

/**
 * Returns a code's row without a change that was made to it, which is validated like any change.
 * @throws invalid_input if the code has changed since, or can't have the values before; errors of restoring a code
 */
export async function revertedRow(
  deps: Deps,
  context: WorkspaceContext,
  { row, entry }: RevertedCode,
  lookups: RevertLookups,
): Promise<QrRow> {
  const { action, changes } = entry;
  const isDeleted = row.deletedAt !== null;
  switch (action) {
    case "code.deleted":
      if (!isDeleted) throw changedSinceError(["deleted"]);
      if (lookups.restoration === null) throw new Error("nothing was looked up");
      return restoredRow(deps, row, lookups.restoration);
    case "code.created":
    case "code.restored":
    case "code.updated": {
      const since = isDeleted ? ["deleted"] : changedSince(row, changes);
      if (since.length > 0) throw changedSinceError(since);
      if (action !== "code.restored") requireValues(entry);
      if (action === "code.updated") return withValues(deps, context, row, valuesBefore(changes), lookups);
      return { ...row, deletedAt: deps.now() };
    }
    default:
      throw notRevertible();
  }
}

async function withValues(
  deps: Deps,
  context: WorkspaceContext,
  row: QrRow,
  values: Partial<QrRow>,
  { styles, references, folders, logos }: RevertLookups,
): Promise<QrRow> {
  const links = await normaliseLinks(
    deps,
    { data: values.data, fallbackUrl: values.fallbackUrl },
    references,
  );
  const after: QrRow = {
    ...row,
    ...values,
    ...(values.data !== undefined && { data: links.data ?? values.data }),
    ...(values.name !== undefined && { nameFolded: foldedName(values.name) }),
    ...(values.folderId !== undefined && placeIn(values.folderId, folders)),
  };
  requireOrder(after);
  if (values.advanced !== undefined) applyStyle(context, { advanced: values.advanced }, styles, row.advanced);
  if (values.advanced !== undefined || values.colorConfig !== undefined) requireScannable(after);
  if (values.advanced !== undefined || values.logoId !== undefined) {
    if (values.logoId != null && !logos.has(values.logoId)) {
      throw invalid("logo", "can't be put back, because its file has been deleted");
    }
    requireLogoFits(deps, context, after, await findStyleLogo(deps, context, after.logoId, { logos }));
  }
  return after;
}
