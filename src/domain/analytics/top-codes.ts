import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { DimensionItem } from "../../contract/resources/scans/analytics.ts";
import { findQrs } from "../../store/codes/codes.ts";
import { presentQr } from "../../store/codes/columns.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

/** A code of a report, with its scans. */
export interface TopCode {
  /** Null if it has been erased. */
  readonly qr: Qr | null;
  readonly isDeleted: boolean;
  /** In the report's range. */
  readonly scans: number;
  /** Human scans on each of the last days, oldest first; empty if the report doesn't end today. */
  readonly days: readonly number[];
}

/**
 * Returns the codes of a report's dimension, with their recent daily scans.
 * @param days how many days up to today; 0 for none
 */
export async function topCodes(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  items: readonly DimensionItem[],
  days: number,
): Promise<TopCode[]> {
  const ids = items.flatMap(({ value }) => value ?? []);
  const [rows, courses] = await Promise.all([
    findQrs(deps.db, workspaceId, ids),
    days === 0 ? [] : deps.ledger(workspaceId).sparklines(ids, days, deps.now()),
  ]);
  const courseOf = new Map(courses.map((course) => [course.qrId, course.days]));
  return items.map(({ value, scans }) => {
    const row = rows.get(value ?? "");
    return {
      qr: row === undefined || row.erasedAt !== null ? null : presentQr(row, deps.settings.scanOrigin),
      isDeleted: row?.deletedAt !== null,
      scans,
      days: courseOf.get(value ?? "") ?? [],
    };
  });
}
