#!/usr/bin/env node
import { ApiError } from "../index.ts";
import type { Command } from "./command.ts";
import { exitCodeOf, exitCodes, UsageError } from "./exit-codes.ts";
import { clean } from "./output.ts";
import { version } from "./package.ts";
import { commands, help } from "./table.ts";

/** Returns the command that the words begin with, and the rest of them. */
function found(argv: readonly string[]): [Command, string[]] {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(" ");
    const command = commands.find((each) => each.name === name);
    if (command !== undefined) return [command, argv.slice(words)];
  }
  throw new UsageError(`Unknown command: ${argv.slice(0, 2).join(" ")}`);
}

/** @returns the exit code */
async function main(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const [first] = argv;
  if (first === "--version") {
    process.stdout.write(`${version}\n`);
    return exitCodes.ok;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    process.stdout.write(help);
    return exitCodes.ok;
  }
  if (first === undefined) throw new UsageError("No command.");
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  const [, second] = argv;
  if (group.length > 0 && (second === undefined || second === "--help" || second === "-h")) {
    const width = Math.max(...group.map(({ usage }) => usage.length));
    const lines = group.map(({ usage, about }) => `  qr ${usage.padEnd(width)}  ${about}\n`);
    process.stdout.write(`Usage:\n${lines.join("")}`);
    return second === undefined ? exitCodes.usage : exitCodes.ok;
  }
  const [command, rest] = found(argv);
  return command.run(rest, signal);
}

/** Says what went wrong. */
function printError(error: unknown): void {
  const { message } = error as Error;
  const id = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : "";
  process.stderr.write(`${clean(`qr: ${message}${id}`)}\n`);
  if (error instanceof UsageError) process.stderr.write("See qr --help\n");
}

const interrupt = new AbortController();
// A second Ctrl-C ends the process at once.
process.once("SIGINT", () => interrupt.abort());
// Whoever reads the output, such as `head`, may have read enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.failed);
});

try {
  process.exitCode = await main(process.argv.slice(2), interrupt.signal);
} catch (error) {
  if (interrupt.signal.aborted) process.exitCode = exitCodes.interrupted;
  else {
    printError(error);
    process.exitCode = exitCodeOf(error);
  }
}
