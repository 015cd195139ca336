/**
 * Writes one JSON line, which Workers Logs indexes by field. `message` is a fixed phrase to search for; variable parts
 * go into `fields`. This is all a logging package would do here.
 */
export function log(
  level: "info" | "warn" | "error",
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const line = JSON.stringify({ level, message, ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** A thrown value as text for the log, with its stack. Never sent to a client. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
