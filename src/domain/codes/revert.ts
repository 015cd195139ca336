import type { HistoryEntry } from "../../protocol/history.ts";
import { changedSince, type QrRow, valuesBefore } from "../../store/codes/columns.ts";
import { foldedName } from "../../store/codes/codes.ts";
import { findFolderStates } from "../../store/folders/folders.ts";
import { keepLogos } from "../../store/logos/logos.ts";
import type { Deps } from "../deps.ts";
import { folderGone, logoGone, undoingOf } from "../history/revertible.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { hasSameLook, requireScannableChange } from "../images/design.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { applyStyle, findStyleLogo, findStyleLookups, type StyleLookups } from "../templates/styles.ts";
import { findReferences, normaliseLinks, type References } from "./data.ts";
import { requireOrder } from "./life-span.ts";
import { unjudged } from "./merges.ts";
import { findRestorationLookups, type FolderStates, placeIn, restoredRow } from "./restoration.ts";

/** A code and the change of it to revert. */
export interface RevertedCode {
  readonly row: QrRow;
  readonly entry: HistoryEntry;
}

/** The rows that reverting changes of codes refers to. */
interface RevertLookups {
  readonly styles: StyleLookups;
  readonly references: References;
  readonly folders: FolderStates;
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
  const logoIds = values.flatMap(({ logoId, advanced }) => [logoId ?? [], advanced?.logo?.id ?? []].flat());
  const [styles, references, folders, logos, restoration] = await Promise.all([
    findStyleLookups(
      deps,
      context,
      values.map(({ advanced }) => ({ advanced })),
    ),
    findReferences(deps, context, values),
    findFolderStates(deps.db, context.workspaceId, [...new Set(folderIds)]),
    keepLogos(deps.db, context.workspaceId, [...new Set(logoIds)], deps.now(), "stored"),
    deleted.length === 0 ? null : findRestorationLookups(deps, context, deleted),
  ]);
  const byId = new Map(logos.map((logo) => [logo.id, logo]));
  return { styles: { ...styles, logos: byId }, references, folders, restoration };
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
  const { changes } = entry;
  switch (undoingOf(entry, row.deletedAt !== null, changedSince(row, changes))) {
    case "restore":
      if (lookups.restoration === null) throw new Error("nothing was looked up");
      return restoredRow(deps, row, lookups.restoration);
    case "delete":
      return { ...row, deletedAt: deps.now() };
    case "put back":
      return withValues(deps, context, row, valuesBefore(changes), lookups);
  }
}

async function withValues(
  deps: Deps,
  context: WorkspaceContext,
  row: QrRow,
  values: Partial<QrRow>,
  { styles, references, folders }: RevertLookups,
): Promise<QrRow> {
  const links = await normaliseLinks(
    deps,
    { data: values.data, fallbackUrl: values.fallbackUrl },
    references,
  );
  if (values.folderId != null && !folders.has(values.folderId)) throw folderGone();
  const after: QrRow = {
    ...row,
    ...values,
    ...(values.data !== undefined && { data: links.data ?? values.data }),
    ...(values.name !== undefined && { nameFolded: foldedName(values.name) }),
    ...(values.folderId !== undefined && placeIn(values.folderId, folders)),
  };
  requireOrder(after);
  if (values.advanced !== undefined) applyStyle(context, { advanced: values.advanced }, styles, row.advanced);
  if (values.advanced !== undefined || values.colorConfig !== undefined) {
    requireScannableChange(row, after, Object.keys(after.advanced ?? {}));
  }
  if (values.advanced !== undefined || values.logoId !== undefined) {
    if (values.logoId != null && !styles.logos.has(values.logoId)) throw logoGone();
    requireLogoFits(deps, context, after, await findStyleLogo(deps, context, after.logoId, styles));
  }
  return hasSameLook(row, after) ? after : { ...after, ...unjudged };
}
