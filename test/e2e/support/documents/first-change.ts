import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "../../../../scripts/lib/wrangler.ts";
import { page } from "./documents.ts";

const guide = page("first-change");

/** Left out of a copy of the project. */
const left = ["node_modules", ".git", ".wrangler"];

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

interface FirstChange extends Disposable {
  readonly folder: string;
  /** The files of the guide's `diff` blocks. */
  readonly changed: readonly string[];
}

/** A copy of the project in which the first change was made, as its guide says; removed when it is disposed of. */
export function madeFirstChange(): FirstChange {
  const changed: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "qr-first-change-"));
  cpSync(root, folder, { recursive: true, filter: (path) => !left.includes(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { language, text } of guide.codeBlocks) {
    const [, file = "", body = ""] = /^\+\+\+ ([^\n]*)\n(.*)$/s.exec(text) ?? [];
    if (language !== "diff") continue;
    changed.push(file);
    const target = join(folder, file);
    writeFileSync(target, apply(readFileSync(target, "utf8"), body.split(/^@@\n/m)));
  }
  return { folder, changed, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** The arguments with which the guide calls an npm script, all calls together. */
export const argumentsOf = (script: string): string[] =>
  guide.codeBlocks.flatMap(({ text }) =>
    [...text.matchAll(new RegExp(`^npm (?:run )?${script} -- (.*)$`, "gm"))].flatMap(([, words = ""]) =>
      words.split(" "),
    ),
  );
