import { describe, expect, it } from "vitest";
import { rowsOfTable } from "../../../src/dashboard/imports/rows.ts";
import { readTableFile, type Table } from "../../../src/dashboard/imports/table.ts";
import { CsvError } from "../../../src/lib/text/csv.ts";
import { Service } from "../../support/service.ts";

const service = new Service();
const bytes = (text: string) => new TextEncoder().encode(text);
const paste = (text: string) => readTableFile(bytes(text), 100);
const upload = (text: string) => readTableFile(bytes(text), 100, { name: "table.csv" });

/** The destination of each row, with its name and tags if it has them; the problem of one that fails. */
async function codesOf(table: Table): Promise<unknown[]> {
  const common = { folderId: "", templateId: "", tags: [] };
  const rows = await rowsOfTable(service.deps, table, common, () => undefined);
  return rows.map((row) => {
    if ("error" in row) return Object.keys(row.problems)[0];
    const { data, name, tags = [] } = row.input;
    return [...(name ? [name] : []), data.type === "url" && data.url, ...tags];
  });
}

describe("a list of addresses", async () => {
  it.each([
    "https://e.example/a,b\nhttps://e.example/c",
    "https://e.example/a;v=1\nhttps://e.example/b;v=2",
    "e.example/a,b\ne.example/c;d\ne.example",
    "https://maps.example/@52.5,13.4,15z\r\nhttps://maps.example/@48.1,11.5,12z",
    "https://e.example/?q=1,2\rhttps://e.example/;x",
    "https://e.example/a,b",
    "\nhttps://e.example/a|b,c\n\n",
    "Links\nhttps://e.example/a,b\nhttps://e.example/c,d",
    "http://e.example:8080/a;b,c\nhttps://e.example/'x'",
    "https://web.example/2020/https://e.example/a,b\ne.example/ä,ö",
    "localhost.example/a,b;c\ne.example?x=1;2",
    '"https://e.example/a,b"\n"https://e.example/c"',
  ])("has one in each line, whole: %j", async (text) => {
    const lines = text.split(/[\r\n]+/).filter((line) => line !== "" && line !== "Links");
    const table = paste(text);
    expect(await codesOf(table)).toEqual(lines.map((line) => [line.replaceAll('"', "")]));
    const isPlain = !/[,;]/.test(text);
    expect(table.notes).toEqual(isPlain ? [] : [expect.stringContaining("one address")]);
  });

  it.each([
    [
      "https://e.example/a,Big chair\nhttps://e.example/b,Table",
      [
        ["Big chair", "https://e.example/a"],
        ["Table", "https://e.example/b"],
      ],
    ],
    [
      "a.example,Chair\nb.example,Table",
      [
        ["Chair", "a.example"],
        ["Table", "b.example"],
      ],
    ],
    ["https://e.example/a;https://f.example/b", [["https://e.example/a"]]],
    ["url,name\nhttps://e.example/a,Chair", [["Chair", "https://e.example/a"]]],
    [
      "https://e.example/a\tChair,x\nhttps://e.example/b\tTable,y",
      [
        ["Chair,x", "https://e.example/a"],
        ["Table,y", "https://e.example/b"],
      ],
    ],
  ])("isn't a table: %j", async (text, codes) => {
    expect(await codesOf(paste(text))).toEqual(codes);
  });

  it("of a file needs a heading if it could be a table, too", async () => {
    for (const text of [
      "https://e.example/1,Chair\nhttps://e.example/2,Table",
      "https://e.example/1;12,50",
    ]) {
      expect(() => upload(text)).toThrow(CsvError);
      expect(() => upload(text)).toThrow(/Name them in a first line/);
    }
    expect(await codesOf(upload("https://e.example/1,a\nhttps://e.example/2"))).toHaveLength(2);
    expect(await codesOf(upload("url\nhttps://e.example/1,a\nhttps://e.example/2,b"))).toEqual([
      ["https://e.example/1,a"],
      ["https://e.example/2,b"],
    ]);
  });
});

describe("a title above the column names", async () => {
  it.each([
    ["Export of 2026-11-28;;\r\nName;Nr;URL\r\nA;1;e.example/a\r\n", 1],
    ["Export of 2026-11-28\nName,Nr,URL\nA,1,e.example/a", 1],
    ["Codes, all; of 2026\nName;URL\nA;e.example/a", 1],
    ["Shop\n\nof Anna\nName\tURL\nA\te.example/a", 2],
    ["Report;2026;\nBranch;Anna;\nName;Nr;URL\nA;1;e.example/a", 2],
    ["Name\nName;URL\nA;e.example/a", 1],
    ["My list\nName here,Where\nA,e.example/a", 1],
    ["sep=;\nMy list;\nName;URL\nA;e.example/a", 1],
    [",,\nMy list,,\n,,\nName,,URL\nA,,e.example/a", 1],
    ["Liste des codes\nNom;Lien\nA;e.example/a", 1],
  ])("is left out with a word: %j", async (text, titles) => {
    const table = upload(text);
    expect([table.hasHeader, await codesOf(table)]).toEqual([true, [["A", "e.example/a"]]]);
    const words = titles === 1 ? "The row above the column names, “" : "2 rows above the column names";
    expect(table.notes).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    "Name,URL\nA,e.example/a",
    "URL\ne.example/a",
    "What,Where\nShop,\nA,e.example/a",
    "A,e.example/a\nName,URL",
    "Link,\ne.example/a,",
    "e.example/a\ne.example/b",
  ])("isn't seen in a table without one: %j", async (text) => {
    expect(paste(text).notes).toEqual([]);
  });
});

describe("a row that isn't whole", async () => {
  it.each([
    ["name,url\nTable 7, window,e.example/7\nB,e.example/b", ["", ["B", "e.example/b"]]],
    ["name,fallbackUrl,url\nA, B,https://f.example,https://u.example", [""]],
    [
      "name,fallbackUrl,url,note\nA, B,https://f.example,https://u.example,\nC,,https://v.example,x",
      ["", ["C", "https://v.example"]],
    ],
    [
      "hash,url,fallbackUrl\nabcd,A\nbbbb,https://u.example,https://f.example\nefgh,https://v.example,",
      ["", ["https://u.example"], ["https://v.example"]],
    ],
    ['name\turl\tfallbackUrl\n"A\tb"\thttps://u.example\thttps://f.example', [""]],
    ['name\tnote\turl\n"24\t12"\thttps://u.example', [['"24', "https://u.example"]]],
    ["url\nhttps://e.example/a b,c", [""]],
    ["a.example\nb.example,Name", [["a.example"], ""]],
    ["name;url\nA;a.example;\nB;b.example", ["", ["B", "b.example"]]],
    ["name,url\nA,a.example\nB,b.example,,c.example", [["A", "a.example"], ""]],
    ["name,url,fallbackUrl\nhttps://u.example,https://f.example", [""]],
  ])("fails, rather than with another column's address: %j", async (text, codes) => {
    expect(await codesOf(paste(text))).toEqual(codes);
  });

  it.each([
    ["name,url\nA,a.example,\nB,b.example,", 2],
    ["name,url,tags\nA,a.example\nB,b.example,x", 2],
    ["name,url,,\nA,a.example\nB,b.example,,", 2],
  ])("isn't one whose empty cells are missing, or that has more, as all have: %j", async (text, count) => {
    const codes = await codesOf(upload(text));
    expect(codes).toHaveLength(count);
    expect(codes).not.toContain("");
  });
});

it("tags are divided by bars, or else by commas, or are JSON", async () => {
  for (const [cell, tags] of [
    ["menu, print", ["menu", "print"]],
    ["menu|print", ["menu", "print"]],
    ["a,b|c", ["a,b", "c"]],
    ['["a|b"]', ["a|b"]],
    ['["Berlin, Mitte"]', ["Berlin, Mitte"]],
    ['["a", "b,c"]', ["a", "b,c"]],
    ["[a], b", ["[a]", "b"]],
    [" a , ,b ", ["a", "b"]],
    ["a | b|", ["a", "b"]],
    ["one", ["one"]],
    ["|,", [","]],
  ] as const) {
    const table = paste(`url\ttags\ne.example\t${cell}`);
    expect([cell, await codesOf(table)]).toEqual([cell, [["e.example", ...tags]]]);
  }
});
