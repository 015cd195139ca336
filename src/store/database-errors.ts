/** Whether a write failed by the unique constraint of `column`, which is given as `table.column`. */
export const isUniqueViolation = (error: unknown, column: string): boolean =>
  hasMessage(error, (text) => text.includes("UNIQUE constraint failed") && text.includes(column));

/** Whether a write failed because the workspace stores as much as it may: see the trigger `workspaces_full`. */
export const isStorageFull = (error: unknown): boolean =>
  hasMessage(error, (text) => text.includes("workspace storage is full"));

/**
 * Whether a read or write failed because the database refused it, as a full, overloaded or unreachable one does. An error
 * in a statement or its values has a code of SQLite's other than these.
 */
export const isRefused = (error: unknown): boolean =>
  hasMessage(
    error,
    (text) =>
      text.startsWith("D1_ERROR") && /^(FULL|BUSY|LOCKED|IOERR|NOMEM|CANTOPEN|READONLY)?$/.test(codeIn(text)),
  );

const codeIn = (message: string): string => /SQLITE_([A-Z]+)/.exec(message)?.[1] ?? "";

/** Whether the message of an error, or of one that caused it, fulfils a condition. Drizzle wraps those of the database. */
function hasMessage(error: unknown, condition: (text: string) => boolean): boolean {
  return error instanceof Error && (condition(error.message) || hasMessage(error.cause, condition));
}
