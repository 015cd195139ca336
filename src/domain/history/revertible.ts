import type { HistoryEntry } from "../../protocol/history.ts";
import { ServiceError } from "../errors.ts";

/** The error for a change of fields that have changed again since. */
export function changedSinceError(fields: readonly string[]): ServiceError {
  const [have, again] = fields.length === 1 ? ["has", "that change"] : ["have", "those changes"];
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(fields);
  return new ServiceError(
    "invalid_input",
    `${names} ${have} changed since. Undo ${again} first, or edit the values.`,
  );
}

/** The error for a change that isn't one of a code, folder, template or page by its owner. */
export const notRevertible = () =>
  new ServiceError(
    "invalid_input",
    "This change can't be undone. Only those of codes, folders, templates and pages can.",
  );

/** @throws invalid_input if the values of an entry have been erased */
export function requireValues({ changes }: HistoryEntry): void {
  if (Object.keys(changes).length > 0) return;
  throw new ServiceError(
    "invalid_input",
    "This change can't be undone, because its values have been erased.",
  );
}
