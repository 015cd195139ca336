import type { QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import {
  type ChangeableField,
  enteredFields,
  type MergedField,
  type PlainField,
  qrFields,
} from "../../contract/resources/codes/qr-fields.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { foldedName } from "../../store/codes/codes.ts";
import { definedFields, mergeFreeForm } from "../partial-updates.ts";
import { hasSameLook, requireScannableChange } from "../images/design.ts";
import { requireOrder } from "./life-span.ts";

/** The columns of a code whose design has changed and was not measured since. */
export const unjudged = { readable: null, measureAt: null } as const;

/** The values that a request sets: columns, and properties to merge into objects. */
export type QrChanges = Partial<Pick<QrRow, ChangeableField | "logoId">> & {
  /** JSON merge patches (RFC 7396): null removes a property; null instead of the object removes all of them. */
  readonly merges: Merges;
};

type Merges = { readonly [Name in MergedField]?: NonNullable<QrUpdateInput[Name]> | null };
type PlainChange = Extract<PlainField, ChangeableField>;

const plainChanges = enteredFields.filter(({ part, set }) => part === undefined && set === "always");

/**
 * Returns the columns of fields entered as a single text, with times in epoch milliseconds. @param missing the value
 * for a field that is not given
 */
export function plainValues<Missing extends null | undefined>(
  input: { readonly [Name in PlainChange]?: QrUpdateInput[Name] },
  missing: Missing,
): { [Name in PlainChange]: QrRow[Name] | Missing } {
  const values = plainChanges.map(({ field, kind }): [string, unknown] => {
    const value = input[field as PlainChange];
    if (value === undefined) return [field, missing];
    return [field, kind === "time" && value !== null ? Date.parse(String(value)) : value];
  });
  return Object.fromEntries(values) as { [Name in PlainChange]: QrRow[Name] | Missing };
}

const mergedFields = Object.entries(qrFields).flatMap(([name, described]) =>
  described?.kind === "merged" ? [name as MergedField] : [],
);

/** Returns the given properties of fields that are merged. */
export const mergesIn = (input: Pick<QrUpdateInput, MergedField>): Merges =>
  definedFields(Object.fromEntries(mergedFields.map((field) => [field, input[field]])));

/**
 * Returns the row with the changes.
 * @throws invalid_input if an object becomes too large, phones can't scan the resulting colours, or the code would
 * expire before it starts
 */
export function changedRow(before: QrRow, { merges, ...values }: QrChanges): QrRow {
  const row = {
    ...before,
    ...values,
    ...(values.name !== undefined && { nameFolded: foldedName(values.name) }),
    ...(values.folderId && { deletedFolderId: null }),
  };
  requireOrder(row);
  const merged = Object.entries(merges).map(([name, changes]) => {
    const field = name as MergedField;
    return [field, mergeFreeForm(field, before[field], changes)];
  });
  const after: QrRow = { ...row, ...Object.fromEntries(merged) };
  if (after.colorConfig !== before.colorConfig || after.advanced !== before.advanced) {
    requireScannableChange(before, after, Object.keys(values.advanced ?? merges.advanced ?? {}));
  }
  return hasSameLook(before, after) ? after : { ...after, ...unjudged };
}
