import type { HistoryAction } from "../../contract/resources/history/history.ts";
import { pageKey } from "../../protocol/routes.ts";
import { differingPageColumns, findCurrentPage, type PageRow, storePageVersion } from "../../store/pages.ts";
import type { Deps } from "../deps.ts";
import { notFound } from "../errors.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { newEntry } from "../history/entries.ts";
import { changesBetween } from "../../lib/changes.ts";
import { untilStored } from "../lost-races.ts";
import { publishChange } from "../routing/publish.ts";
import { pageKind } from "../routing/route-kinds.ts";
import { pageRoute } from "../routing/routes.ts";

interface PageChangeOptions {
  /** See untilStored. */
  readonly patience?: number;
  /** See storePageVersion. */
  readonly cap?: number;
}

/** Returns the fields of a page that its history tells. */
export const pageFields = ({ content, formClosed, suspended }: PageRow) => ({
  ...content,
  formClosed,
  suspended,
});

function actionOf(after: PageRow, differing: readonly (keyof PageRow)[]): HistoryAction {
  if (differing.includes("deletedAt")) return after.deletedAt === null ? "page.restored" : "page.deleted";
  if (!differing.includes("suspended")) return "page.updated";
  return after.suspended === null ? "page.unsuspended" : "page.suspended";
}

/** Computes a page's new row, or returns the given one. @throws ServiceError */
export type PageEdit = (row: PageRow) => PageRow | Promise<PageRow>;

/**
 * Changes a page, deleted or not: reads it, computes the new row, and stores the differences, provided that the page
 * has not changed since it was read. Otherwise it starts over. Equal values change nothing. The returned page has been
 * published, even if it was changed by an earlier request that was interrupted.
 * @throws not_found; errors of the edit; internal (503) while other requests keep changing the page
 */
export async function changePage(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId" | "actor" | "revertOf">,
  id: string,
  edit: PageEdit,
  { patience, cap = 0 }: PageChangeOptions = {},
): Promise<{ readonly row: PageRow; readonly isChanged: boolean }> {
  const attempt = async () => {
    const found = await findCurrentPage(deps.db, context.workspaceId, id);
    if (found === undefined) throw notFound("Page");
    const edited = await edit(found.row);
    const columns = differingPageColumns(found.row, edited);
    if (columns.length === 0) return { ...found, isChanged: false };
    // Closing a form isn't an edit by the owner.
    const updatedAt = columns.includes("formClosed") ? edited.updatedAt : deps.now();
    const row = { ...edited, version: found.row.version + 1, updatedAt };
    const changed = [...columns, "version", "updatedAt"] as const;
    const entry = newEntry(deps, context, actionOf(row, columns), {
      id,
      name: row.content.title,
      changes: changesBetween(pageFields(found.row), pageFields(row)),
    });
    const isStored = await storePageVersion(deps.db, found.row, row, changed, entry, cap);
    return isStored ? { row, isChanged: true, isPublicationPending: true } : "lost";
  };
  const { row, isChanged, isPublicationPending } = await untilStored(deps, "page", attempt, patience);
  if (isPublicationPending) await publishChange(deps, pageKind, pageKey(id), pageRoute(row));
  return { row, isChanged };
}
