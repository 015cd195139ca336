import type { VersionedQr } from "../../../domain/codes/codes.ts";
import type { Zone } from "../../../lib/time/zone.ts";
import type { ChangedField } from "../../../ui/forms/conflict.tsx";
import { labelsOf } from "./fields.ts";
import { codeFormValues } from "./values.ts";

/**
 * Returns where a submitted form differs from a code that has changed since the form was opened; empty if the code is
 * unchanged or has the same values.
 */
export function codeConflicts(
  form: URLSearchParams,
  edited: VersionedQr,
  zone: Zone,
): readonly ChangedField[] {
  const { qr, version } = edited;
  const shown = form.get("version");
  if (shown === null || shown === String(version)) return [];
  const labels = labelsOf(qr.qrType);
  return [...codeFormValues(edited, zone)].flatMap(([name, saved]) => {
    const label = labels[name];
    const isSame = plain(form.get(name) ?? "") === plain(saved);
    return label === undefined || !form.has(name) || isSame ? [] : [{ label, saved }];
  });
}

/** Normalises text for comparing a browser's value with the stored one. */
export const plain = (text: string): string => text.replaceAll("\r\n", "\n").trim();
