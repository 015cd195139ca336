import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with the tests' notes, and one plain line, `N passed, N failed`, that any CI can read. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const notes = new Set<string>();
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        for (const { message } of test.annotations()) notes.add(message);
        if (state === "passed") passed += 1;
        else failed += 1;
      }
    }
    for (const note of notes) console.log(`\n${note}`);
    console.log(`\n${passed} passed, ${failed} failed`);
  }
}
