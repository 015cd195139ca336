import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/wrangler.ts";
import { page } from "./support/documents.ts";

const run = promisify(execFile);

/** The files of the project that the first change needs to compile. */
const parts = [
  "src",
  "test",
  "docs",
  "bench/workers",
  "scripts",
  "tsconfig.json",
  "worker-configuration.d.ts",
];

/** The lines of a hunk that have one of these marks, without it. */
const linesWith = (marks: string, hunk: readonly string[]) =>
  hunk.filter((line) => marks.includes(line[0] ?? "")).map((line) => `${line.slice(1)}\n`);

/** A `diff` block applied to its file's text. @throws when what it changes is not there */
function apply(text: string, hunks: readonly string[]): string {
  let patched = text;
  for (const hunk of hunks) {
    const lines = hunk.split("\n").filter((line) => line !== "");
    const before = linesWith(" -", lines).join("");
    if (!patched.includes(before)) throw new Error(`not in the file:\n${before}`);
    patched = patched.replace(before, () => linesWith(" +", lines).join(""));
  }
  return patched;
}

describe("the first change", () => {
  const copy = mkdtempSync(join(tmpdir(), "qr-first-change-"));

  beforeAll(() => {
    for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it("fits the files it names and compiles", async () => {
    const blocks = page("first-change").codeBlocks.filter(({ language }) => language === "diff");
    expect(blocks.length).toBeGreaterThan(8);
    for (const { text } of blocks) {
      const [, file = "", body = ""] = /^\+\+\+ ([^\n]*)\n(.*)$/s.exec(text) ?? [];
      const target = join(copy, file);
      writeFileSync(target, apply(readFileSync(target, "utf8"), body.split(/^@@\n/m)));
    }
    const tsc = join(root, "node_modules/.bin/tsc");
    const { stdout } = await run(tsc, ["-p", "tsconfig.json"], { cwd: copy }).catch((error) => error);
    expect(stdout).toBe("");
  });
});
