/** An error that the user can resolve. Its message is printed without a stack trace. */
export class Failure extends Error {}

/** Prints why a command that can be repeated ended. @param before a failure's message @returns the exit code */
export function exitCodeOf(error: unknown, signal: AbortSignal, before = ""): number {
  if (signal.aborted) {
    console.error("\nInterrupted. Run the same command again.");
    return 130;
  }
  console.error(error instanceof Failure ? before + error.message : error);
  return 1;
}
