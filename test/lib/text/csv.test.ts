import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CsvError,
  type CsvOptions,
  CsvReader,
  type CsvRecord,
  csvCell,
  csvRow,
} from "../../../src/lib/text/csv.ts";
import type { Separator } from "../../../src/lib/text/csv-rows.ts";
import { runs } from "../../support/runner/runs.ts";

const utf8 = new TextEncoder();

/** The records of a file that arrives in pieces of this many bytes. */
function read(
  file: string | Uint8Array,
  size = 64 * 1024,
  options: Partial<CsvOptions> = {},
): (readonly string[])[] {
  const bytes = typeof file === "string" ? utf8.encode(file) : file;
  const reader = new CsvReader({ maxColumns: 100, ...options });
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
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;

describe("a CSV file", () => {
  it("is read the same with every separator and mixed line ends, whatever its quoted cells contain", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, lineEnd), { minLength: 1, maxLength: 20 }),
        lineEnd,
        fc.constantFrom(",", ";", "\t"),
        (rows, first, separator) => {
          const lines = rows.map(([a, b, end]) => quoted(a) + separator + quoted(b) + end);
          const text = `name${separator}url${first}${lines.join("")}`;
          const cells = rows.map(([a, b]) => [a, b]);
          const filled = cells.filter((row) => row.some((value) => value.trim() !== ""));
          expect(read(text)).toEqual([["name", "url"], ...filled]);
          expect(read(`\ufeff${text.replace(/[\r\n]+$/, "")}`)).toEqual([["name", "url"], ...filled]);
        },
      ),
      { numRuns: runs(100, 500) },
    );
  });

  it.each([
    ["name,url\r\nA,a.example\nB,b.example\r\n"],
    ["name,url\nA,a.example\r\nB,b.example\r\n"],
    ["name,url\rA,a.example\nB,b.example\r"],
    ["name,url\nA,a.example\rB,b.example\n"],
    ["name,url\r\nA,a.example\rB,b.example"],
    ["name,url\r\n\nA,a.example\n\r\n\rB,b.example\n\n"],
    ['"name",url\r\nA,"a.example"\n"B","b.example"\r'],
    ["\r\nname,url\nA,a.example\r\r\nB,b.example\r\r\n"],
    ["name;url\nA;a.example\r\nB;b.example"],
    ["name\turl\r\nA\ta.example\nB\tb.example"],
  ])("ends a row at every line break, not only at the first kind: %j", (text) => {
    for (const size of [1024, 1, 2, 3]) {
      const separator = /[,;\t](?=url)/.exec(text)?.[0] as Separator;
      const options = size === 1024 ? {} : { separator };
      expect(read(text, size, options)).toEqual([
        ["name", "url"],
        ["A", "a.example"],
        ["B", "b.example"],
      ]);
    }
  });

  it("keeps line breaks inside quotes, in its header, too", () => {
    for (const [inside, ends, separator] of [
      ["\n", ["\r\n", "\r\n"], ";"],
      ["\r\n", ["\n", "\r\n"], ","],
      ["\r", ["\n", "\r"], "\t"],
    ] as const) {
      const [first, second] = ends;
      const name = `Name${inside}(DE)`;
      const text = `"${name}"${separator}url${first}A${separator}a.example${second}B${separator}b.example`;
      expect(read(text)).toEqual([
        [name, "url"],
        ["A", "a.example"],
        ["B", "b.example"],
      ]);
    }
  });

  it("of several chunks is read the same wherever a chunk ends", () => {
    const row = ["x\r\ny", 'a "quoted" ü'];
    for (const end of ["\n", "\r\n", "\r"]) {
      const line = row.map(quoted).join(",") + end;
      const { length } = utf8.encode(line);
      for (let padding = 0; padding < length; padding += 1) {
        const file = `name,url${end}${"p".repeat(padding)},q${end}${line.repeat(9)}`;
        const records = read(file, 3 * length, { separator: "," });
        expect(records).toHaveLength(9 + 2);
        expect(records.slice(2).every((record) => record.join("|") === row.join("|"))).toBe(true);
      }
    }
  });

  it("has records that begin in a line, whatever line ends their cells have", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, lineEnd), { minLength: 1, maxLength: 20 }),
        lineEnd,
        (rows, first) => {
          const reader = new CsvReader({ maxColumns: 100 });
          let text = `sep=,${first}`;
          const lines: number[] = [];
          for (const [a, b, end] of [["name", "url", first] as const, ...rows]) {
            if (a.trim() + b.trim() !== "") lines.push(text.split(/\r\n|\r|\n/).length);
            text += `${quoted(a)},${quoted(b)}${end}`;
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
    [
      "a missing quote that joins rows",
      'id,name,url\n1,"A,a.example\n2,", B",b.example\n',
      /in the row that begins on line 2/,
    ],
    ["text after a closing quote", 'url\n"a"b\n', /in the row that begins on line 2/],
    [
      "a quote that is left open in a large file",
      `url\n"${"a\n".repeat(200_000)}`,
      /Look for a missing closing quote/,
    ],
    ["many malformed quotes", `url\n${'"a"b'.repeat(100_000)}`, /in the row that begins on line 2/],
    ["NUL bytes", "url\n\0", /NUL/],
  ])("with %s is rejected", (_, text, message) => {
    expect(() => read(text)).toThrow(CsvError);
    expect(() => read(text)).toThrow(message);
  });

  it("that is not UTF-8 is rejected", () => {
    expect(() => read(Uint8Array.of(0x61, 0xe4, 0x0a))).toThrow(/UTF-8/);
  });
});

describe("a separator", () => {
  const table = [
    ["name", "url"],
    ["A", "a.example"],
  ];

  it.each([
    // Commas and semicolons in names, headers and addresses.
    [
      "SKU;Name (max. 100, required)\n1;a.example/a",
      [
        ["SKU", "Name (max. 100, required)"],
        ["1", "a.example/a"],
      ],
    ],
    [
      '"Name, first";url\nA;a.example',
      [
        ["Name, first", "url"],
        ["A", "a.example"],
      ],
    ],
    [
      '"Name\n(a,b)",url\r\nA,a.example',
      [
        ["Name\n(a,b)", "url"],
        ["A", "a.example"],
      ],
    ],
    [
      "name;price;url\nA;1,50;a.example\nB;2,50;b.example",
      [
        ["name", "price", "url"],
        ["A", "1,50", "a.example"],
        ["B", "2,50", "b.example"],
      ],
    ],
    [
      "1,50;a.example\n2,50;b.example",
      [
        ["1,50", "a.example"],
        ["2,50", "b.example"],
      ],
    ],
    [
      "A,https://a.example/;v=1\nB,https://b.example/;v=2",
      [
        ["A", "https://a.example/;v=1"],
        ["B", "https://b.example/;v=2"],
      ],
    ],
    [
      "A, big\ta.example\nB, small\tb.example",
      [
        ["A, big", "a.example"],
        ["B, small", "b.example"],
      ],
    ],
    [
      "Codes, all;\nname;url\nA;a.example\nB, C;b.example",
      [
        ["Codes, all", ""],
        ["name", "url"],
        ["A", "a.example"],
        ["B, C", "b.example"],
      ],
    ],
    [
      "name,url\nA;B;C;D,a.example\nE;F,b.example",
      [
        ["name", "url"],
        ["A;B;C;D", "a.example"],
        ["E;F", "b.example"],
      ],
    ],
    [
      'name,url\n"A;\nB;\nC;",a.example',
      [
        ["name", "url"],
        ["A;\nB;\nC;", "a.example"],
      ],
    ],
    [
      "name,url\nA, B,a.example",
      [
        ["name", "url"],
        ["A", " B", "a.example"],
      ],
    ],
    ["name;url", [["name", "url"]]],
    [
      "1;2,5\n2;3,5",
      [
        ["1", "2,5"],
        ["2", "3,5"],
      ],
    ],
  ] as const)("is the one that divides the rows evenly: %j", (text, records) => {
    expect(read(text)).toEqual(records);
  });

  it("of text copied from a spreadsheet is a tab, and quotes there needn't be doubled", () => {
    const isName = (cell: string) => cell === "name" || cell === "url";
    const pasted = (text: string) => read(text, undefined, { isPasted: true, isName });
    for (const name of ['"24" sign', '24" sign', '"A" and "B"', '"', '""A', 'A, "B"', '"A" ', "A;B,C"]) {
      expect(pasted(`name\turl\n${name}\ta.example\nB\tb.example`)).toEqual([
        ["name", "url"],
        [name === '"A" ' ? "A" : name, "a.example"],
        ["B", "b.example"],
      ]);
    }
    expect(pasted('"A\nB"\ta.example\n"C ""D"""\tb.example')).toEqual([
      ["A\nB", "a.example"],
      ['C "D"', "b.example"],
    ]);
    // Inch signs of two rows enclose a line break and tabs.
    expect(pasted('"24\ta.example\n12"\tb.example')).toEqual([
      ['"24', "a.example"],
      ['12"', "b.example"],
    ]);
    expect(pasted("name,url\nA,a.example")).toEqual(table);
    expect(pasted('name,url\n"A\tB",a.example\n"C\tD",b.example')).toEqual([
      ["name", "url"],
      ["A\tB", "a.example"],
      ["C\tD", "b.example"],
    ]);
  });

  it("can be stated or known, also as none", () => {
    expect(read("sep=|\nname|url\nA|a.example")).toEqual(table);
    expect(read('"sep=;"\r\nname;url,x\nA;a.example,y')).toEqual([
      ["name", "url,x"],
      ["A", "a.example,y"],
    ]);
    expect(read("name,url;x\nA,a.example;y", undefined, { separator: "," })).toEqual([
      ["name", "url;x"],
      ["A", "a.example;y"],
    ]);
    expect(read("sep=;\na;b", undefined, { separator: "," })).toEqual([["sep=;"], ["a;b"]]);
    expect(read("a,b;c\td", undefined, { separator: null })).toEqual([["a,b;c\td"]]);
    expect(read("a,b\nc\nd", undefined, { otherwise: null })).toEqual([["a,b"], ["c"], ["d"]]);
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
