import { QrStatus, QrType } from "../../../contract/resources/enums.ts";
import { hostOf, storedTag } from "../../../domain/codes/filter.ts";
import { wordFilter } from "../../../domain/codes/search.ts";
import { folderFinder, type ListedFolder } from "../../../domain/folders/folders.ts";
import { trimmed } from "../../../lib/text/invisible.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import { readLastScan, scanFilters } from "./last-scan.ts";
import { type Place, type View, writeView } from "./view.ts";

/** The filters of a search, as typed. */
export interface Search {
  /** Words, or a short link. */
  readonly words: string;
  readonly tag?: string;
  readonly folder?: string;
  readonly type?: string;
  readonly status?: string;
  readonly to?: string;
  readonly host?: string;
  /** The own id. */
  readonly id?: string;
  /** When a code was scanned last, as in `last-scan.ts`. */
  readonly scanned?: string;
}

export const filterNames = ["tag", "folder", "type", "status", "to", "host", "id", "scanned"] as const;
type FilterName = (typeof filterNames)[number];

/**
 * Parses a search such as `tag:summer folder:"Old menus" lunch`; `""` inside quotes stands for a quote. If a filter is
 * repeated, the last one counts.
 */
export function readSearch(text: string): Search {
  const filters: Partial<Record<FilterName, string>> = {};
  const rest = text.replace(
    /(?<=^|\s)(tag|folder|type|status|to|host|id|scanned):(?:"((?:[^"]|"")*)"|(\S+))/gi,
    (_, name: string, quoted?: string, plain?: string) => {
      filters[name.toLowerCase() as FilterName] = quoted?.replaceAll('""', '"') ?? plain ?? "";
      return "";
    },
  );
  return { words: rest.replace(/\s+/g, " ").trim(), ...filters };
}

/** Whether a search finds codes by their last scan. What it finds is up to a day old, so that all of it can't be changed. */
export const isByLastScan = ({ scanned }: Search): boolean => scanned !== undefined;

/** Formats a search so that `readSearch` can parse it. */
export function writeSearch({ words, ...filters }: Search): string {
  const parts = filterNames.flatMap((name) => {
    const value = filters[name];
    return value === undefined
      ? []
      : [`${name}:${/\s|"/.test(value) ? `"${value.replaceAll('"', '""')}"` : value}`];
  });
  return [...parts, words].filter((part) => part !== "").join(" ");
}

/** Returns the address of the list with a search. */
export const searchAddress = (search: Search): string =>
  `/dashboard/codes?q=${encodeURIComponent(writeSearch(search))}`;

/** The same with a view, and for a saved list. Without all of them, the address of all codes. */
export function listAddress(search: Search, view?: View, listId?: string): string {
  const parameters = new URLSearchParams();
  const text = writeSearch(search);
  if (text !== "") parameters.set("q", text);
  for (const [name, value] of view === undefined ? [] : writeView(view)) parameters.set(name, value);
  if (listId !== undefined) parameters.set("list", listId);
  return parameters.size === 0 ? "/dashboard/codes" : `/dashboard/codes?${parameters}`;
}

/** Returns the address of a place. What changes how the list is shown says the rest of it, too. */
export const placeAddress = ({ text, view, isGiven, saved }: Place, changes?: Partial<View>): string =>
  listAddress(
    readSearch(text),
    isGiven || changes !== undefined ? { ...view, ...changes } : undefined,
    saved?.id,
  );

/** Returns the address of the form that saves a list. */
export const saveAddress = (text: string, view: View): string =>
  `/dashboard/lists/new?${new URLSearchParams([["q", text], ...writeView(view)])}`;

/** Returns the list's address that a form has in `back`, or else the given one. */
export function listToReturnTo(form: URLSearchParams, otherwise: string): string {
  const back = form.get("back") ?? "";
  return /^\/dashboard\/codes(\?|$)/.test(back) ? back : otherwise;
}

/** Returns how a search refers to a folder: by id if an older folder has the same name, otherwise by name. */
export const nameInSearch = ({ id, name, isNamesake }: ListedFolder): string => (isNamesake ? id : name);

/** Returns the address of the list with a folder's codes. */
export const folderAddress = (folder: ListedFolder): string =>
  searchAddress({ words: "", folder: nameInSearch(folder) });

/** Converts a search's filters to those of the list; null if no code can match. */
export async function filtersOf(
  { deps, context, timeZone }: DashboardRequest,
  { words, tag, folder, type, status, to, host, id, scanned }: Search,
) {
  const qrType = type === undefined ? undefined : QrType.safeParse(type.toLowerCase()).data;
  const wanted = status === undefined ? undefined : QrStatus.safeParse(status.toLowerCase()).data;
  const folderId = folder === undefined ? undefined : (await folderFinder(deps, context, [folder]))(folder);
  const lastScan = readLastScan(scanned);
  const isUnknown =
    (type !== undefined && qrType === undefined) ||
    (status !== undefined && wanted === undefined) ||
    (folder !== undefined && folderId === undefined);
  const destinationHost = host === undefined ? undefined : hostOf(host);
  if (isUnknown || destinationHost === null || (scanned !== undefined && lastScan === undefined)) return null;
  return {
    ...(await wordFilter(deps, context, words)),
    tag: tag && (await storedTag(deps, context, trimmed(tag))),
    folderId,
    qrType,
    status: wanted,
    to: to?.toLowerCase(),
    destinationHost,
    externalId: id?.trim().normalize(),
    ...(lastScan !== undefined && scanFilters(lastScan, zoneOf(await timeZone()).dayOf(deps.now()))),
  };
}
