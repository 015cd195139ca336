import { limits } from "../contract/limits.ts";
import type { MergedField } from "../contract/resources/codes/qr-fields.ts";
import { isSmall } from "../contract/resources/free-form.ts";
import { mergePatch } from "../lib/text/json.ts";
import { invalid } from "./errors.ts";

/** Returns the fields of a partial update that are not undefined. */
export function definedFields<T extends object>(
  fields: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

/** Returns a free-form object for storage: without null properties, and null if empty. */
export function withoutNulls<T extends object>(value: T | null | undefined): T | null {
  if (!value) return null;
  const properties: object = value;
  const merged = mergePatch({}, { ...properties });
  return Object.keys(merged).length === 0 ? null : (merged as T);
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
