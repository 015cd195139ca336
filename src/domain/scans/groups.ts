import { limits } from "../../contract/limits.ts";
import { type GroupedCode, listCodesInFolders } from "../../store/folders/folders.ts";
import { listCodesWithTags } from "../../store/folders/tags.ts";
import { listCodesOfPages } from "../../store/pages.ts";
import { scansOfCodes, sparklineDays } from "../codes/scans.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

/** Human scans on each of the last 30 days, oldest first, by group. Undefined if they have too many codes to add up. */
export type ScansOfGroups = ReadonlyMap<string, readonly number[]> | undefined;

/** As many codes as a report adds up. */
const { codes: most } = limits.analytics;

/** Counts the scans of the codes in folders, by id. One call of the ledger. */
export const scansOfFolders = async (
  deps: Deps,
  context: WorkspaceContext,
  ids: readonly string[],
): Promise<ScansOfGroups> =>
  scansOfGroups(deps, context, ids, await listCodesInFolders(deps.db, context.workspaceId, ids, most + 1));

/** Counts the scans of the codes with tags, by tag. One call of the ledger. */
export const scansOfTags = async (
  deps: Deps,
  context: WorkspaceContext,
  tags: readonly string[],
): Promise<ScansOfGroups> =>
  scansOfGroups(deps, context, tags, await listCodesWithTags(deps.db, context.workspaceId, tags, most + 1));

/** Counts the scans of the codes that lead to pages, by the page's id. One call of the ledger. */
export const scansOfPages = async (
  deps: Deps,
  context: WorkspaceContext,
  ids: readonly string[],
): Promise<ScansOfGroups> =>
  scansOfGroups(deps, context, ids, await listCodesOfPages(deps.db, context.workspaceId, ids, most + 1));

async function scansOfGroups(
  deps: Deps,
  context: WorkspaceContext,
  groups: readonly string[],
  codes: readonly GroupedCode[],
): Promise<ScansOfGroups> {
  if (codes.length > most) return undefined;
  const scans = await scansOfCodes(deps, context, [...new Set(codes.map(({ id }) => id))]);
  const idsOf = Map.groupBy(codes, ({ group }) => group);
  return new Map(
    groups.map((group) => {
      const sums = Array.from({ length: sparklineDays }, () => 0);
      for (const { id } of idsOf.get(group) ?? []) {
        for (const [day, count] of (scans.get(id)?.days ?? []).entries())
          sums[day] = (sums[day] ?? 0) + count;
      }
      return [group, sums];
    }),
  );
}
