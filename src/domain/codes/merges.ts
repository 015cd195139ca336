import { limits } from "../../contract/limits.ts";
import { isSmall } from "../../contract/resources/free-form.ts";
import type { ColorConfig } from "../../contract/resources/qr.ts";
import { mergePatch, sameJson } from "../../lib/text/json.ts";
import type { SeenColors } from "../../store/code-changes.ts";
import type { QrRow } from "../../store/code-columns.ts";
import type { QrChanges, QrMerges } from "../../store/codes.ts";
import { invalid } from "../errors.ts";
import { assertScannable, colorFields } from "../images/design.ts";
import { requireOrder } from "./life-span.ts";

/** A free-form object to store: without properties that are null, and null instead of an empty one. */
export function withoutNulls<T extends object>(value: T | null | undefined): T | null {
  const merged = mergePatch({}, { ...value });
  return Object.keys(merged).length === 0 ? null : (merged as T);
}

/**
 * Checks what a change makes of a code whose given values depend on those that stay.
 * @returns the colors that stay, with which the changed ones were judged
 * @throws invalid_input for an object that becomes too large, or colors that phones can't scan together, or
 *   a code that expires before it starts
 */
export function judgeChanges(row: QrRow, given: QrChanges & QrMerges): SeenColors {
  const { colorChanges, advancedChanges } = given;
  const { startsAt = row.startsAt, expiresAt = row.expiresAt } = given;
  requireOrder({ startsAt, expiresAt });
  if (advancedChanges) requireSmall("advanced", mergePatch({ ...row.advanced }, advancedChanges));
  if (!colorChanges) return {};
  const colorConfig: ColorConfig = mergePatch({ ...row.colorConfig }, colorChanges);
  requireSmall("colorConfig", colorConfig);
  assertScannable({ colorConfig });
  const kept = colorFields.filter((field) => !Object.hasOwn(colorChanges, field));
  return Object.fromEntries(kept.map((field) => [field, row.colorConfig?.[field] ?? null]));
}

/** Whether two rows are equal where a change is judged with them. */
export const sameWhereJudged = (a: QrRow, b: QrRow): boolean =>
  sameJson(a.colorConfig, b.colorConfig) &&
  sameJson(a.advanced, b.advanced) &&
  a.startsAt === b.startsAt &&
  a.expiresAt === b.expiresAt;

function requireSmall(field: string, merged: object): void {
  if (!isSmall(merged)) {
    throw invalid(
      field,
      `must be at most ${limits.freeForm.bytes} bytes of JSON, with the properties that it has already`,
    );
  }
}
