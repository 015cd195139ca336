import { isByTotals } from "../../contract/limits.ts";
import type { ListedQr, QrList } from "../../contract/resources/codes/qr.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import type { CodeScans } from "../../protocol/analytics.ts";
import { hasScanTotals, type ListFilter } from "../../store/codes/list.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requireScope } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { unavailable } from "../errors.ts";
import { ifKnown } from "../ledger.ts";

/** How many days the sparklines in a list of codes cover. */
export const sparklineDays = 30;

/**
 * Counts human scans of the workspace's codes, by id: in total, and on each of the last 30 days. One call of the
 * ledger.
 */
export async function scansOfCodes(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  qrIds: readonly string[],
): Promise<ReadonlyMap<string, CodeScans>> {
  if (qrIds.length === 0) return new Map();
  const scans = await deps.ledger(workspaceId).sparklines(qrIds, sparklineDays, deps.now());
  return new Map(scans.map((each) => [each.qrId, each]));
}

/** A code's scans as programs read them. */
export type ListedScans = Required<Pick<ListedQr, "scans" | "scans30d" | "lastScanAt">>;

/**
 * Returns how often people scanned each of these codes, by id. One call of the ledger.
 * @throws internal (503) if the ledger still runs the code of 1.1.0, which doesn't know when
 */
export async function listedScans(
  deps: Deps,
  context: WorkspaceContext,
  qrIds: readonly string[],
): Promise<ReadonlyMap<string, ListedScans>> {
  const scans = await scansOfCodes(deps, context, qrIds);
  return new Map(
    Array.from(scans, ([id, { total, days, lastScanAt }]): [string, ListedScans] => {
      if (lastScanAt === undefined) throw unavailable();
      const scans30d = days.reduce((sum, day) => sum + day, 0);
      return [id, { scans: total, scans30d, lastScanAt: lastScanAt === null ? null : isoTime(lastScanAt) }];
    }),
  );
}

/** Adds each code's scans to a page of codes. One call of the ledger. @throws forbidden for a key that can't read scans */
export async function withScans(
  deps: Deps,
  context: WorkspaceContext,
  read: () => Promise<QrList>,
): Promise<QrList> {
  requireScope(context, "scans:read");
  const { items, ...page } = await read();
  const scans = await listedScans(
    deps,
    context,
    items.map(({ id }) => id),
  );
  return { items: items.map((qr) => ({ ...qr, ...scans.get(qr.id) })), ...page };
}

/**
 * Makes the ledger copy the totals by which a list is filtered or sorted, if it has copied none yet: after an upgrade, and
 * in the hour after a workspace's first scan. @throws internal (503) if it can't
 */
export async function requireTotals(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { sort, scanned, scannedBefore, scannedAfter }: Partial<ListFilter>,
): Promise<void> {
  if (!isByTotals(sort) && (scanned ?? scannedBefore ?? scannedAfter) === undefined) return;
  if (await hasScanTotals(deps.db, workspaceId)) return;
  const ledger = deps.ledger(workspaceId);
  if ((await ledger.countScans()) === 0) return;
  if ((await ifKnown(ledger.copyTotals(deps.now()))) !== true) throw unavailable();
}
