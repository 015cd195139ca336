import type { Qr } from "../../contract/resources/qr.ts";
import { presentQr } from "../../store/codes/columns.ts";
import { findQrs } from "../../store/codes/codes.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";

/** Codes in the list. */
const listed = 50;

/** The codes with the most human scans in a period, most first. Days are those of the reporting time zone. */
export interface MostScanned {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  /** Scans of all codes of the workspace. */
  readonly scans: number;
  readonly codes: readonly ScannedCode[];
  /** The codes with scans that are not in the list. */
  readonly others: { readonly codes: number; readonly scans: number };
}

/** A code of the list. */
export interface ScannedCode {
  /** Null for one that was deleted for good. */
  readonly qr: Qr | null;
  readonly isDeleted: boolean;
  readonly scans: number;
}

/** The most scanned codes of the last days, today included; deleted ones, too. One call of the ledger. */
export async function mostScanned(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  days: number,
): Promise<MostScanned> {
  const report = await deps
    .ledger(workspaceId)
    .analytics({ qrIds: null, days, interval: "month", dimensions: ["code"], limit: listed }, deps.now());
  if ("problem" in report) throw new ServiceError("invalid_input", `${report.field}: ${report.problem}`);
  const { items, other } = report.dimensions.code ?? { items: [], other: { values: 0, scans: 0 } };
  const rows = await findQrs(
    deps.db,
    workspaceId,
    items.flatMap(({ value }) => value ?? []),
  );
  const codes = items.map(({ value, scans }): ScannedCode => {
    const row = rows.get(value ?? "");
    const isGone = row === undefined || row.erasedAt !== null;
    return {
      qr: isGone ? null : presentQr(row, deps.settings.scanOrigin),
      isDeleted: row?.deletedAt !== null,
      scans,
    };
  });
  const { from, to, timeZone, totals } = report;
  return {
    from,
    to,
    timeZone,
    scans: totals.scans,
    codes,
    others: { codes: other.values, scans: other.scans },
  };
}
