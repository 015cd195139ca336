/** Returns whether a write violated the unique constraint of `column`, given as `table.column`. */
export const isUniqueViolation = (error: unknown, column: string): boolean =>
  hasMessage(error, (text) => text.includes("UNIQUE constraint failed") && text.includes(column));

/** Returns whether a write failed because the workspace is out of storage; see the trigger `workspaces_full`. */
export const isStorageFull = (error: unknown): boolean =>
  hasMessage(error, (text) => text.includes("workspace storage is full"));

/**
 * Returns whether the database refused a read or write, as when it is full, overloaded or unreachable. Errors in a
 * statement or its values have other SQLite codes.
 */
export const isRefused = (error: unknown): boolean =>
  hasMessage(
    error,
    (text) =>
      text.startsWith("D1_ERROR") && /^(FULL|BUSY|LOCKED|IOERR|NOMEM|CANTOPEN|READONLY)?$/.test(codeIn(text)),
  );

/** The errors of objects' calls. Not told by their properties: those of a lost connection have none. */
const failures = new WeakSet<Error>();

/** Returns a Durable Object's stub whose errors `isFailureOfObject` knows. Results aren't pipelined. */
export const notingFailures = <Stub extends object>(stub: Stub): Stub =>
  new Proxy(stub, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        try {
          // A method called `apply` would be the object's.
          return await Reflect.apply(member, target, args);
        } catch (error) {
          if (error instanceof Error) failures.add(error);
          throw error;
        }
      };
    },
  });

/** Returns whether a call of a Durable Object failed, whatever the reason: the object is unavailable. */
export const isFailureOfObject = (error: unknown): boolean =>
  error instanceof Error && (failures.has(error) || isFailureOfObject(error.cause));

const codeIn = (message: string): string => /SQLITE_([A-Z]+)/.exec(message)?.[1] ?? "";

/**
 * Returns whether the message of an error, or of one of its causes, meets a condition. Drizzle wraps database errors.
 */
function hasMessage(error: unknown, condition: (text: string) => boolean): boolean {
  return error instanceof Error && (condition(error.message) || hasMessage(error.cause, condition));
}
