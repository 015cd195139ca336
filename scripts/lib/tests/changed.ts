import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { importsIn } from "../imports.ts";

/**
 * Modules that link all parts of the service. A test that reaches a changed file only through them tests the service as
 * a whole, as most tests do, and says little about the change.
 */
const composing = ["src/app.ts", "src/worker.ts", "src/index.ts", "src/composition.ts"];

/** Returns the files that differ from the last commit, also those that git doesn't track yet. */
export function changedFiles(): string[] {
  const list = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).split("\n");
  return [
    ...list("diff", "--name-only", "--relative", "HEAD"),
    ...list("ls-files", "--others", "--exclude-standard"),
  ].filter((file) => file !== "");
}

/**
 * Returns the tests of changed files: those that import them, other than through the modules that link all parts, and
 * those in the folder of `test/` that is named like the folder of a changed file in `src/`.
 */
export function testsOf(changed: readonly string[], tests: readonly string[]): string[] {
  const importers = importersOf(globSync("{src,test,scripts,bench,clients}/**/*.{ts,tsx,mts,js,css}"));
  const reached = new Set(changed);
  for (const file of reached) {
    if (composing.includes(file) && !changed.includes(file)) continue;
    for (const importer of importers.get(file) ?? []) reached.add(importer);
  }
  const mirrored = changed.flatMap((file) => (file.startsWith("src/") ? mirrorOf(file) : []));
  return tests.filter((test) => reached.has(test) || mirrored.some((folder) => test.startsWith(folder)));
}

/**
 * Returns the nearest folder of `test/` that mirrors a file's folder in `src/`; none for files at the top of `src/`.
 */
function mirrorOf(file: string): string[] {
  for (let folder = posix.dirname(file).replace(/^src/, "test"); folder !== "test"; ) {
    if (existsSync(folder)) return [`${folder}/`];
    folder = posix.dirname(folder);
  }
  return [];
}

/** Returns the files that import each file. */
function importersOf(files: readonly string[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of files.map((each) => each.replaceAll("\\", "/"))) {
    for (const specifier of importsIn(readFileSync(file, "utf8"))) {
      const imported = posix.join(dirname(file), specifier);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}
