import { limits } from "../../../contract/limits.ts";
import type { FailedRows } from "../../../contract/resources/codes/bulk.ts";
import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { enteredFields } from "../../../contract/resources/codes/qr-fields.ts";
import { valueAt } from "../../../lib/field-path.ts";
import { presentQr, type QrRow } from "../../../store/codes/columns.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import { requirePermission } from "../../context/permissions.ts";
import type { Deps } from "../../deps.ts";
import type { ServiceError } from "../../errors.ts";
import { yielding } from "../../yielding.ts";
import { columnForPath, rowError } from "../rows/cells.ts";
import { codeNotFound, type FoundRow } from "../rows/find-rows.ts";
import { rowFailure } from "../rows/row.ts";
import { examineItems } from "./examine.ts";
import { changedSinceExport, isChanged, rowChanges } from "./prepare-changes.ts";

/** The effect of a row: its code before and after, which are equal if nothing changes, or why it fails. */
export type RowEffect =
  | { readonly before: Qr; readonly after: Qr; readonly isChanged: boolean }
  | {
      readonly before?: Qr;
      readonly error: string;
      readonly problems: Readonly<Record<string, string>>;
      /** Whether it fails because the code has changed since the row was written. */
      readonly isOutdated?: boolean;
    };

/** Dry run: returns the effects of rows whose codes were looked up, in order. */
export async function effectsOf(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly FoundRow[],
): Promise<RowEffect[]> {
  requirePermission(context, "codes.write");
  const items = rows.flatMap((row) => ("qrId" in row ? [row] : []));
  const examined = (await examineItems(deps, context, rowChanges, items)).values();
  const show = (row: QrRow) => presentQr(row, deps.settings.scanOrigin);
  const effectOf = (row: FoundRow): RowEffect => {
    if (!("qrId" in row)) return { error: row.error, problems: row.problems };
    const { before, after, error } = examined.next().value ?? {};
    if (before === undefined || after === undefined) return rowFailure("", codeNotFound);
    if (error !== undefined) {
      const isOutdated = error.message === changedSinceExport().message;
      const message = rowError(error, row.cells !== undefined);
      return { before: show(before), error: message, problems: problemsOf(row, error), isOutdated };
    }
    const isChange = isChanged(before, after);
    return {
      before: show(before),
      after: show(isChange ? { ...after, updatedAt: deps.now() } : before),
      isChanged: isChange,
    };
  };
  const effects: RowEffect[] = [];
  for await (const row of yielding(deps, rows)) effects.push(effectOf(row));
  return effects;
}

/** Returns the first rows that fail, for a dry run. @param rows of the effects, in the same order */
export const failedRows = (
  rows: readonly { readonly line?: number }[],
  effects: readonly (RowEffect | null | undefined)[],
): FailedRows =>
  effects
    .flatMap((effect, rowIndex) => {
      if (effect == null || !("error" in effect)) return [];
      const [column = ""] = Object.keys(effect.problems);
      return { rowIndex, line: rows[rowIndex]?.line ?? null, column: column || null, error: effect.error };
    })
    .slice(0, limits.bulkUpdate.failedRows);

/** The problem of a row by its field, or by its column in a table. */
function problemsOf({ cells }: FoundRow, { invalid, message }: ServiceError): Record<string, string> {
  if (invalid === undefined) return { "": message };
  const { field, problem } = invalid;
  return { [cells === undefined ? field : columnForPath(field.split("."))]: problem };
}

/** Says which values rows remove from how many codes, most first. */
export async function clearedBy(deps: Deps, effects: readonly RowEffect[]): Promise<string[]> {
  const counts = new Map<string, number>();
  for await (const effect of yielding(deps, effects)) {
    if ("error" in effect || !effect.isChanged) continue;
    for (const { path, columnLabel } of enteredFields) {
      const [before, after] = [valueAt(effect.before, path), valueAt(effect.after, path)];
      if (!isEmpty(before) && isEmpty(after)) counts.set(columnLabel, (counts.get(columnLabel) ?? 0) + 1);
    }
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([label, count]) => `Removes the ${wordOf(label)} of ${count} code${count === 1 ? "" : "s"}.`);
}

const isEmpty = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);

/** A field's label within a sentence. */
const wordOf = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
