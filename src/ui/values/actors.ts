import type { HistoryEntry } from "../../contract/resources/history/history.ts";

/** Returns the words for who made a change. */
export function actorName({ kind, name }: HistoryEntry["actor"]): string {
  if (kind === "operator") return "The operator of this service";
  if (kind === "service") return "This service";
  return kind === "key" ? `${name} (API key)` : name;
}
