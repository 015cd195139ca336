import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/**
 * Regular expressions that strangers' texts reach take time in proportion to a text's length. Each one is run on texts
 * made for it: samples of its parts, repeated, with an end on which it fails.
 */

/** Expressions that only read what they can't be slow with, and why. */
const harmless: Readonly<Record<string, string>> = {
  [String(/\/+$/)]: "the installation's own origins",
  [String(/\s*([{};,\n])\s*/g)]: "our own CSS",
  [String(/\d*\.\d{3,}/g)]: "our own drawings",
  [String(/\d*\.\d{2,}/g)]: "our own drawings",
  [String(/<svg ([^>]*)>/)]: "our own drawings",
  [String(/<image ([^>]*?)xlink:href="file:(\d+)"\/>/g)]: "our own drawings",
  [String(/\.?0+$/)]: "numbers with four decimals",
  [String(/(?:\.\.\.)?"[\s\S]*" ?(?:\.\.\.)? ?is not valid JSON/)]: "messages cut to 4000 characters",
  [String(/<picture>.*?(<img\b[^>]*>).*?<\/picture>/gs)]: "our own documents",
  [String(/<img\b[^>]*\balt="([^"]*)"[^>]*>/g)]: "our own documents",
  [String(/!?\[([^\]]*)\]\(([^)\s]+)\)/g)]: "our own documents",
  [String(/\[([^\]]*)\]\([^)]*\)/g)]: "our own documents",
};

/** Modules that compose expressions, which can't be read here, and why these aren't slow. */
const composing: Readonly<Record<string, string>> = {
  "src/api/app.ts": "one segment after another",
  "src/contract/resources/pages.ts": "anchored, without repetition",
  "src/contract/resources/scans/scan-filters.ts": "anchored, without repetition",
  "src/contract/resources/webhooks/webhooks.ts": "anchored, with one bounded repetition",
  "src/domain/print/shared-files.ts": "our own drawings",
  "src/domain/workspaces/waiting.ts": "anchored, with one bounded repetition",
  "src/images/svg/document.ts": "without repetition",
  "src/lib/text/invisible.ts": "without unbounded repetition",
  "src/lib/text/json.ts": "read by the benchmark of growth",
  "src/lib/web/origin.ts": "anchored, without repetition",
  "src/lib/web/pasted.js": "reads at most 4096 characters",
};

interface Expression {
  readonly file: string;
  readonly expression: RegExp;
}

/** The characters before a regular expression, rather than a division or the end of a tag. Finding more does no harm. */
const literal =
  /(?<=(?:[(,=:?&|[{!;>]|\breturn)\s*)\/(?![*/>])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\\/[\n])+)\/([dgimsuvy]*)/g;

const sources = globSync("src/**/*.{ts,tsx,js}").map((file) => ({
  file: file.replaceAll("\\", "/"),
  text: readFileSync(file, "utf8"),
}));

/** Each expression once, by its text. */
const expressions: ReadonlyMap<string, Expression> = new Map(
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(literal)].map(([, source = "", flags]) => {
      const expression = new RegExp(source, flags);
      return [String(expression), { file, expression }];
    }),
  ),
);

/** Characters of which most parts of an expression match some. */
const palette = Array.from(" a1.-,:/\"<(\n\tA\u00e9_&=%;'@{\r");

const otherCharacters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));

/** A part of an expression: a group's beginning or end, a quantifier, a class of characters, a character. */
const part =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|<\w+>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gisu;

/** Returns up to two characters that a part matches; none for a part that isn't about characters. */
function samplesOf(source: string, flags: string): string[] {
  if (/^(?:\(.*|[)|^$]|[*+?]\??|\{\d.*|\\[bB]|\\[1-9])$/s.test(source)) return [];
  if (/^[^.[\\]$/.test(source)) return [source];
  let one: RegExp;
  try {
    one = new RegExp(`^(?:${source})$`, flags.replaceAll(/[gy]/g, ""));
  } catch {
    return [];
  }
  const found = palette.filter((char) => one.test(char)).slice(0, 2);
  return found.length > 0 ? found : otherCharacters.filter((char) => one.test(char)).slice(0, 1);
}

/** A text that is repeated, and what may have to precede it. */
interface Hostile {
  readonly before: string;
  readonly repeated: string;
}

function hostileTo({ source, flags }: RegExp): Hostile[] {
  const parts = [...source.matchAll(part)]
    .map(([text]) => samplesOf(text, flags))
    .filter((samples) => samples.length > 0);
  const found = new Map<string, Hostile>();
  const add = (before: string, repeated: string) =>
    void found.set(JSON.stringify([before, repeated]), { before, repeated });
  let before = "";
  for (const [i, samples] of parts.entries()) {
    for (const sample of samples) {
      add("", sample);
      add(before, sample);
      const [next = ""] = parts[i + 1] ?? [];
      add("", sample + next);
    }
    before += samples[0] ?? "";
    add("", before);
  }
  return [...found.values()];
}

/** Milliseconds of CPU that are too short to judge, lengths of texts, and by how much the long one may take longer. */
const rules = { short: 1, few: 20, some: 512, many: 4096, ratio: 30 };

/** Milliseconds of this thread's CPU, whatever else the machine does: the shortest of a few runs, or one that is short enough. */
function cpuTime(expression: RegExp, text: string, enough: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && shortest > enough; run += 1) {
    const start = process.threadCpuUsage();
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, "");
    else expression.test(text);
    const { user, system } = process.threadCpuUsage(start);
    shortest = Math.min(shortest, (user + system) / 1000);
  }
  return shortest;
}

/** Returns a text with which the time grows faster than the text; undefined without one. */
function slowText(expression: RegExp): Hostile | undefined {
  return hostileTo(expression).find(({ before, repeated }) => {
    const time = (length: number, enough: number = rules.short) =>
      cpuTime(expression, `${before}${repeated.repeat(Math.ceil(length / repeated.length))}\0`, enough);
    // Exponential time, of repeated groups, shows in a short text, and would never end in a longer one.
    if (/\)[*+{]/.test(expression.source) && time(rules.few) > rules.short) return true;
    const long = time(rules.many);
    return long > rules.short && long > rules.ratio * time(rules.some, 0);
  });
}

describe("regular expressions", () => {
  it("are linear, but for those that read what can't be long", () => {
    expect(expressions.size).toBeGreaterThan(300);
    const slow = [...expressions.values()]
      .filter(({ expression }) => !Object.hasOwn(harmless, String(expression)))
      .flatMap(({ file, expression }) => {
        const text = slowText(expression);
        return text === undefined ? [] : [{ file, expression, ...text }];
      });
    expect(slow).toEqual([]);
  });

  it("are known by these texts if they are not linear", () => {
    const known = [/\s*\n\s*/, /^(?:a|\w)*$/, /"[^']*'/, /^x +[^y]*z/, /(a+)b/g];
    expect(known.filter((each) => slowText(each) === undefined)).toEqual([]);
  });

  it("that are listed exist", () => {
    expect(Object.keys(harmless).filter((each) => !expressions.has(each))).toEqual([]);
  });

  it("that are composed are listed", () => {
    const files = sources.filter(({ text }) => text.includes("new RegExp(")).map(({ file }) => file);
    expect(files.toSorted()).toEqual(Object.keys(composing).toSorted());
  });
});
