import { limits } from "../../contract/limits.ts";
import { isSmall } from "../../contract/resources/free-form.ts";
import type { QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import {
  type ChangeableField,
  enteredFields,
  type MergedField,
  type PlainField,
  qrFields,
} from "../../contract/resources/codes/qr-fields.ts";
import { mergePatch } from "../../lib/text/json.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { foldedName } from "../../store/codes/codes.ts";
import { definedFields } from "../defined-fields.ts";
import { invalid } from "../errors.ts";
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

/** Returns a free-form object for storage: without null properties, and null if empty. */
export function withoutNulls<T extends object>(value: T | null | undefined): T | null {
  if (!value) return null;
  const properties: object = value;
  const merged = mergePatch({}, { ...properties });
  return Object.keys(merged).length === 0 ? null : (merged as T);
}

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

/**
 * Applies a merge patch to a free-form object; null if no properties are left. @throws invalid_input if it becomes too
 * large
 */
export function mergeFreeForm<T extends object>(
  field: MergedField,
  before: T | null,
  changes: object | null,
): T | null {
  if (changes === null) return null;
  const merged = mergePatch({ ...before }, { ...changes });
  if (!isSmall(merged)) {
    throw invalid(
      field,
      `can have at most ${limits.freeForm.bytes} bytes of JSON, including the properties it already has`,
    );
  }
  return withoutNulls(merged) as T | null;
}
