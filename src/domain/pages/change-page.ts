import { pageKey } from "../../protocol/routes.ts";
import { differingPageColumns, findCurrentPage, type PageRow, storePageVersion } from "../../store/pages.ts";
import type { Deps } from "../deps.ts";
import { notFound } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { untilStored } from "../lost-races.ts";
import { publishChange } from "../routing/publish.ts";
import { pageKind } from "../routing/route-kinds.ts";
import { pageRoute } from "../routing/routes.ts";

/** Makes the new row of a page, or returns the row that it was given. @throws ServiceError */
export type PageEdit = (row: PageRow) => PageRow | Promise<PageRow>;

/**
 * Changes a page, deleted or not: reads it, makes the new row, and stores what differs, if the page is still the one that
 * was read; otherwise all of it is made again. Equal values change nothing. The page that is returned has been published,
 * also if it was an earlier, interrupted request that changed it.
 * @param patience as of untilStored
 * @throws not_found; what the edit throws; internal (503) while other requests keep changing the page
 */
export async function changePage(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  id: string,
  edit: PageEdit,
  patience?: number,
): Promise<{ readonly row: PageRow; readonly isChanged: boolean }> {
  const attempt = async () => {
    const found = await findCurrentPage(deps.db, workspaceId, id);
    if (found === undefined) throw notFound("Page");
    const edited = await edit(found.row);
    const columns = differingPageColumns(found.row, edited);
    if (columns.length === 0) return { ...found, isChanged: false };
    // Its owner has no part in the closing of a form.
    const updatedAt = columns.includes("formClosed") ? edited.updatedAt : deps.now();
    const row = { ...edited, version: found.row.version + 1, updatedAt };
    const isStored = await storePageVersion(deps.db, found.row, row, [...columns, "version", "updatedAt"]);
    return isStored ? { row, isChanged: true, isPublicationPending: true } : "lost";
  };
  const { row, isChanged, isPublicationPending } = await untilStored(deps, "page", attempt, patience);
  if (isPublicationPending) await publishChange(deps, pageKind, pageKey(id), pageRoute(row));
  return { row, isChanged };
}
