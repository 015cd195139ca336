import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvError, CsvReader, type CsvRecord, csvCell, csvRow } from "../../../src/lib/text/csv.ts";
import { runs } from "../../support/runner/runs.ts";

const utf8 = new TextEncoder();

/** The records of a file that arrives in pieces of this many bytes. */
function read(file: string | Uint8Array, size = 64 * 1024): (readonly string[])[] {
  const bytes = typeof file === "string" ? utf8.encode(file) : file;
  const reader = new CsvReader({ maxColumns: 100 });
  const records: CsvRecord[] = [];
  for (let at = 0; at < bytes.length; at += size)
    records.push(...reader.write(bytes.subarray(at, at + size)));
  return [...records, ...reader.end()].map(({ cells }) => cells);
}

/** A cell with the characters that matter to CSV. */
const cell = fc.string({
  unit: fc.constantFrom("a", "ü", "🍕", " ", ",", ";", "\t", '"', "\n", "\r", "\r\n"),
  maxLength: 12,
});
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;

describe("a CSV file", () => {
  it("is read the same with every line end and separator, whatever its quoted cells contain", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.constantFrom(",", ";", "\t"),
        (rows, lineEnd, separator) => {
          const lines = rows.map((row) => row.map(quoted).join(separator));
          const text = [`name${separator}url`, ...lines].join(lineEnd);
          const filled = rows.filter((row) => row.some((value) => value.trim() !== ""));
          expect(read(text)).toEqual([["name", "url"], ...filled]);
          expect(read(`\ufeff${text}${lineEnd}`)).toEqual([["name", "url"], ...filled]);
        },
      ),
      { numRuns: runs(100, 500) },
    );
  });

  it("of several chunks is read the same wherever a chunk ends", () => {
    const row = ["x\r\ny", 'a "quoted" ü'];
    for (const lineEnd of ["\n", "\r\n"]) {
      const line = row.map(quoted).join(",") + lineEnd;
      const { length } = utf8.encode(line);
      for (let padding = 0; padding < length; padding += 1) {
        const file = `name,url${lineEnd}${"p".repeat(padding)},q${lineEnd}${line.repeat(9)}`;
        const records = read(file, 3 * length);
        expect(records).toHaveLength(9 + 2);
        expect(records.slice(2).every((record) => record.join("|") === row.join("|"))).toBe(true);
      }
    }
  });

  it("has records that begin in a line, whatever line ends their cells have", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        (rows, lineEnd) => {
          const reader = new CsvReader({ maxColumns: 100 });
          let text = `sep=,${lineEnd}`;
          const lines: number[] = [];
          for (const row of [["name", "url"], ...rows]) {
            if (row.some((value) => value.trim() !== "")) lines.push(text.split(/\r\n|\r|\n/).length);
            text += row.map(quoted).join(",") + lineEnd;
          }
          const records = [...reader.write(utf8.encode(text)), ...reader.end()];
          expect(records.map(({ line }) => line)).toEqual(lines);
        },
      ),
      { numRuns: runs(100, 500) },
    );
  });

  it("skips empty lines and reads back what was written", () => {
    expect(read("\n\na,b\n\n\nc,d\n\n")).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    const cells = ["plain", 'with "quotes"', "two\r\nlines", "a,b", ""];
    expect(read(csvRow(cells))).toEqual([cells]);
    expect(read("")).toEqual([]);
  });

  it.each([
    ["a quote that is left open", 'url\n"a\nb\n', /in the row that begins on line 2/],
    ["text after a closing quote", 'url\n"a"b\n', /in the row that begins on line 2/],
    [
      "a quote that is left open in a large file",
      `url\n"${"a\n".repeat(200_000)}`,
      /Look for a missing closing quote/,
    ],
    ["many malformed quotes", `url\n${'"a"b'.repeat(100_000)}`, /Look for a missing closing quote/],
    ["NUL bytes", "url\n\0", /NUL/],
  ])("with %s is rejected", (_, text, message) => {
    expect(() => read(text)).toThrow(CsvError);
    expect(() => read(text)).toThrow(message);
  });

  it("that is not UTF-8 is rejected", () => {
    expect(() => read(Uint8Array.of(0x61, 0xe4, 0x0a))).toThrow(/UTF-8/);
  });
});

describe("a written cell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+1+1", "'+1+1"],
    ["-1+1", "'-1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["＝1+1", "'＝1+1"],
    ["＋1+1", "'＋1+1"],
    ["－1+1", "'－1+1"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
    ["a;=1+1", "a;'=1+1"],
    ["a\t=1+1", "a\t'=1+1"],
    ["a;＝1;-1;b", "a;'＝1;'-1;b"],
    ["a\n=1+1", '"a\n\'=1+1"'],
    ["\t=1+1", "'\t'=1+1"],
    ["\r@x", "\"'\r'@x\""],
    ["+49 30 901820", "'+49 30 901820"],
    ["-1.", "'-1."],
    ["+1\n", '"\'+1\n"'],
    ["--1", "'--1"],
  ])("is defused: %j", (value, written) => {
    expect(csvCell(value)).toBe(written);
  });

  it.each(["1", "-1", "+4930901820", "-3.14", "007", "a=1", "a-b", "1;2", "a; b", "x@example.com"])(
    "is left alone: %j",
    (value) => {
      expect(csvCell(value)).toBe(value);
    },
  );

  it("that is a number is left alone", () => {
    expect(csvRow([-1, 0.5, null])).toBe("-1,0.5,\r\n");
  });
});
