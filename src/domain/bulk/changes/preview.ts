import { limits } from "../../../contract/limits.ts";
import type { BulkChange, BulkPreview } from "../../../contract/resources/codes/bulk-update.ts";
import { workUnits } from "../../../contract/work-units.ts";
import { listLinks, listSelected, type Matches } from "../../../store/bulk/selection.ts";
import { presentQr, type QrRow } from "../../../store/codes/columns.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import type { Deps } from "../../deps.ts";
import { allAddressesOf } from "../../destinations/addresses.ts";
import { takeHeavyWork } from "../../heavy-work.ts";
import { yieldToOtherRequests } from "../../yielding.ts";
import { isChanged, type PreparedChanges, prepareChanges } from "./prepare-changes.ts";

/** A code before and after a change. */
export type BulkSample = BulkPreview["samples"][number];

/** The effect of a change on the codes of a selection, as far as they were examined. */
export interface ExaminedChange {
  /** Codes of the selection. */
  readonly matched: number;
  /** How many were examined: all, or the first up to a limit. */
  readonly examined: number;
  /** The ids of codes that would differ after the change. */
  readonly changing: readonly string[];
  /** How many can't be changed, by reason. */
  readonly failures: ReadonlyMap<string, number>;
  /** The first codes that would change or fail. */
  readonly samples: readonly BulkSample[];
}

/** A host, and how many codes have an address on it. */
export interface HostCount {
  readonly host: string;
  readonly codes: number;
}

/** How many codes are read at once. */
const codesPerPage = 500;

const { examined: mostExamined, samples: sampleCount } = limits.bulkUpdate;

/** Reads the existing codes of a selection page by page, up to the limit. @param read a page, by ids */
async function* firstCodes<Code>(
  deps: Deps,
  ids: readonly string[],
  read: (page: readonly string[], most: number) => Promise<readonly Code[]>,
): AsyncGenerator<readonly Code[]> {
  let examined = 0;
  for (let from = 0; from < ids.length && examined < mostExamined; from += codesPerPage) {
    const page = await read(ids.slice(from, from + codesPerPage), mostExamined - examined);
    yield page;
    examined += page.length;
    await yieldToOtherRequests(deps);
  }
}

/**
 * Applies a change to the first codes of a selection without storing anything. @throws rate_limited; ServiceError for a
 * change that no code can have
 */
export async function examineChange(
  deps: Deps,
  context: WorkspaceContext,
  { matched, ids }: Matches,
  change: BulkChange,
): Promise<ExaminedChange> {
  await takeHeavyWork(deps, context.workspaceId, workUnits.dryRun(Math.min(matched, mostExamined)));
  const changing: string[] = [];
  const failures = new Map<string, number>();
  const samples: BulkSample[] = [];
  let examined = 0;
  const read = (page: readonly string[], most: number) =>
    listSelected(deps.db, context.workspaceId, { ids: page }, most);
  for await (const codes of firstCodes(deps, ids, read)) {
    examined += codes.length;
    const prepared = await prepareChanges(deps, context, change, rowsOf(codes));
    for (const code of codes) {
      const error = prepared.errors.get(code.id)?.message;
      const isChanging = error === undefined && isChanged(code, prepared.rows.get(code.id) ?? code);
      if (error !== undefined) failures.set(error, (failures.get(error) ?? 0) + 1);
      if (isChanging) changing.push(code.id);
      if ((isChanging || error !== undefined) && samples.length < sampleCount) {
        samples.push(sampleOf(deps, change, prepared, code));
      }
    }
  }
  return { matched, examined, changing, failures, samples };
}

export const rowsOf = (codes: readonly QrRow[]) => codes.map((code, row) => ({ row, own: null, code }));

/** Returns a code before and after a change made now. */
export function sampleOf(deps: Deps, change: BulkChange, prepared: PreparedChanges, code: QrRow): BulkSample {
  const { scanOrigin } = deps.settings;
  const error = prepared.errors.get(code.id)?.message ?? null;
  const after = isChanged(code, prepared.rows.get(code.id) ?? code)
    ? { ...code, ...prepared.rows.get(code.id), updatedAt: deps.now() }
    : code;
  const isLeft = error === null && change.delete === undefined;
  return { before: presentQr(code, scanOrigin), after: isLeft ? presentQr(after, scanOrigin) : null, error };
}

/** Counts the hosts that the first codes of a selection lead to, most frequent first. @param ids of the selection */
export async function countHosts(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  ids: readonly string[],
): Promise<readonly HostCount[]> {
  const counts = new Map<string, number>();
  // Many addresses begin alike, and parsing one takes longer than reading it.
  const hostsByOrigin = new Map<string, string>();
  const hostOf = (address: string): string => {
    const [origin] = /^[^/]*\/\/[^/?#]*/.exec(address) ?? [address];
    const host = hostsByOrigin.get(origin) ?? new URL(origin).host;
    hostsByOrigin.set(origin, host);
    return host;
  };
  const read = (page: readonly string[], most: number) => listLinks(deps.db, workspaceId, page, most);
  for await (const codes of firstCodes(deps, ids, read)) {
    for (const code of codes) {
      const hosts = new Set(allAddressesOf(code).map(({ address }) => hostOf(address)));
      for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
    }
  }
  const hosts = [...counts].map(([host, codes]) => ({ host, codes }));
  return hosts.toSorted((a, b) => b.codes - a.codes).slice(0, limits.bulkUpdate.hosts);
}
