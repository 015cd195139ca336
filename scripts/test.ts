import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { changedFiles, testsOf } from "./lib/tests/changed.ts";
import { runKind, type TestProjectName, testCommand, testFiles } from "./lib/tests/files.ts";
import { duration, keepSeconds, lastSeconds, Progress, type RunMessage } from "./lib/tests/progress.ts";

/**
 * Runs the projects of the tests side by side: says how far they are, prints what fails as it fails, and ends with
 * one line of totals. The tests inside the Workers runtime keep one core busy, whereas the end-to-end tests mostly wait
 * for other processes.
 * Usage: node scripts/test.ts [--changed] [part of a file's path]... [-t part of a test's name] [vitest option]...
 */
const { values, positionals, tokens } = parseArgs({
  strict: false,
  tokens: true,
  options: { changed: { type: "boolean" }, testNamePattern: { type: "string", short: "t" } },
});
const options = tokens.flatMap((token) => {
  if (token.kind !== "option" || token.name === "changed") return [];
  return token.value === undefined || token.inlineValue === true
    ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
    : [token.rawName, token.value];
});

const isWhole = process.argv.length === 2;
const found = Object.entries(testFiles(runKind)).map(([project, files]) => {
  const named = files.filter(
    (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
  );
  const chosen = values.changed === true ? testsOf(changedFiles(), named) : named;
  return [project as TestProjectName, chosen] as const;
});
const chosen = found.filter(([, files]) => files.length > 0);
const count = chosen.reduce((sum, [, files]) => sum + files.length, 0);
const progress = new Progress(count);

/** Minutes without the start or end of a file after which a run is given up. Longer than a test and its hooks may take. */
const mostSilentMinutes = runKind === "usual" ? 25 : 40;

const children = new Set<ChildProcess>();

/** Ends a run in which nothing happens, and names the files that it waits for: a limit of CI would name none. */
function giveUp(): never {
  const waiting =
    progress.running.length === 0 ? "" : ` These files haven't ended:\n${progress.running.join("\n")}`;
  console.error(`\nNo test file has begun or ended for ${mostSilentMinutes} minutes.${waiting}`);
  for (const child of children) child.kill("SIGKILL");
  console.log(`\n${progress.totals.passed} passed, ${Math.max(progress.totals.failed, 1)} failed`);
  process.exit(1);
}

/** Runs the test files of a project. @returns whether all passed */
async function run(project: TestProjectName, files: readonly string[]): Promise<boolean> {
  const chosenFiles = isWhole ? [] : files;
  const args = [
    "run",
    "--project",
    project,
    "--maxWorkers",
    String(availableParallelism()),
    ...options,
    ...chosenFiles,
  ];
  const child = spawn("vitest", args, {
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => progress.print(text));
  }
  child.on("message", (message) => progress.receive(project, message as RunMessage));
  children.add(child);
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0;
}

function introduction(): string {
  const last = lastSeconds(runKind);
  const usual = last === undefined || !isWhole ? "" : `, ${duration(last)} last time`;
  const how = isWhole
    ? `\nSome: ${testCommand} -- PART-OF-A-PATH. Those that your changes touch: ${testCommand} -- --changed.`
    : "";
  return `${count} test ${count === 1 ? "file" : "files"}${usual}.${how}`;
}

if (count === 0) {
  console.error(
    values.changed === true
      ? "No test imports a file that differs from the last commit."
      : `No test file matches ${positionals.join(" ")}.`,
  );
  process.exitCode = values.changed === true ? 0 : 1;
} else {
  console.log(introduction());
  const watch = setInterval(() => {
    if (progress.silentSeconds > mostSilentMinutes * 60) giveUp();
  }, 10_000);
  const results = await Promise.all(chosen.map(([project, files]) => run(project, files)));
  clearInterval(watch);
  progress.end();
  const { passed, failed } = progress.totals;
  const isOver = results.every(Boolean);
  // A run without a test has shown nothing.
  if (passed === 0 || !isOver) process.exitCode = 1;
  if (isWhole && isOver) keepSeconds(runKind, progress.seconds);
  for (const note of progress.notes) console.log(`\n${note}`);
  if (isWhole) console.log(`\nSlowest files: ${progress.slowest.join(", ")}`);
  console.log(
    `\nIn ${duration(progress.seconds)}:\n${passed} passed, ${isOver ? failed : Math.max(failed, 1)} failed`,
  );
}
