import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";

/**
 * Runs the two projects of the tests side by side and prints what each of them printed, then one line of totals. The tests
 * inside the Workers runtime keep one core busy, whereas the end-to-end tests mostly wait for other processes.
 * Usage: node scripts/test.ts [vitest argument]...
 */
const totals = /^(?<passed>\d+) passed, (?<failed>\d+) failed$/m;

async function run([project, workers]: readonly [string, number]) {
  const options = ["--project", project, "--maxWorkers", String(workers), "--passWithNoTests"];
  const args = ["run", ...options, ...process.argv.slice(2)];
  const child = spawn("vitest", args, {
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [[code], output] = await Promise.all([once(child, "close"), text(child.stdout)]);
  const isEmpty = output.includes("No test files found");
  if (!isEmpty) console.log(output.replace(totals, "").trim());
  const { passed = 0, failed = isEmpty ? 0 : 1 } = totals.exec(output)?.groups ?? {};
  return { passed: Number(passed), failed: Number(failed), isOver: code === 0, isEmpty };
}

const cores = availableParallelism();
const projects = { worker: cores, e2e: cores + 1 };
const results = await Promise.all(Object.entries(projects).map(run));
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
if (results.every(({ isEmpty }) => isEmpty))
  console.error(`No test file matches ${process.argv.slice(2).join(" ")}.`);
// A run without a test has shown nothing.
if (passed === 0 || results.some(({ isOver }) => !isOver)) process.exitCode = 1;
console.log(`\n${passed} passed, ${failed} failed`);
