import { enteredFields } from "../../contract/resources/codes/qr-fields.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { valueAt } from "../../lib/field-path.ts";
import { findQrs } from "../../store/codes/codes.ts";
import { codes as codeKind, presentQr, type QrRow } from "../../store/codes/columns.ts";
import { differingColumns } from "../../store/resources/kind.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import type { ServiceError } from "../errors.ts";
import { takeTurns } from "../turns.ts";
import { columnForPath } from "./cells.ts";
import { type FoundRow, rowNotFound } from "./find-rows.ts";
import { rowFailure } from "./row.ts";
import { changedSinceExport, prepareChanges, rowChanges } from "./prepare-changes.ts";

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

/** How many codes are read at once. */
const rowsAtATime = 500;

/** Dry run: returns the effects of rows whose codes were looked up, in order. */
export async function effectsOf(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly FoundRow[],
): Promise<RowEffect[]> {
  requirePermission(context, "codes.write");
  const effects: RowEffect[] = [];
  for (let from = 0; from < rows.length; from += rowsAtATime) {
    effects.push(...(await effectsOfSome(deps, context, rows.slice(from, from + rowsAtATime))));
    await takeTurns(deps);
  }
  return effects;
}

async function effectsOfSome(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly FoundRow[],
): Promise<RowEffect[]> {
  const ids = rows.flatMap((row) => ("qrId" in row ? row.qrId : []));
  const codes = await findQrs(deps.db, context.workspaceId, ids);
  const items = rows.flatMap((own, row) => {
    const code = "qrId" in own ? codes.get(own.qrId) : undefined;
    return "qrId" in own && code !== undefined ? [{ row, own, code }] : [];
  });
  const prepared = await prepareChanges(deps, context, rowChanges, items);
  const show = (row: QrRow) => presentQr(row, deps.settings.scanOrigin);
  return rows.map((row) => {
    if (!("qrId" in row)) return { error: row.error, problems: row.problems };
    const code = codes.get(row.qrId);
    if (code === undefined) return rowFailure("", rowNotFound);
    const error = prepared.errors.get(code.id);
    if (error !== undefined) {
      const isOutdated = error.message === changedSinceExport().message;
      return { before: show(code), error: error.message, problems: problemsOf(row, error), isOutdated };
    }
    const after = prepared.rows.get(code.id) ?? code;
    const isChanged = differingColumns(codeKind, code, after).length > 0;
    return {
      before: show(code),
      after: show(isChanged ? { ...after, updatedAt: deps.now() } : code),
      isChanged,
    };
  });
}

/** The problem of a row by its field, or by its column in a table. */
function problemsOf({ cells }: FoundRow, { invalid, message }: ServiceError): Record<string, string> {
  if (invalid === undefined) return { "": message };
  const { field, problem } = invalid;
  return { [cells === undefined ? field : columnForPath(field.split("."))]: problem };
}

/** Says which values rows remove from how many codes, most first. */
export function clearedBy(effects: readonly RowEffect[]): string[] {
  const counts = new Map<string, number>();
  for (const effect of effects) {
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
