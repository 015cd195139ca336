import { globSync, readFileSync } from "node:fs";

/** The kind of a run: `usual` for `npm test`, `ci` for `npm run test:ci`, `long` for `npm run test:all`. */
export type RunKind = "usual" | "ci" | "long";

/** The project of a test file: inside the Workers runtime, there with the edge Worker in front, or in Node. */
export type TestProjectName = "worker" | "edge" | "e2e";

/** The kind of this process's run. */
export const runKind: RunKind =
  process.env.TEST_RUNS === "ci" || process.env.TEST_RUNS === "long" ? process.env.TEST_RUNS : "usual";

/** The command that starts a run of this kind. */
export const testCommand = { usual: "npm test", ci: "npm run test:ci", long: "npm run test:all" }[runKind];

/** The files that only `npm run test:all` runs. */
const onlyLong = ["test/ci/first-change-tests.test.ts"];

/** Whether a file takes its loop sizes or samples from `test/support/runner/runs.ts`, and so depends on the kind of run. */
const dependsOnRuns = (file: string) => readFileSync(file, "utf8").includes('/runner/runs.ts"');

const isEndToEnd = (file: string) => /^test\/(e2e|ci)\/(?!worker\/)/.test(file);

/** Returns the test files of a run by project, relative to the current folder. */
export function testFiles(kind: RunKind): Record<TestProjectName, string[]> {
  const all = globSync("test/**/*.test.ts").map((file) => file.replaceAll("\\", "/"));
  const files = all.filter((file) => {
    if (kind === "long") return onlyLong.includes(file) || dependsOnRuns(file);
    return !onlyLong.includes(file) && file.startsWith("test/ci/") === (kind === "ci");
  });
  return {
    worker: files.filter((file) => !isEndToEnd(file)),
    edge: kind === "ci" ? all.filter((file) => /^test\/(redirect|domains)\//.test(file)) : [],
    e2e: files.filter(isEndToEnd),
  };
}
