import { DefaultReporter, type TestCase, type TestModule, type TestSuite, type Vitest } from "vitest/node";
import { testCommand } from "../../../scripts/lib/tests/files.ts";
import type { RunMessage } from "../../../scripts/lib/tests/progress.ts";

/**
 * Prints what fails as soon as it fails, with the command that repeats it. Sends `scripts/test.ts` how far the run is, or
 * prints its totals itself if vitest was started without it.
 */
export default class FailureReporter extends DefaultReporter {
  #passed = 0;
  #failed = 0;

  constructor() {
    super({ summary: false });
  }

  override onInit(vitest: Vitest): void {
    this.ctx = vitest;
    this.silent = vitest.config.silent;
  }

  onTestModuleStart(module: TestModule): void {
    this.#send({ begun: module.relativeModuleId, notes: [], passed: this.#passed, failed: this.#failed });
  }

  override onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === "passed") {
      this.#passed += 1;
      return;
    }
    // Without a pattern of names, no test may be skipped: it would show nothing.
    if (state === "skipped" && this.ctx.config.testNamePattern !== undefined) return;
    this.#failed += 1;
    super.onTestCaseResult(test);
    this.#print(test.module, test.fullName, state === "skipped" ? [new Error("was skipped")] : errors);
  }

  override onTestSuiteResult(suite: TestSuite): void {
    super.onTestSuiteResult(suite);
    this.#printErrors(suite.module, suite.fullName, suite.errors());
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.#printErrors(module, "", module.errors());
    const file = { name: module.relativeModuleId, milliseconds: module.diagnostic().duration };
    const notes = [...module.children.allTests()].flatMap((test) =>
      test.annotations().map(({ message }) => message),
    );
    this.#send({ file, notes, passed: this.#passed, failed: this.#failed });
  }

  override onTestRunEnd(_: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    if (unhandledErrors.length > 0) this.ctx.logger.printUnhandledErrors(unhandledErrors);
    this.#failed += unhandledErrors.length;
    this.#send({ notes: [], passed: this.#passed, failed: this.#failed });
    if (process.send === undefined) this.log(`\n${this.#passed} passed, ${this.#failed} failed`);
  }

  protected override printTestModule(): void {}

  /** Prints errors outside of tests: of hooks, of a file that can't be loaded. */
  #printErrors(module: TestModule, name: string, errors: readonly unknown[]): void {
    if (errors.length === 0) return;
    this.#failed += 1;
    this.#print(module, name, errors);
  }

  #print(module: TestModule, name: string, errors: readonly unknown[]): void {
    const { relativeModuleId: file, project } = module;
    this.error(`\n✗ ${[file, name].filter((each) => each !== "").join(" > ")}`);
    for (const error of errors) this.ctx.logger.printError(error, { project });
    const filter = name === "" ? "" : ` -t '${patternOf(name)}'`;
    this.error(`Again: ${testCommand} -- ${file}${filter}\n`);
  }

  #send(message: RunMessage): void {
    process.send?.(message);
  }
}

/** Returns a pattern of vitest for a test's name, in single quotes of a shell. */
const patternOf = (name: string): string =>
  name
    .replaceAll(" > ", " ")
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll("'", ".");
