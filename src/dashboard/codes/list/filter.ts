import { itemFor, textToFind } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import type { DashboardRequest, SeeOther } from "../../frame/request.ts";
import { filterNames, listAddress, nameInSearch, readSearch, type Search } from "./search.ts";
import { readView } from "./view.ts";

/**
 * Redirects a form of the list to the list's address, where all filters are part of the search. The form has the
 * previous search in `q`, and new words (possibly containing filters), values of filters, or how the list is shown. An
 * empty value removes its filter.
 */
export async function filterCodes(request: DashboardRequest): Promise<SeeOther> {
  const { query } = request;
  const before = readSearch(query.get("q") ?? "");
  const typed = query.get("words");
  const chosen = filterNames.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value.trim()] as const];
  });
  const given = { ...before, ...(typed !== null && readSearch(typed)), ...Object.fromEntries(chosen) };
  const text = textToFind(folderSource, query);
  const found = text === "" ? undefined : await itemFor(folderSource, request, text);
  // The list of folders shows the matches and links to the codes of each.
  if (found !== undefined && "problem" in found)
    return { seeOther: `/dashboard/folders?${new URLSearchParams({ q: text })}` };
  const search = { ...given, ...(found !== undefined && { folder: nameInSearch(found.item) }) };
  const present = Object.entries(search).filter(([name, value]) => name === "words" || value !== "");
  const view = readView(query) ?? undefined;
  const listId = query.get("list") ?? undefined;
  return { seeOther: listAddress(Object.fromEntries(present) as unknown as Search, view, listId) };
}
