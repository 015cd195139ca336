import { itemFor, textToFind } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import type { SeeOther, DashboardRequest } from "../../frame/request.ts";
import { nameInSearch, readOrder, readSearch, writeSearch } from "./search.ts";

/** Turns the filter form into the address of the list, where all filters are part of the search. */
export async function filterCodes(request: DashboardRequest): Promise<SeeOther> {
  const { query } = request;
  const text = textToFind(folderSource, query);
  const found = text === "" ? undefined : await itemFor(folderSource, request, text);
  // The list of folders shows those that match, and leads to the codes of each.
  if (found !== undefined && "problem" in found)
    return { seeOther: `/dashboard/folders?${new URLSearchParams({ q: text })}` };
  const { words, tag, to } = readSearch(query.get("q") ?? "");
  const chosen = (["type", "status", "folder"] as const).flatMap((name) => {
    const isFound = name === "folder" && found !== undefined;
    const value = isFound ? nameInSearch(found.item) : query.get(name);
    return value === null || value === "" ? [] : [[name, value] as const];
  });
  const search = writeSearch({
    words,
    ...(tag === undefined ? {} : { tag }),
    ...(to === undefined ? {} : { to }),
    ...Object.fromEntries(chosen),
  });
  const parameters = new URLSearchParams();
  if (search !== "") parameters.set("q", search);
  const order = readOrder(query);
  if (order !== undefined) parameters.set("order", order);
  const address = parameters.toString();
  return { seeOther: `/dashboard/codes${address === "" ? "" : `?${address}`}` };
}
