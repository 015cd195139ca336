import type { BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import { ServiceError } from "../../domain/errors.ts";
import { isId } from "../../lib/text/ids.ts";
import { filtersOf, isByLastScan, readSearch } from "../codes/list/search.ts";
import type { DashboardRequest } from "../frame/request.ts";

/** The codes that people have selected in the list. */
export interface Selected {
  /** Null if no code can match the search. */
  readonly selection: BulkSelection | null;
  /** The form fields that select the same codes. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The address of the list where they were selected. */
  readonly list: string;
  /** The search that finds them; undefined for individually selected codes. */
  readonly search?: string;
}

/**
 * Reads the codes that a page or form is about. A page, or a form with `all`, is about those that the search `q` finds
 * (an empty search finds all codes); any other form is about those with the ids in `id` and `ids`.
 */
export async function readSelected(request: DashboardRequest): Promise<Selected> {
  const { query, form } = request;
  const isAll = form.has("all") || (form.size === 0 && query.has("q"));
  const search = form.get("q") ?? query.get("q") ?? "";
  const list = `/dashboard/codes${search === "" ? "" : `?${new URLSearchParams({ q: search })}`}`;
  if (!isAll) {
    const listed = [...form.getAll("id"), ...(form.get("ids") ?? "").split(" ")];
    const ids = [...new Set(listed.filter(isId).map((id) => id.toLowerCase()))];
    const fields = [["ids", ids.join(" ")] as const, ["q", search] as const];
    return { selection: ids.length === 0 ? null : { ids }, fields, list };
  }
  const read = readSearch(search);
  if (isByLastScan(read)) {
    throw new ServiceError(
      "invalid_input",
      "These codes are found by their last scan, which is up to a day old. Select the codes in the list.",
    );
  }
  const filter = await filtersOf(request, read);
  const fields = [["all", "on"] as const, ["q", search] as const];
  return { selection: filter && { filter }, fields, list, search };
}
