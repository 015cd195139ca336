import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Returns whether a person can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks a person for a line. @param isSecret whether it is not shown as it is typed */
export async function ask(question: string, signal: AbortSignal, isSecret = false): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? silent : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // In a terminal's raw mode, Ctrl-C is a key.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    if (isSecret) process.stderr.write(question);
    const answer = await lines.question(isSecret ? "" : question, { signal });
    if (isSecret) process.stderr.write("\n");
    return answer.trim();
  } finally {
    lines.close();
  }
}
