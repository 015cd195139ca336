import { limits } from "../../contract/limits.ts";
import type {
  Page,
  PageContent,
  PageList,
  PageListQuery,
  PageUpdate,
} from "../../contract/resources/pages.ts";
import { fillCache } from "../../edge/routing/cache-writes.ts";
import { pageRoute } from "../../edge/routing/routes.ts";
import { newId } from "../../lib/text/ids.ts";
import { wordsOf } from "../../lib/text/words.ts";
import { pageKey } from "../../protocol/routes.ts";
import * as store from "../../store/pages.ts";
import { findCodeWords } from "../codes/titles.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound, requireVersion, type Versions } from "../errors.ts";
import { type Idempotency, idempotencyRecord, runOnce } from "../idempotency.ts";
import { parseCursor, toPage } from "../paging.ts";
import { definedFields } from "../partial-updates.ts";
import { changeResource, createResource } from "../resources/change.ts";
import { deleteResource, restoreResource } from "../resources/revert.ts";
import { validateContent } from "./content.ts";
import { contentColumns, pageResource } from "./resource.ts";

/**
 * Creates a hosted page, to which codes of type servicepage can link.
 * @throws invalid_input; plan_limit on a plan without such codes; forbidden in a suspended workspace
 */
export async function createPage(
  deps: Deps,
  context: WorkspaceContext,
  input: PageContent,
  idempotency?: Idempotency,
): Promise<Page> {
  requirePermission(context, "codes.write");
  const content = await validateContent(deps, input);
  return runOnce(deps, context.workspaceId, idempotency, async () => {
    const now = deps.now();
    const row: store.PageRow = {
      id: newId(now),
      workspaceId: context.workspaceId,
      version: 1,
      ...contentColumns(content),
      formClosed: false,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      erasedAt: null,
      suspended: null,
    };
    const page = store.presentPage(row, deps.settings.scanOrigin);
    const record = idempotencyRecord(now, idempotency, page);
    await createResource(deps, context, pageResource, row, record && { ...record, pageId: row.id });
    await fillCache(deps, pageKey(row.id), pageRoute(row));
    return page;
  });
}

/** Returns one page of the list of hosted pages, newest first. @throws invalid_input for a cursor of another list */
export async function listPages(
  deps: Deps,
  context: WorkspaceContext,
  { cursor, limit }: PageListQuery,
): Promise<PageList> {
  const filters = "pages";
  const rows = await store.listPages(deps.db, context.workspaceId, parseCursor(cursor, filters), limit + 1);
  const { items, nextCursor } = toPage(rows, limit, filters);
  return { items: items.map((row) => store.presentPage(row, deps.settings.scanOrigin)), nextCursor };
}

/** Returns a page with its title; undefined for an unknown or deleted one. */
export async function findTitledPage(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<store.TitledPage | undefined> {
  const row = await store.findPage(deps.db, workspaceId, id, { deleted: "hidden" });
  return row && { id, name: row.content.title };
}

/** Returns the newest pages whose titles contain the words of a text. */
export const searchPages = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  text: string,
  limit: number,
): Promise<store.TitledPage[]> =>
  store.searchPages(deps.db, workspaceId, wordsOf(text, limits.page.title), limit);

/** Returns a page; a deleted one only with `deleted: "shown"`. @throws not_found */
export async function getPage(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  deleted: "hidden" | "shown" = "hidden",
): Promise<Page> {
  return store.presentPage(await requirePage(deps, context, id, deleted), deps.settings.scanOrigin);
}

/** A page with its version, which changes with everything stored about it. */
export interface VersionedPage {
  readonly page: Page;
  readonly version: number;
}

/** Returns a page with its version. @throws not_found */
export async function getVersionedPage(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<VersionedPage> {
  return versioned(deps, await requirePage(deps, context, id));
}

const versioned = (deps: Deps, row: store.PageRow): VersionedPage => ({
  page: store.presentPage(row, deps.settings.scanOrigin),
  version: row.version,
});

/** Counts the codes that link to each page. Omits pages without codes. */
export const countCodesOfPages = (
  deps: Deps,
  context: WorkspaceContext,
  pageIds: readonly string[],
): Promise<Map<string, number>> => store.countCodesOfPages(deps.db, context.workspaceId, pageIds);

/** Returns how many codes link to a page, and some of them. @param limit maximum number of codes */
export async function codesOfPage(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  limit: number,
): Promise<{
  readonly total: number;
  readonly codes: readonly { readonly id: string; readonly title: string; readonly scanUrl: string }[];
}> {
  const [total, ids] = await Promise.all([
    store.countCodesLinkingTo(deps.db, context.workspaceId, id),
    store.listCodesLinkingTo(deps.db, context.workspaceId, id, limit),
  ]);
  const words = await findCodeWords(deps, context, ids);
  return { total, codes: [...words].map(([codeId, { title, scanUrl }]) => ({ id: codeId, title, scanUrl })) };
}

/**
 * Changes the given fields. The returned content has been published, even if it was changed by an earlier request that
 * was interrupted.
 * @throws invalid_input, also (412) if the page has none of the versions; not_found
 */
export async function updatePage(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: PageUpdate,
  versions?: Versions,
): Promise<VersionedPage> {
  requirePermission(context, "codes.write");
  const { row } = await changeResource(deps, context, pageResource, id, async (before) => {
    if (before.deletedAt !== null) return before;
    requireVersion(before, versions);
    const content = await validateContent(
      deps,
      { ...before.content, ...definedFields(input) },
      before.content,
    );
    return { ...before, ...contentColumns(content) };
  });
  if (row.deletedAt !== null) throw notFound("Page");
  return versioned(deps, row);
}

/**
 * Deletes a page that no code links to. Its submissions can still be read by the page's id.
 * @throws as deleteResource; invalid_input while codes link to it, since printed codes can't be recalled
 */
export const deletePage = (
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  versions?: Versions,
): Promise<{ success: true }> => deleteResource(deps, context, pageResource, id, versions);

/**
 * Restores a deleted page as it was, and publishes it.
 * @throws as restoreResource; invalid_input if it leads to a blocked host; plan_limit on a plan without pages
 */
export const restorePage = async (deps: Deps, context: WorkspaceContext, id: string): Promise<Page> =>
  store.presentPage(await restoreResource(deps, context, pageResource, id), deps.settings.scanOrigin);

/** Closes or reopens a page's form, and publishes that. A deleted page stays as it is. */
export async function setFormClosed(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId" | "actor">,
  id: string,
  formClosed: boolean,
): Promise<void> {
  await changeResource(deps, context, pageResource, id, (before) =>
    before.deletedAt === null ? { ...before, formClosed } : before,
  );
}

/** Returns a page's row; a deleted one only with `deleted: "shown"`. @throws not_found */
export async function requirePage(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  deleted: "hidden" | "shown" = "hidden",
): Promise<store.PageRow> {
  return requireFound(await store.findPage(deps.db, context.workspaceId, id, { deleted }), "Page");
}
