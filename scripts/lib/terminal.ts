import { createInterface } from "node:readline/promises";
import { Failure } from "./failure.ts";

/** Asks a person. */
export type Ask = (question: string) => Promise<string>;

/**
 * Asks until the answer can be used.
 * @param read returns the meaning of an answer @throws Failure that says what is wrong with it
 */
export async function askUntilValid<Meaning>(
  ask: Ask,
  say: (line: string) => void,
  question: string,
  read: (answer: string) => Meaning,
): Promise<Meaning> {
  for (;;) {
    const answer = (await ask(question)).trim();
    try {
      return read(answer);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      say(error.message);
    }
  }
}

/** Returns a function that asks a person at the terminal; undefined without one. */
export function terminalOf(signal: AbortSignal): Ask | undefined {
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
