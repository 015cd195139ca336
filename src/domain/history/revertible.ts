import { sameJson } from "../../lib/text/json.ts";
import type { Changes, HistoryEntry } from "../../protocol/history.ts";
import { invalid, ServiceError } from "../errors.ts";

/** The error for a change of fields that have changed again since. */
function changedSinceError(fields: readonly string[]): ServiceError {
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

/** Returns the names of fields that have other values than after these changes. */
export const changedFields = (fields: Readonly<Record<string, unknown>>, changes: Changes): string[] =>
  Object.entries(changes).flatMap(([name, [, after]]) =>
    sameJson(fields[name] ?? null, after ?? null) ? [] : [name],
  );

/** Returns the values before these changes. */
export const fieldsBefore = (changes: Changes): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([name, [before]]) => [name, before]));

/**
 * Returns how a change is undone.
 * @param since the fields that have changed again
 * @throws invalid_input if they have, or if the change can't be undone
 */
export function undoingOf(
  { action, changes, leftOut }: HistoryEntry,
  isDeleted: boolean,
  since: readonly string[],
): "delete" | "restore" | "put back" {
  const verb = action.replace(/^.*\./, "");
  if (verb === "deleted") {
    if (!isDeleted) throw changedSinceError(["deleted"]);
    return "restore";
  }
  if (verb !== "created" && verb !== "restored" && verb !== "updated") throw notRevertible();
  if (isDeleted) throw changedSinceError(["deleted"]);
  if (since.length > 0) throw changedSinceError(since);
  if (verb === "restored") return "delete";
  if (Object.keys(changes).length === 0) {
    const what = leftOut === true ? "were left out" : "have been erased";
    throw new ServiceError("invalid_input", `This change can't be undone, because its values ${what}.`);
  }
  return verb === "created" ? "delete" : "put back";
}

/** The error for a folder that can't be restored any more. */
export const folderGone = () => invalid("folderId", "can't be put back, because the folder no longer exists");

/** The error for a logo whose file no longer exists. */
export const logoGone = () => invalid("logo", "can't be put back, because its file has been deleted");
