import type { Qr } from "../../contract/resources/qr.ts";
import type { Zone } from "../../lib/time/zone.ts";
import { Notice } from "../components/notice.tsx";
import { labelsOf } from "./form-fields.ts";
import { valuesOf } from "./form-values.ts";

/** A field of a submitted form that another user has saved since the form was opened, with their value. */
export interface ChangedField {
  readonly label: string;
  readonly saved: string;
}

/**
 * Where a submitted form differs from a code that was changed after the form was opened; empty if it was not changed, or
 * to the same values.
 */
export function conflictsOf(form: URLSearchParams, qr: Qr, zone: Zone): readonly ChangedField[] {
  const seen = form.get("updatedAt");
  if (seen === null || seen === qr.updatedAt) return [];
  const labels = labelsOf(qr.qrType);
  return [...valuesOf(qr, zone)].flatMap(([name, saved]) => {
    const label = labels[name];
    const isSame = plain(form.get(name) ?? "") === plain(saved);
    return label === undefined || !form.has(name) || isSame ? [] : [{ label, saved }];
  });
}

/** Text without what differs between browsers and the stored value. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n").trim();

/** Says what is saved instead of what the form has. */
export function Conflict({ id, fields }: { id: string; fields: readonly ChangedField[] }) {
  return (
    <Notice kind="warn">
      <div id="problems" tabindex={-1}>
        <h2>The code was changed after you opened this form</h2>
        <p>Your entries differ from what is saved:</p>
        <ul>
          {fields.map(({ label, saved }) => (
            <li>
              {label}: {saved === "" ? "empty" : saved}
            </li>
          ))}
        </ul>
        <p>
          Save again to replace it with your entries, or{" "}
          <a href={`/dashboard/codes/${id}/edit`}>start again with what is saved</a>.
        </p>
      </div>
    </Notice>
  );
}
