import { countSelection } from "../../domain/bulk/update-jobs.ts";
import { formatNumber } from "../components/values/format.ts";
import type { Fragment, Visit } from "../frame/visit.ts";
import { readSelected } from "./selection.ts";

/** What the link that changes all codes of a search is called, with their number. */
export async function countMatches(visit: Visit): Promise<Fragment> {
  const { selection } = await readSelected(visit);
  const count = selection === null ? 0 : await countSelection(visit.deps, visit.owner, selection);
  return { fragment: <>Change all {formatNumber(count)} that match</> };
}
