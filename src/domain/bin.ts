import { type BinItem, BinKind, type BinList, type BinQuery } from "../contract/resources/history/bin.ts";
import { idLength } from "../lib/text/ids.ts";
import { listDeleted } from "../store/deleted.ts";
import { type Member, personOf, type WorkspaceContext } from "./context/context.ts";
import type { Deps } from "./deps.ts";
import { findDeletions, presentActor } from "./history/history.ts";
import { parseCursor, toPage } from "./paging.ts";
import { restorableAfter, restorableUntil } from "./restorable.ts";

/**
 * Returns a page of the workspace's deleted codes, pages, folders, templates, domains and saved lists that can be restored, the last deleted
 * first. @throws invalid_input for a cursor of another list
 */
export async function listBin(
  deps: Deps,
  context: WorkspaceContext | Member,
  { kind, cursor, limit }: BinQuery,
): Promise<BinList> {
  const { workspaceId } = context;
  const filters = { bin: kind ?? null };
  const position = parseCursor(cursor, filters, (text) => /^\d{1,15} [0-9a-f-]{36}$/.test(text));
  const after =
    position === null ? null : { deletedAt: Number.parseInt(position, 10), id: position.slice(-idLength) };
  const kinds = kind === undefined ? BinKind.options : [kind];
  const since = restorableAfter(deps.now());
  const rows = await listDeleted(deps.db, workspaceId, kinds, since, after, limit + 1, personOf(context));
  const page = toPage(rows, limit, filters, (row) => `${row.deletedAt} ${row.id}`);
  const deletions = await findDeletions(
    deps,
    context,
    page.items.map(({ id }) => id),
  );
  const items = page.items.map((row): BinItem => {
    const actor = deletions.get(row.id)?.actor;
    return {
      ...row,
      deletedAt: new Date(row.deletedAt).toISOString(),
      deletedBy: actor === undefined ? null : presentActor(actor),
      restorableUntil: restorableUntil(row.deletedAt),
    };
  });
  return { items, nextCursor: page.nextCursor };
}
