import { nullsAbsent } from "../../contract/absent-fields.ts";
import { describeIssues } from "../../contract/issues.ts";
import { limits } from "../../contract/limits.ts";
import { bulkBodyLimit } from "../../contract/plans.ts";
import { BulkInput, BulkItems, BulkJob } from "../../contract/resources/codes/bulk.ts";
import { Qr, QrCreateInput } from "../../contract/resources/codes/qr.ts";
import { type BulkColumn, bulkColumns } from "../../contract/resources/codes/qr-fields.ts";
import { ignoredFields } from "../../contract/ignored-fields.ts";
import { misspelledFields } from "../../contract/misspelled-fields.ts";
import { bodyBounds } from "../../contract/resources/free-form.ts";
import { CsvError, CsvReader, type CsvRecord, hasText } from "../../lib/text/csv.ts";
import { JsonError } from "../../lib/text/json.ts";
import { JsonListReader, type ListHandler } from "../../lib/text/json-list.ts";
import type { Deps } from "../deps.ts";
import { invalid, ServiceError } from "../errors.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { parseCells } from "./cells.ts";
import { type BulkRow, parsedRow } from "./row.ts";
import { takeTurns } from "../turns.ts";
import { planOf } from "../context/plan.ts";

/** The body of a bulk request. */
export interface BulkBody {
  /** `text/csv`, or else JSON. */
  readonly mediaType: string;
  /** The declared encoding of a CSV. */
  readonly charset?: string | undefined;
  /** Yields the body as it arrives. Throws as soon as it exceeds `maxBytes`. */
  blocks(maxBytes: number): AsyncIterable<Uint8Array>;
  /** Called with the fields of a JSON body that are ignored. */
  ignore?(fields: ReadonlySet<string>): void;
}

/**
 * Reads the rows of a bulk request as it arrives, up to the plan's limits. An invalid row is returned as its error.
 * @throws invalid_input for an unreadable body, one without rows, or an invalid header; plan_limit (403) at the first
 * row beyond the plan's limit
 */
export async function readBulkRows(
  deps: Deps,
  context: WorkspaceContext,
  body: BulkBody,
): Promise<BulkRow[]> {
  try {
    const ignored = new Set<string>();
    const reader =
      body.mediaType === "text/csv" ? new CsvRows(context, body.charset) : new JsonRows(context, ignored);
    for await (const block of body.blocks(bulkBodyLimit(planOf(context)))) {
      reader.write(block);
      await takeTurns(deps);
    }
    const rows = reader.end();
    body.ignore?.(ignored);
    return rows;
  } catch (error) {
    if (error instanceof CsvError) throw invalid("body", error.message);
    if (error instanceof JsonError)
      throw new ServiceError("invalid_input", error.message, { status: error.status });
    throw error;
  }
}

/** The rows of a CSV file. */
class CsvRows {
  readonly #context: WorkspaceContext;
  readonly #reader: CsvReader;
  readonly #rows: BulkRow[] = [];
  #columns: readonly NamedColumn[] | undefined;

  constructor(context: WorkspaceContext, charset: string | undefined) {
    this.#context = context;
    this.#reader = new CsvReader({ maxColumns: limits.tableColumns, charset });
  }

  write(bytes: Uint8Array): void {
    this.#add(this.#reader.write(bytes));
  }

  end(): BulkRow[] {
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
        this.#columns = readHeader(record.cells);
      } else {
        requireRemainingRows(this.#context, this.#rows, "body", "rows");
        this.#rows.push(parseRecord(this.#columns, record));
      }
    }
  }
}

const QrCreation = nullsAbsent(QrCreateInput);

/**
 * Parses an element of a JSON body. Misspelled fields are reported, and null in an optional field counts as omitting
 * it.
 */
const parseElement = (element: unknown): BulkRow =>
  parsedRow(
    QrCreation.safeParse(element),
    (path) => path.join("."),
    misspelledFields(QrCreateInput, element, Qr),
  );

/** The rows of a JSON body. */
class JsonRows {
  #rows: BulkRow[] = [];
  readonly #reader: JsonListReader;

  /** @param ignored gets the fields that are ignored */
  constructor(context: WorkspaceContext, ignored: Set<string>) {
    const ignore = (body: object) => {
      if (ignored.size === limits.ignoredFields.count) return;
      for (const field of ignoredFields(BulkInput, body)) ignored.add(field);
    };
    const handler: ListHandler = {
      begin: () => {
        this.#rows = [];
      },
      element: (item) => {
        requireRemainingRows(context, this.#rows, "items", "elements");
        this.#rows.push(parseElement(item));
        ignore({ items: [item] });
      },
      otherField: (name) => {
        const [problem] = misspelledFields(BulkInput, { [name]: null }, BulkJob);
        if (problem !== undefined) throw new ServiceError("invalid_input", problem);
        ignore({ [name]: null });
      },
    };
    this.#reader = new JsonListReader("items", limits.body, handler, bodyBounds);
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

/** @throws if there are already as many rows as the plan, or any plan, allows */
function requireRemainingRows(
  context: WorkspaceContext,
  rows: readonly BulkRow[],
  field: string,
  noun: string,
): void {
  const { title, bulkRows } = planOf(context);
  if (rows.length < bulkRows) return;
  if (bulkRows === limits.bulk.rows) throw invalid(field, `can have at most ${bulkRows} ${noun}`);
  throw new ServiceError(
    "plan_limit",
    `Your ${title} plan allows ${bulkRows} rows a bulk job. Split the file, or upgrade.`,
    { status: 403 },
  );
}

/** A column named in the header; undefined for one without a name, whose cells must be empty. */
type NamedColumn = BulkColumn | undefined;

function readHeader(cells: readonly string[]): NamedColumn[] {
  const columns = cells.slice(0, cells.findLastIndex(hasText) + 1).map((cell) => {
    const name = cell.trim().toLowerCase();
    const column = bulkColumns.find((known) => known.toLowerCase() === name);
    if (column === undefined && name !== "") {
      throw invalid(
        "body",
        `has an unknown column ${cell.trim().slice(0, 50)}. Use ${bulkColumns.join(", ")}.`,
      );
    }
    return column;
  });
  const duplicate = columns.find((column, i) => column !== undefined && columns.indexOf(column) !== i);
  if (duplicate !== undefined) throw invalid("body", `has the column ${duplicate} twice`);
  if (!columns.includes("url")) throw invalid("body", "has no column url");
  return columns;
}

function parseRecord(columns: readonly NamedColumn[], { line, cells: all }: CsvRecord): BulkRow {
  const width = columns.length;
  const cells = all.slice(width).some(hasText) ? all : all.slice(0, width);
  if (cells.length !== width) {
    const error = `The row has ${cells.length} cells and the header ${width}. Put a cell with a comma in quotes.`;
    return { error, problems: { "": error }, line };
  }
  const unnamed = columns.findIndex((column, i) => column === undefined && hasText(cells[i] ?? ""));
  if (unnamed !== -1) {
    throw invalid(
      "body",
      `has text in column ${unnamed + 1} of line ${line}, but the header has no name for this column`,
    );
  }
  const named = columns.map((column, i) => [column ?? "", cells[i]?.trim() ?? ""] as const);
  const row = parseCells(Object.fromEntries(named.filter(([column, text]) => column !== "" && text !== "")));
  return { ...row, line };
}
