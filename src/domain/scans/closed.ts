import { limits } from "../../contract/limits.ts";
import type { ClosedScans } from "../../contract/resources/scans/scans.ts";
import { closedReason } from "../../edge/redirect/actions.ts";
import { codeRoute } from "../../edge/routing/routes.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { ClosedCode, DomainVisitCounts } from "../../protocol/workspace-ledger.ts";
import { findQrs } from "../../store/codes/codes.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { scanUrlOf } from "../../store/codes/columns.ts";
import { codeTitle } from "../codes/titles.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { ifAvailable, ifKnown } from "../ledger.ts";

/** A code that people still scan although it leads nowhere. */
export interface StillScanned extends Omit<ClosedCode, "qrId"> {
  readonly id: string;
  readonly title: string;
  readonly scanUrl: string;
  readonly isErased: boolean;
}

/** The codes that are still scanned. */
export interface StillScannedList {
  readonly codes: readonly StillScanned[];
  /** Whether there may be more of them. */
  readonly more: boolean;
}

/**
 * Lists the codes that lead nowhere now and were scanned lately for that reason, the most scanned first. One call of the
 * ledger, and one row of the catalogue a code. @returns null if the ledger can't be read
 */
export async function listStillScanned(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
): Promise<StillScannedList | null> {
  const limit = limits.stillScanned;
  const closed = await ifAvailable(deps, () =>
    ifKnown(deps.ledger(workspaceId).closedCodes(bounds.lately, limit + 1, deps.now())),
  );
  if (closed === null) return null;
  const listed = (closed ?? []).slice(0, limit);
  const ids = [...new Set(listed.map(({ qrId }) => qrId))];
  const rows = ids.length === 0 ? new Map<string, QrRow>() : await findQrs(deps.db, workspaceId, ids);
  const codes = listed.flatMap(({ qrId, ...counts }): StillScanned[] => {
    const row = rows.get(qrId);
    if (row === undefined) return [];
    const route = codeRoute(row);
    if (closedReason({ route, suspended: route.suspended }, deps.now()) !== counts.reason) return [];
    const scanUrl = scanUrlOf(row, deps.settings.scanOrigin);
    const title = codeTitle({ ...row, scanUrl });
    return [{ ...counts, id: qrId, title, scanUrl, isErased: row.erasedAt !== null }];
  });
  return { codes, more: (closed ?? []).length > limit };
}

/** Returns how often a code, deleted or not, was scanned without a target; null if the ledger can't be read. */
export async function closedScansOf(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<ClosedScans | null> {
  const page = await ifAvailable(deps, () => deps.ledger(workspaceId).listScans(id, 1));
  return page?.closed ?? null;
}

/** Returns the visits of a domain's own address, in total and on each day lately; null if they can't be read. */
export async function domainVisits(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  host: string,
): Promise<DomainVisitCounts | null> {
  const read = () => ifKnown(deps.ledger(workspaceId).domainVisits(host, bounds.lately, deps.now()));
  return (await ifAvailable(deps, read)) ?? null;
}
