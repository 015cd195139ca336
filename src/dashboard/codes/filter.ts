import type { SeeOther, Visit } from "../frame/visit.ts";
import { readOrder, readSearch, writeSearch } from "./search.ts";

/** Turns the filter form into the address of the list, where all filters are part of the search. */
export function filterCodes({ query }: Visit): SeeOther {
  const { words, tag, to } = readSearch(query.get("q") ?? "");
  const chosen = (["type", "status", "folder"] as const).flatMap((name) => {
    const value = query.get(name);
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
  const text = parameters.toString();
  return { seeOther: `/dashboard/codes${text === "" ? "" : `?${text}`}` };
}
