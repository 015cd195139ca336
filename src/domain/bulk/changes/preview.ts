import { limits } from "../../../contract/limits.ts";
import type {
  BulkChange,
  BulkPreview,
  BulkSelection,
} from "../../../contract/resources/codes/bulk-update.ts";
import { workUnits } from "../../../contract/work-units.ts";
import { countSelected, listSelected } from "../../../store/bulk/selection.ts";
import { presentQr, type QrRow } from "../../../store/codes/columns.ts";
import { listQrIds } from "../../../store/codes/list.ts";
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

/** Yields the first codes of a selection, up to the limit, page by page. */
async function* firstCodes(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { ids, filter }: BulkSelection,
): AsyncGenerator<readonly QrRow[]> {
  const selected = ids ?? (await listQrIds(deps.db, workspaceId, { ...filter, limit: mostExamined }, null));
  let examined = 0;
  for (let from = 0; from < selected.length && examined < mostExamined; from += codesPerPage) {
    const some = { ids: selected.slice(from, from + codesPerPage) };
    const page = await listSelected(deps.db, workspaceId, some, mostExamined - examined);
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
  selection: BulkSelection,
  change: BulkChange,
): Promise<ExaminedChange> {
  const matched = await countSelected(deps.db, context.workspaceId, selection);
  await takeHeavyWork(deps, context.workspaceId, workUnits.dryRun(Math.min(matched, mostExamined)));
  const changing: string[] = [];
  const failures = new Map<string, number>();
  const samples: BulkSample[] = [];
  let examined = 0;
  for await (const codes of firstCodes(deps, context, selection)) {
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

/**
 * Counts the hosts that the first codes of a selection lead to, most frequent first.
 * @returns also how many codes were examined
 */
export async function countHosts(
  deps: Deps,
  context: WorkspaceContext,
  selection: BulkSelection,
): Promise<{ readonly examined: number; readonly hosts: readonly HostCount[] }> {
  const counts = new Map<string, number>();
  let examined = 0;
  for await (const codes of firstCodes(deps, context, selection)) {
    examined += codes.length;
    for (const code of codes) {
      const hosts = new Set(allAddressesOf(code).map(({ address }) => new URL(address).host));
      for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
    }
  }
  const hosts = [...counts].map(([host, codes]) => ({ host, codes }));
  return { examined, hosts: hosts.toSorted((a, b) => b.codes - a.codes).slice(0, limits.bulkUpdate.hosts) };
}
