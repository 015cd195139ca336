import { countSelection } from "../../domain/bulk/update-jobs.ts";
import { formatNumber } from "../components/values/format.ts";
import type { Fragment, DashboardRequest } from "../frame/request.ts";
import { readSelected } from "./selection.ts";

/** The text of the link that changes all codes of a search, with their number. */
export async function countMatches(request: DashboardRequest): Promise<Fragment> {
  const { selection } = await readSelected(request);
  const count = selection === null ? 0 : await countSelection(request.deps, request.context, selection);
  return { fragment: <>Change all {formatNumber(count)} that match</> };
}
