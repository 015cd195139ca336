/** Characters that a terminal may act on, or that turn text around. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Returns a text without the characters that a terminal would act on: names are written by others. */
export const clean = (text: string): string => text.replace(controls, "\ufffd");

/** Returns JSON in which these characters are escaped. @param indent spaces; without them, it is one line */
const toJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(controls, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A row of a table. */
export type Row = readonly string[];

/** How results are printed: for people, as JSON, or as a line of JSON for each object. */
export type Format = "text" | "json" | "ndjson";

/** Where a command writes: results to stdout, all else to stderr. */
export class Output {
  readonly format: Format;
  #progress = "";

  constructor(format: Format) {
    this.format = format;
  }

  /** Prints a result: for people, or as JSON. */
  result(value: unknown, print: () => void): void {
    if (this.format === "json") process.stdout.write(`${toJson(value, 2)}\n`);
    else if (this.format === "ndjson") for (const each of [value].flat()) this.object(each);
    else print();
  }

  /** Prints an object as a line of JSON. */
  object(value: unknown): void {
    process.stdout.write(`${toJson(value)}\n`);
  }

  /** Prints a line of a result. */
  line(text: string): void {
    process.stdout.write(`${clean(text)}\n`);
  }

  /** Prints values by their names, without empty ones. */
  fields(values: Readonly<Record<string, string | number | null>>): void {
    const entries = Object.entries(values).filter(([, value]) => value !== null && value !== "");
    const width = Math.max(11, ...entries.map(([name]) => lengthOf(name)));
    for (const [name, value] of entries) this.line(`${name.padEnd(width)} ${value}`);
  }

  /** Prints a table. @param narrow columns whose text is cut so that it fits the terminal, by their place */
  table(head: Row, rows: readonly Row[], narrow: readonly number[] = []): void {
    const cells = [head, ...rows].map((row) => row.map(clean));
    const widths = fitted(
      head.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column] ?? "")))),
      narrow,
      process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
    );
    for (const [index, row] of cells.entries()) {
      const line = row.map((cell, column) => padded(cell, widths[column] ?? 0)).join("  ");
      const isHead = index === 0 && hasColours(process.stdout);
      process.stdout.write(isHead ? `\u001b[1m${line.trimEnd()}\u001b[22m\n` : `${line.trimEnd()}\n`);
    }
  }

  /** Tells people something beside the result. */
  note(text: string): void {
    this.endProgress();
    process.stderr.write(`${text.split("\n").map(clean).join("\n")}\n`);
  }

  /** Shows how far a job is: in one line of a terminal, else in a line each. */
  progress(text: string): void {
    if (text === this.#progress) return;
    this.#progress = text;
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${clean(text)}` : `${clean(text)}\n`);
  }

  /** Ends the line of the progress. */
  endProgress(): void {
    if (this.#progress !== "" && process.stderr.isTTY) process.stderr.write("\n");
    this.#progress = "";
  }
}

/** As asked for by no-color.org. */
const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";

const lengthOf = (text: string) => [...text].length;

function padded(text: string, width: number): string {
  const characters = [...text];
  return characters.length > width
    ? `${characters.slice(0, Math.max(0, width - 1)).join("")}…`
    : text + " ".repeat(width - characters.length);
}

/** Narrows the widest of some columns until all fit. */
function fitted(widths: readonly number[], narrow: readonly number[], total: number): number[] {
  const result = [...widths];
  const tooMuch = () => result.reduce((sum, width) => sum + width + 2, -2) - total;
  while (tooMuch() > 0) {
    const widest = Math.max(0, ...narrow.map((column) => result[column] ?? 0));
    if (widest <= 8) break;
    result[narrow.find((column) => result[column] === widest) ?? 0] = widest - 1;
  }
  return result;
}
