import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../../scripts/lib/wrangler.ts";

interface Block {
  readonly language: string;
  readonly text: string;
}

/** Commands to paste, and what the document shows as their output. */
export interface Step {
  readonly script: string;
  readonly shown: string;
}

interface Heading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

const fence = /^```(\w*)\n(.*?)^```$/gms;

/** One of the project's Markdown documents. */
export class Document {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly text: string;

  constructor(path: string) {
    this.path = path;
    this.text = readFileSync(join(root, path), "utf8");
  }

  /** Its lines without those of code blocks, which keep their number. */
  get #proseLines(): string[] {
    return this.text.replace(fence, (block) => block.replace(/[^\n]/g, "")).split("\n");
  }

  /** Its text without code blocks. */
  get prose(): string {
    return this.#proseLines.join("\n");
  }

  get #headings(): Heading[] {
    return this.#proseLines.flatMap((text, line) => {
      const [, marks, title] = /^(#+) (.*)$/.exec(text) ?? [];
      return marks === undefined || title === undefined ? [] : [{ line, level: marks.length, title }];
    });
  }

  /** The anchors of its headings. */
  get anchors(): string[] {
    return this.#headings.map(({ title }) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    );
  }

  /** A section's text, from its heading to the next that is no deeper. @throws when there is none */
  section(title: string): string {
    const headings = this.#headings;
    const from = headings.findIndex((heading) => heading.title === title);
    const own = headings[from];
    if (own === undefined) throw new Error(`${this.path} has no section "${title}"`);
    const next = headings.slice(from + 1).find(({ level }) => level <= own.level);
    return this.text.split("\n").slice(own.line, next?.line).join("\n");
  }

  /** A section's text on one line, for sentences that wrap. */
  sentences(title: string): string {
    return this.section(title).replace(/\s+/g, " ");
  }

  /** The rows, cell by cell, of the section's table with this heading in its first column. */
  tableRows(title: string, heading: string): string[][] {
    const lines = this.section(title).split("\n");
    const head = lines.findIndex((line) => line.startsWith(heading === "" ? "| | " : `| ${heading} |`));
    if (head < 0) throw new Error(`${this.path}, "${title}": no table of "${heading}"`);
    const rest = lines.slice(head + 2);
    const end = rest.findIndex((line) => !line.startsWith("|"));
    return rest.slice(0, end < 0 ? undefined : end).map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  }

  get codeBlocks(): Block[] {
    return [...this.text.matchAll(fence)].map(([, language = "", text = ""]) => ({ language, text }));
  }

  /** The `bash` blocks, each with the `text` block that follows it. */
  get steps(): Step[] {
    const found: Step[] = [];
    for (const { language, text } of this.codeBlocks) {
      const last = found.at(-1);
      if (language === "bash") found.push({ script: text, shown: "" });
      else if (language === "text" && last !== undefined) found.splice(-1, 1, { ...last, shown: text });
    }
    return found;
  }

  /** The code spans of its prose. */
  get inBackticks(): string[] {
    return inBackticks(this.prose);
  }
}

/** The code spans of a text. */
const inBackticks = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

/** The first cell of each row. */
export const first = (rows: readonly string[][]) => rows.map(([cell]) => cell);

/** The code spans of cells. */
export const namesIn = (cells: readonly (string | undefined)[]) =>
  cells.flatMap((cell) => inBackticks(cell ?? ""));

/** A page of docs/, by its path without the ending. */
export const page = (name: string) => new Document(`docs/${name}.md`);

export const readme = new Document("README.md");

/** All documents for people who use, run or change the service. */
export const documents: readonly Document[] = [
  readme,
  new Document("SECURITY.md"),
  new Document("CONTRIBUTING.md"),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((file) => new Document(`docs/${file}`)),
];

/**
 * The lines that are shown and that the output lacks: each must be a whole line of it, in this order, where `…`
 * stands for any text. Case does not matter, since header names come in either.
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
