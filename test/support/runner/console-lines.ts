const { log: originalLog } = console;
const methods = ["debug", "log", "info", "warn", "error"] as const;

let lines: string[] | undefined;

for (const method of methods) {
  console[method] = (...values: unknown[]) => void lines?.push(values.map(String).join(" "));
}

/**
 * From here on, all that is written to the console goes into the list; without a list it is dropped. Between test files
 * only work writes that the next file's empty storage interrupts.
 */
export function collectConsole(into: string[] | undefined): void {
  lines = into;
}

/** Writes to the real console. */
export const print = (text: string): void => originalLog(text);
