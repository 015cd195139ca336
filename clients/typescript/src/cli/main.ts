#!/usr/bin/env node
import { ApiError } from "../index.ts";
import type { Command } from "./command.ts";
import { create, get, list, remove, set } from "./commands/codes.ts";
import { image, labels } from "./commands/drawings.ts";
import { job, undo } from "./commands/jobs.ts";
import { login } from "./commands/login.ts";
import { exportCodes, importCodes, relink } from "./commands/tables.ts";
import { exitCodeOf, exitCodes, UsageError } from "./exit-codes.ts";
import { clean } from "./output.ts";
import { version } from "./package.ts";

const commands: readonly Command[] = [
  ...[login, list, create, get, set, remove, exportCodes, importCodes, relink, image, labels, undo, job],
];

const help = `Usage: qr COMMAND [OPTIONS]

  login                      Store the address of the service, and an API key
  codes list                 List codes: --filter tag=menu
  codes create URL           Create one: --name Menu --tag menu
  codes get|set|delete CODE  By its id, short link, short name, or ext:OWN-ID
  export                     Codes as CSV: --filter tag=menu -o codes.csv
  import FILE                Create a code for each row of a CSV
  relink FILE                Give codes what an edited export says: --dry-run
  image CODE                 Draw it: -o menu.svg
  labels                     --sheet L7160 --filter tag=menu -o labels.pdf
  undo JOB|ENTRY             Undo a bulk job, or a change
  job ID                     A bulk job: --follow

  qr COMMAND --help explains a command. --json prints results for programs.
  QR_URL and QR_KEY in the environment win over what login stored.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not allowed, 4 not found,
5 some rows failed, 130 interrupted
`;

/** Returns the command that the words begin with, and the rest of them. */
function found(argv: readonly string[]): [Command, string[]] {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(" ");
    const command = commands.find(({ usage }) => nameOf(usage) === name);
    if (command !== undefined) return [command, argv.slice(words)];
  }
  throw new UsageError(`Unknown command: ${argv.slice(0, 2).join(" ")}`);
}

const nameOf = (usage: string): string => usage.replace(/ \[?[A-Z].*/, "");

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
  const group = commands.filter(({ usage }) => usage.startsWith(`${first} `) && nameOf(usage) !== first);
  const [, second] = argv;
  if (group.length > 0 && (second === undefined || second === "--help" || second === "-h")) {
    process.stdout.write(`Usage:\n${group.map(({ usage }) => `  qr ${usage}\n`).join("")}`);
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
