import { limits } from "../../contract/limits.ts";
import { isSmall } from "../../contract/resources/free-form.ts";
import type { ColorConfig } from "../../contract/resources/qr.ts";
import { mergePatch } from "../../lib/text/json.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { foldedName, type QrChanges, type QrMerges } from "../../store/codes/codes.ts";
import { invalid } from "../errors.ts";
import { assertScannable } from "../images/design.ts";
import { requireOrder } from "./life-span.ts";

/** A free-form object to store: without properties that are null, and null instead of an empty one. */
export function withoutNulls<T extends object>(value: T | null | undefined): T | null {
  const merged = mergePatch({}, { ...value });
  return Object.keys(merged).length === 0 ? null : (merged as T);
}

/**
 * Checks what a change makes of a code whose given values depend on those that stay.
 * @throws invalid_input for an object that becomes too large, or colors that phones can't scan together, or
 *   a code that expires before it starts
 */
function validateChanges(row: QrRow, given: QrChanges & QrMerges): void {
  const { colorChanges, advancedChanges } = given;
  const { startsAt = row.startsAt, expiresAt = row.expiresAt } = given;
  requireOrder({ startsAt, expiresAt });
  if (advancedChanges) requireSmall("advanced", mergePatch({ ...row.advanced }, advancedChanges));
  if (!colorChanges) return;
  const colorConfig: ColorConfig = mergePatch({ ...row.colorConfig }, colorChanges);
  requireSmall("colorConfig", colorConfig);
  assertScannable({ colorConfig });
}

/** The row with what is given. @throws as validateChanges */
export function changedRow(row: QrRow, given: QrChanges & QrMerges): QrRow {
  validateChanges(row, given);
  const { colorChanges, advancedChanges, utmChanges, ...values } = given;
  return {
    ...row,
    ...values,
    ...(values.name !== undefined && { nameFolded: foldedName(values.name) }),
    ...(colorChanges !== undefined && { colorConfig: merged(row.colorConfig, colorChanges) }),
    ...(advancedChanges !== undefined && { advanced: merged(row.advanced, advancedChanges) }),
    ...(utmChanges !== undefined && { utm: merged(row.utm, utmChanges) }),
  };
}

/** A free-form object after a merge patch; null for one without properties. */
const merged = <T extends object>(before: T | null, changes: object | null): T | null =>
  changes === null ? null : withoutNulls(mergePatch({ ...before }, { ...changes }) as T);

function requireSmall(field: string, merged: object): void {
  if (!isSmall(merged)) {
    throw invalid(
      field,
      `must be at most ${limits.freeForm.bytes} bytes of JSON, with the properties that it has already`,
    );
  }
}
