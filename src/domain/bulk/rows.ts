import { describeIssues } from "../../contract/issues.ts";
import { limits } from "../../contract/limits.ts";
import { bulkBodyLimit } from "../../contract/plans.ts";
import {
  type BulkColumn,
  BulkInput,
  BulkItems,
  BulkJob,
  bulkColumns,
} from "../../contract/resources/bulk.ts";
import { misspelledFields } from "../../contract/misspelled-fields.ts";
import { CsvError, CsvReader } from "../../lib/text/csv.ts";
import { JsonError } from "../../lib/text/json.ts";
import { JsonListReader } from "../../lib/text/json-list.ts";
import type { Deps } from "../deps.ts";
import { invalid, ServiceError } from "../errors.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { parseCells } from "./cells.ts";
import { type BulkRow, parseRow } from "./row.ts";
import { takeTurns } from "./take-turns.ts";

/** The body of a bulk request. */
export interface BulkBody {
  /** `text/csv`, or else JSON. */
  readonly mediaType: string;
  /** The body's next bytes, as they arrive. Throws as soon as there are more than `maxBytes`. */
  blocks(maxBytes: number): AsyncIterable<Uint8Array>;
}

/**
 * The rows of a bulk request, read as it arrives, up to the limits of the owner's plan. An invalid row is returned as its
 * error.
 * @throws invalid_input for a body that is not readable, has no rows or has an invalid header; plan_limit (403) for the
 *   first row beyond the plan's
 */
export async function readBulkRows(deps: Deps, owner: Owner, body: BulkBody): Promise<BulkRow[]> {
  const reader = body.mediaType === "text/csv" ? new CsvRows(owner) : new JsonRows(owner);
  try {
    for await (const block of body.blocks(bulkBodyLimit(planOf(owner)))) {
      reader.write(block);
      await takeTurns(deps);
    }
    return reader.end();
  } catch (error) {
    if (error instanceof CsvError) throw invalid("body", error.message);
    if (error instanceof JsonError) throw new ServiceError("invalid_input", error.message);
    throw error;
  }
}

/** The rows of a CSV file. */
class CsvRows {
  readonly #owner: Owner;
  readonly #reader = new CsvReader();
  readonly #rows: BulkRow[] = [];
  #columns: readonly BulkColumn[] | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  write(bytes: Uint8Array): void {
    this.#add(this.#reader.write(bytes));
  }

  end(): BulkRow[] {
    this.#add(this.#reader.end());
    if (this.#columns === undefined) {
      throw invalid("body", "is empty; the first line must name the columns, as in: name,url");
    }
    if (this.#rows.length === 0) throw invalid("body", "has a header and no rows");
    return this.#rows;
  }

  #add(records: readonly string[][]): void {
    for (const record of records) {
      if (this.#columns === undefined) {
        this.#columns = readHeader(record);
      } else {
        assertRoom(this.#owner, this.#rows, "body", "rows");
        this.#rows.push(parseRecord(this.#columns, record));
      }
    }
  }
}

/** The rows of a JSON body. */
class JsonRows {
  #rows: BulkRow[] = [];
  readonly #reader: JsonListReader;

  constructor(owner: Owner) {
    this.#reader = new JsonListReader("items", limits.body, {
      begin: () => {
        this.#rows = [];
      },
      element: (item) => {
        assertRoom(owner, this.#rows, "items", "elements");
        this.#rows.push(parseRow(item, (path) => path.join(".")));
      },
      otherField: (name) => {
        const [problem] = misspelledFields(BulkInput, { [name]: null }, BulkJob);
        if (problem !== undefined) throw new ServiceError("invalid_input", problem);
      },
    });
  }

  write(bytes: Uint8Array): void {
    this.#reader.write(bytes);
  }

  end(): BulkRow[] {
    const items = this.#reader.end();
    if (this.#rows.length > 0) return this.#rows;
    throw new ServiceError(
      "invalid_input",
      describeIssues(BulkItems.safeParse({ items }).error?.issues ?? []),
    );
  }
}

/** @throws if there are as many rows as the plan allows, or any plan does */
function assertRoom(owner: Owner, rows: readonly BulkRow[], field: string, noun: string): void {
  const { title, bulkRows } = planOf(owner);
  if (rows.length < bulkRows) return;
  if (bulkRows === limits.bulk.rows) throw invalid(field, `must have at most ${bulkRows} ${noun}`);
  throw new ServiceError(
    "plan_limit",
    `Your plan ${title} allows ${bulkRows} rows a bulk job; split the file or upgrade`,
    { status: 403 },
  );
}

function readHeader(cells: readonly string[]): BulkColumn[] {
  const columns = cells.map((cell) => {
    const name = cell.trim().toLowerCase();
    const column = bulkColumns.find((known) => known.toLowerCase() === name);
    if (column === undefined) {
      const excerpt = cell.trim().slice(0, 50) || "(empty)";
      throw invalid("body", `has an unknown column ${excerpt}; known are ${bulkColumns.join(", ")}`);
    }
    return column;
  });
  const duplicate = columns.find((column, i) => columns.indexOf(column) !== i);
  if (duplicate !== undefined) throw invalid("body", `has the column ${duplicate} twice`);
  if (!columns.includes("url")) throw invalid("body", "lacks the column url");
  return columns;
}

function parseRecord(columns: readonly BulkColumn[], record: readonly string[]): BulkRow {
  if (record.length !== columns.length) {
    const error = `the row has ${record.length} cells, the header has ${columns.length}; a cell with a comma needs quotes`;
    return { error, problems: { "": error } };
  }
  const cells = columns.map((column, i) => [column, record[i]?.trim() ?? ""] as const);
  return parseCells(Object.fromEntries(cells.filter(([, text]) => text !== "")));
}
