import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/wrangler.ts";

/** The README as a whole. */
export const readme = readFileSync(join(root, "README.md"), "utf8");

/** A section's text, from its `## ` heading to the next. @throws when there is none */
export function section(title: string): string {
  const text = readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (text === undefined) throw new Error(`README.md has no section "${title}"`);
  return text;
}

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced code blocks of a text. */
export function codeBlocks(text: string): Block[] {
  const fences = text.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...fences].map(([, language = "", code = ""]) => ({ language, text: code }));
}

/** What is pasted, and what the README shows for it. */
export interface Step {
  readonly script: string;
  readonly shown: string;
}

/** The `bash` blocks of a section, each with the `text` block that follows it. */
export function steps(title: string): Step[] {
  const found: Step[] = [];
  for (const { language, text } of codeBlocks(section(title))) {
    const last = found.at(-1);
    if (language === "bash") found.push({ script: text, shown: "" });
    else if (language === "text" && last !== undefined) found.splice(-1, 1, { ...last, shown: text });
  }
  return found;
}

/** The rows, cell by cell, of the section's table with this heading in its first column. */
export function tableRows(title: string, heading: string): string[][] {
  const lines = section(title).split("\n");
  const head = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  if (head < 0) throw new Error(`README.md, "${title}": no table of "${heading}"`);
  const rest = lines.slice(head + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What a cell or a text has in backticks. */
export const inBackticks = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

/**
 * The lines that are shown and that the output lacks: each must be a whole line of it, in this order, where `…`
 * stands for any text. Upper and lower case are one, since header names come in either.
 */
export function missingLines(shown: string, output: string): string[] {
  const lines = output.split(/\r?\n/);
  let from = 0;
  return shown
    .split("\n")
    .filter((line) => line !== "")
    .filter((line) => {
      const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      const pattern = new RegExp(`^${parts.join(".*")}$`, "i");
      const at = lines.findIndex((candidate, index) => index >= from && pattern.test(candidate));
      if (at >= 0) from = at + 1;
      return at < 0;
    });
}
