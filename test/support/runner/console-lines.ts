const { log: originalLog } = console;
const methods = ["debug", "log", "info", "warn", "error"] as const;

let lines: string[] | undefined;

for (const method of methods) {
  console[method] = (...values: unknown[]) => void lines?.push(values.map(String).join(" "));
}

/**
 * Redirects everything written to the console to the list; without a list, drops it. Between test files, only work
 * interrupted by the next file's empty storage writes to the console.
 */
export function collectConsole(into: string[] | undefined): void {
  lines = into;
}

/** Writes to the real console. */
export const print = (text: string): void => originalLog(text);
