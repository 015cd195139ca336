import { createInterface } from "node:readline/promises";

/** Returns a function that asks a person at the terminal; undefined without one. */
export function terminalOf(signal: AbortSignal): ((question: string) => Promise<string>) | undefined {
  if (!process.stdin.isTTY) return undefined;
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    // The terminal takes Ctrl-C from the process while it asks.
    terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    try {
      return await terminal.question(question, { signal });
    } finally {
      terminal.close();
    }
  };
}
