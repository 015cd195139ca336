import { limits } from "../../../contract/limits.ts";
import { CsvReader, type CsvRecord, hasText } from "../../../lib/text/csv.ts";
import { usualCells } from "../../../lib/text/csv-separator.ts";
import { invalid } from "../../errors.ts";
import { type RowFailure, rowFailure } from "./row.ts";

/** How the rows of a CSV file are read. */
interface CsvTable<Column extends string, Row> {
  /** The declared encoding of the file. */
  readonly charset: string | undefined;
  /** The names that its columns can have, in any case. */
  readonly columns: readonly Column[];
  /** @throws ServiceError unless the file has the columns that it needs */
  requireColumns(columns: readonly Column[]): void;
  /** @throws ServiceError if there is no room for another row */
  requireRemaining(rows: readonly Row[]): void;
  /** Reads a row from the texts of its named cells. */
  row(cells: Readonly<Partial<Record<Column, string>>>, line: number): Row;
  failure(failure: RowFailure): Row;
}

/** The rows of a CSV file, whose header names columns of a table. */
export class CsvRows<Column extends string, Row> {
  readonly #table: CsvTable<Column, Row>;
  readonly #reader: CsvReader;
  readonly #rows: Row[] = [];
  #columns: readonly (Column | undefined)[] | undefined;
  /** How many cells the header has, with empty ones at its end. */
  #width = 0;
  /** How many cells most rows have, with empty ones at their end. */
  #usual: number | undefined;

  constructor(table: CsvTable<Column, Row>) {
    this.#table = table;
    this.#reader = new CsvReader({
      ...{ maxColumns: limits.tableColumns, charset: table.charset },
      isName: (cell) => this.#columnOf(cell) !== undefined,
    });
  }

  /** @throws CsvError; invalid_input for an invalid header; as `requireRemaining` */
  write(bytes: Uint8Array): void {
    this.#add(this.#reader.write(bytes));
  }

  /** @throws as `write`; invalid_input for a file without rows */
  end(): Row[] {
    this.#add(this.#reader.end());
    if (this.#columns === undefined) {
      throw invalid("body", "is empty. Its first line must name the columns, such as name,url.");
    }
    if (this.#rows.length === 0) throw invalid("body", "has a header but no rows");
    return this.#rows;
  }

  #add(records: readonly CsvRecord[]): void {
    for (const record of records) {
      if (this.#columns === undefined) {
        this.#columns = this.#readHeader(record.cells);
        this.#usual = usualCells(records.map(({ cells }) => cells)).cells;
      } else {
        this.#table.requireRemaining(this.#rows);
        this.#rows.push(this.#readRow(this.#columns, record));
      }
    }
  }

  #columnOf(cell: string): Column | undefined {
    const name = cell.trim().toLowerCase();
    return this.#table.columns.find((each) => each.toLowerCase() === name);
  }

  /** Returns the columns that a header names; undefined for one without a name, whose cells must be empty. */
  #readHeader(cells: readonly string[]): (Column | undefined)[] {
    const known = this.#table.columns;
    this.#width = cells.length;
    const columns = cells.slice(0, cells.findLastIndex(hasText) + 1).map((cell) => {
      const column = this.#columnOf(cell);
      if (column === undefined && hasText(cell)) {
        throw invalid("body", `has an unknown column ${cell.trim().slice(0, 50)}. Use ${known.join(", ")}.`);
      }
      return column;
    });
    const duplicate = columns.find((column, i) => column !== undefined && columns.indexOf(column) !== i);
    if (duplicate !== undefined) throw invalid("body", `has the column ${duplicate} twice`);
    this.#table.requireColumns(columns.flatMap((column) => column ?? []));
    return columns;
  }

  #readRow(columns: readonly (Column | undefined)[], { line, cells: all }: CsvRecord): Row {
    const width = columns.length;
    // Empty cells beyond the header are harmless if all rows have them; otherwise, a separator has shifted the others.
    const isAsUsual =
      all.length <= Math.max(this.#width, this.#usual ?? 0) && !all.slice(width).some(hasText);
    const cells = isAsUsual ? all.slice(0, width) : all;
    if (cells.length !== width) {
      const error = `The row has ${cells.length} cells and the header ${width}. Put a cell with a comma in quotes.`;
      return this.#table.failure(rowFailure("", error, { line }));
    }
    const unnamed = columns.findIndex((column, i) => column === undefined && hasText(cells[i] ?? ""));
    if (unnamed !== -1) {
      throw invalid(
        "body",
        `has text in column ${unnamed + 1} of line ${line}, but the header has no name for this column`,
      );
    }
    const named = columns.flatMap((column, i) => (column === undefined ? [] : [[column, cells[i] ?? ""]]));
    return this.#table.row(Object.fromEntries(named) as Partial<Record<Column, string>>, line);
  }
}
