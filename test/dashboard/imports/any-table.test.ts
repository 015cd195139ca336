import fc from "fast-check";
import { expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { rowsOfTable } from "../../../src/dashboard/imports/rows.ts";
import {
  readTableFile,
  readTableForm,
  type Table,
  textOfTable,
} from "../../../src/dashboard/imports/table.ts";
import { CsvError } from "../../../src/lib/text/csv.ts";
import { readDestination } from "../../../src/lib/web/destination.ts";
import { encoded } from "../../support/images/encoded.ts";
import { runs } from "../../support/runner/runs.ts";
import { Service } from "../../support/service.ts";

const service = new Service();

/** A row as it is in the person's program. */
type Row = Readonly<Record<"id" | "name" | "price" | "fallbackUrl" | "url", string>>;

/** How a program writes a table. */
interface Program {
  readonly separator: "," | ";" | "\t";
  /** `copied` are the cells of a spreadsheet's clipboard; `none` are those of a program that knows no quotes. */
  readonly quotes: "needed" | "all" | "copied" | "none";
  readonly columns: readonly (keyof Row)[];
  readonly names: Row | null;
  readonly encoding: number;
  readonly hasHint: boolean;
  readonly titles: readonly string[];
  readonly ends: readonly string[];
  /** A change of the name of a row afterwards, as by a person in an editor. */
  readonly damage: { readonly row: number; readonly change: (cell: string, separator: string) => string };
}

const damages: readonly Program["damage"]["change"][] = [
  (cell) => cell,
  (cell) => cell.replace(/"$/, ""),
  (cell) => cell.replace(/^"/, ""),
  (cell) => cell.replace('"', ""),
  (cell) => `"${cell}`,
  (cell) => `${cell}"`,
  (cell, separator) => `${cell}${separator}x`,
  (cell, separator) => `${separator}${cell}`,
  (cell) => `${cell}\n`,
  (cell) => cell.replaceAll('""', '"'),
];

const name = fc
  .array(fc.constantFrom("Chair", "2in", "ü", " ", "'", ",", ";", "\t", '"', "|", "\n", "\r\n"), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));
const addressEnd = fc.constantFrom("", "a,b", "c;v=1", "?size=10,20", "d|e", "(f)", "?q='g'");
const rows = fc
  .array(fc.tuple(name, addressEnd, fc.constantFrom("12,5O", "99O", "", "=A1")), {
    minLength: 1,
    maxLength: 8,
  })
  .map((list) =>
    list.map(
      ([each, end, price], i): Row => ({
        ...{ id: `K${i}`, name: each, price },
        url: `https://shop.example/${i}/${end}`,
        fallbackUrl: `https://old.example/${i}/${end}`,
      }),
    ),
  );

const english: Row = { id: "SKU", name: "Name", price: "Price", fallbackUrl: "Fallback", url: "URL" };

const program: fc.Arbitrary<Program> = fc.record({
  separator: fc.constantFrom(",", ";", "\t"),
  quotes: fc.constantFrom("needed", "all", "copied", "none"),
  columns: fc.shuffledSubarray(["id", "name", "price", "fallbackUrl", "url"] as const, { minLength: 5 }),
  names: fc.constantFrom(
    english,
    { id: "Artikelnummer", name: "Titel", price: "Preis (EUR)", fallbackUrl: "Ersatzlink", url: "Ziel" },
    null,
  ),
  encoding: fc.nat(4),
  hasHint: fc.boolean(),
  titles: fc.array(fc.constantFrom("Our codes", "Codes, all; of 2026", "28.11.2026"), { maxLength: 2 }),
  ends: fc.array(fc.constantFrom("\r\n", "\n", "\r"), { minLength: 1, maxLength: 3 }),
  damage: fc.record({ row: fc.nat(7), change: fc.constantFrom(...damages) }),
});

function written(cell: string, { quotes, separator }: Program): string {
  if (quotes === "none") return cell.replaceAll(/[\t\r\n]+/g, " ");
  if (quotes === "copied" && !/[\t\r\n]/.test(cell)) return cell;
  const isQuoted = quotes === "all" || cell.includes(separator) || /["\r\n]/.test(cell);
  return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Returns the table as the import gets it. */
function fileOf(list: readonly Row[], program: Program): { bytes: Uint8Array; charset: string | undefined } {
  const { columns, separator, names, titles, damage, ends, hasHint, quotes, encoding } = program;
  const line = (row: Row, i: number) =>
    columns
      .map((column) => {
        const cell = written(row[column], program);
        if (i !== damage.row || column !== "name") return cell;
        // A missing cell and an additional one in the same row would hide each other.
        return damage.change(cell, separator).replace(/\n$/, quotes === "none" ? "" : "\n");
      })
      .join(separator);
  const lines = [
    ...(hasHint && quotes !== "copied" ? [`sep=${separator}`] : []),
    ...(names === null ? [] : [...titles.map((title) => written(title, program)), line(names, -1)]),
    ...list.map(line),
  ];
  const text = lines.map((each, i) => each + ends[i % ends.length]).join("");
  const { file, charset } = encoded(text)[encoding] ?? {};
  return file === undefined || quotes === "copied"
    ? { bytes: new TextEncoder().encode(text), charset: undefined }
    : { bytes: file, charset };
}

/** Returns the table as the page that checks it sends it on. */
function sentOn(table: Table): Table {
  const fields = table.columns.map((column, i) => [`column.${i}`, column ?? ""]);
  const header = table.hasHeader ? [["header", "on"]] : [];
  return readTableForm(new URLSearchParams([["text", textOfTable(table)], ...fields, ...header]), 100);
}

/** Returns a program without what nobody could read. */
function possible(program: Program): Program {
  const { quotes, names, columns, separator, damage } = program;
  const isFirst = (column: keyof Row) => column !== "id" && column !== "url";
  return {
    ...program,
    separator: quotes === "copied" ? "\t" : separator,
    // Without quotes, an address with a separator needs names, and a last column whose cells aren't empty.
    names: quotes === "none" ? (names ?? { ...english, name: "A" }) : names,
    // Without names, nothing tells one address from another, nor what a missing quote has joined.
    damage: names === null && quotes !== "none" ? { row: 0, change: (cell) => cell } : damage,
    columns:
      quotes === "none"
        ? [...columns.filter(isFirst), ...columns.filter((column) => !isFirst(column))]
        : columns.filter((column) => names !== null || column !== "fallbackUrl"),
  };
}

it("any table gives each code its own row's address, or the row fails", async () => {
  let created = 0;
  await fc.assert(
    fc.asyncProperty(rows, program, async (list, any) => {
      const program = possible(any);
      const { bytes, charset } = fileOf(list, program);
      let table: Table;
      try {
        table = readTableFile(bytes, 100, program.quotes === "copied" ? undefined : { charset });
      } catch (error) {
        expect(error).toBeInstanceOf(CsvError);
        return;
      }
      const common = { folderId: "", templateId: "", tags: [] };
      const results = await rowsOfTable(service.deps, sentOn(table), common, () => undefined);
      const addresses = results.map((row) => {
        const address = "input" in row && row.input.data.type === "url" ? row.input.data.url : "";
        return readDestination(address, limits.destination).ok ? address : undefined;
      });
      for (const [i, row] of results.entries()) {
        if (addresses[i] === undefined || !("input" in row)) continue;
        // Without column names, a damaged row can become several, of which one has the address.
        const isWhole = results.length === list.length;
        const own =
          list.find(({ id }) => id === row.input.externalId) ??
          (isWhole ? list[i] : list.find(({ url }) => url === addresses[i]));
        expect(addresses[i]).toBe(own?.url);
        expect(addresses.indexOf(addresses[i])).toBe(i);
        created += 1;
      }
    }),
    { numRuns: runs(300, 10_000), seed: 58 },
  );
  expect(created).toBeGreaterThan(300);
});
