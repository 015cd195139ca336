import { limits } from "../../contract/limits.ts";
import type {
  Page,
  PageContent,
  PageList,
  PageListQuery,
  PageUpdate,
} from "../../contract/resources/pages.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import { sameJson } from "../../lib/text/json.ts";
import * as store from "../../store/pages.ts";
import { pageKey } from "../../protocol/routes.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { notFound, ServiceError } from "../errors.ts";
import { requireContent } from "./content.ts";
import { pageOf, startOf } from "../paging.ts";
import { fillCache, publishChange } from "../routing/publish.ts";
import { pageKind } from "../routing/route-kinds.ts";
import { pageRoute } from "../routing/routes.ts";

/**
 * Makes a hosted page, for codes of type servicepage to lead to.
 * @throws invalid_input; plan_limit on a plan without such codes
 */
export async function createPage(deps: Deps, owner: Owner, input: PageContent): Promise<Page> {
  const { title, qrTypes } = planOf(owner);
  if (!qrTypes.includes("servicepage")) {
    throw new ServiceError("plan_limit", `Your plan ${title} has no hosted pages; upgrade to make them`);
  }
  const now = deps.now();
  const row: store.PageRow = {
    id: newId(now),
    workspaceId: owner.workspaceId,
    version: 1,
    content: requireContent(deps, input),
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  if (!(await store.insertPage(deps.db, row, limits.pages))) {
    throw new ServiceError(
      "invalid_input",
      `A workspace has at most ${limits.pages} pages; delete some first`,
    );
  }
  await fillCache(deps, pageKey(row.id), pageRoute(row));
  return store.presentPage(row, deps.scanOrigin);
}

/** A list of the workspace's pages, newest first. @throws invalid_input for a cursor of another list */
export async function listPages(
  deps: Deps,
  owner: Owner,
  { cursor, limit }: PageListQuery,
): Promise<PageList> {
  const list = "pages";
  const rows = await store.listPages(deps.db, owner.workspaceId, startOf(cursor, list), limit + 1);
  const { items, nextCursor } = pageOf(rows, limit, list);
  return { items: items.map((row) => store.presentPage(row, deps.scanOrigin)), nextCursor };
}

/** @throws not_found */
export async function getPage(deps: Deps, owner: Owner, id: string): Promise<Page> {
  return store.presentPage(await requirePage(deps, owner, id), deps.scanOrigin);
}

/** Changes the fields given. Scans show it before this returns. @throws invalid_input, not_found */
export async function updatePage(deps: Deps, owner: Owner, id: string, input: PageUpdate): Promise<Page> {
  // Undefined when another update came between: then this one starts again from what that one left.
  let updated: store.PageRow | undefined;
  while (updated === undefined) {
    const before = await requirePage(deps, owner, id);
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    const content = requireContent(deps, { ...before.content, ...Object.fromEntries(given) });
    if (sameJson(content, before.content)) return store.presentPage(before, deps.scanOrigin);
    updated = await store.updatePage(deps.db, before, content, deps.now());
  }
  await publishChange(deps, pageKind, pageKey(id), pageRoute(updated));
  return store.presentPage(updated, deps.scanOrigin);
}

/**
 * Deletes a page that no code leads to. What was submitted on it stays readable by its id.
 * @throws not_found; invalid_input while codes lead to it, since a printed code can't be recalled
 */
export async function deletePage(deps: Deps, owner: Owner, id: string): Promise<{ success: true }> {
  let deleted: store.PageRow | undefined;
  while (deleted === undefined) {
    const before = await requirePage(deps, owner, id);
    deleted = await store.deletePage(deps.db, before, deps.now());
    const codes = deleted === undefined ? await store.countCodesOf(deps.db, id) : 0;
    if (codes > 0) {
      const lead = codes === 1 ? "A QR code leads" : `${codes} QR codes lead`;
      const problem = `${lead} to this page; send what leads here elsewhere, or delete it first`;
      throw new ServiceError("invalid_input", problem);
    }
  }
  await publishChange(deps, pageKind, pageKey(id), pageRoute(deleted));
  return { success: true };
}

/** The page's row; a deleted one only where it is asked for. @throws not_found */
export async function requirePage(
  deps: Deps,
  owner: Owner,
  id: string,
  deleted: "hidden" | "shown" = "hidden",
): Promise<store.PageRow> {
  const row = await store.findPage(deps.db, owner.workspaceId, id, { deleted });
  if (row === undefined) throw notFound("Page");
  return row;
}
