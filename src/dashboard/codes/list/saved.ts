import type { SavedFilter, SavedList } from "../../../contract/resources/codes/saved-lists.ts";
import { getSavedList } from "../../../domain/codes/saved-lists.ts";
import { findFolders } from "../../../domain/folders/folders.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import { readLastScan } from "./last-scan.ts";
import { filtersOf, nameInSearch, readSearch, type Search, writeSearch } from "./search.ts";
import { type Place, readView, viewAt } from "./view.ts";

/** Saved lists in addresses of the list of codes. */

/** Returns the search of a saved filter. */
async function searchOf(
  { deps, context }: DashboardRequest,
  { q, tag, folderId, qrType, status, externalId, destinationHost, destinationPart, scanned }: SavedFilter,
): Promise<Search> {
  const [folder] = folderId === undefined ? [] : await findFolders(deps, context, [folderId]);
  return {
    words: q ?? "",
    ...(tag !== undefined && { tag }),
    // The id of a deleted folder, which finds no codes.
    ...(folderId !== undefined && { folder: folder === undefined ? folderId : nameInSearch(folder) }),
    ...(qrType !== undefined && { type: qrType }),
    ...(status !== undefined && { status }),
    ...(destinationPart !== undefined && { to: destinationPart }),
    ...(destinationHost !== undefined && { host: destinationHost }),
    ...(externalId !== undefined && { id: externalId }),
    ...(scanned !== undefined && { scanned }),
  };
}

/** Returns the filter of a search; null for one that no code can match. */
export async function savedFilterOf(request: DashboardRequest, text: string): Promise<SavedFilter | null> {
  const search = readSearch(text);
  const filters = await filtersOf(request, search);
  if (filters === null) return null;
  const { tag, folderId, qrType, status, to, destinationHost, externalId } = filters;
  const q = search.words === "" ? undefined : search.words;
  const scanned = readLastScan(search.scanned);
  return { q, tag, folderId, qrType, status, destinationPart: to, destinationHost, externalId, scanned };
}

/** A list at its address, with the saved list that it is or was. */
export interface SavedPlace extends Place {
  readonly saved: SavedList | null;
  /** Whether the address differs from what is saved. */
  readonly isChanged: boolean;
}

/** Returns the list at a request's address. Of a saved list, the address may say all or nothing. @throws not_found */
export async function placeAt(request: DashboardRequest): Promise<SavedPlace> {
  const { deps, context, query, preferences } = request;
  const id = query.get("list");
  const at = { text: query.get("q") ?? "", ...viewAt(query, preferences.codes) };
  if (id === null) return { ...at, saved: null, isChanged: false };
  const saved = await getSavedList(deps, context, id);
  const { sort, order, columns } = saved;
  const text = writeSearch(await searchOf(request, saved.filter));
  if (!query.has("q") && readView(query) === null) {
    return { text, view: { ...at.view, sort, order, columns }, isGiven: true, saved, isChanged: false };
  }
  const { view } = at;
  const isSame =
    writeSearch(readSearch(at.text)) === text &&
    view.sort === sort &&
    view.order === order &&
    view.columns.join() === columns.join();
  return { ...at, isGiven: true, saved, isChanged: !isSame };
}
