import { BulkInput, type BulkColumn, bulkColumns } from "../../contract/resources/bulk.ts";
import { limits } from "../../contract/limits.ts";
import { QrCreateInput } from "../../contract/resources/qr.ts";
import { CsvError, readCsv } from "../../lib/text/csv.ts";
import { invalid } from "../errors.ts";
import { designProblem } from "../images/design.ts";

/** A row of a bulk request: the code to create and the name of its url field or column; or why the row is invalid. */
export type BulkRow =
  | { readonly input: QrCreateInput; readonly urlField: string }
  | { readonly error: string };

/**
 * The rows of a CSV file. An invalid row is returned as its error.
 * @throws invalid_input when the file is not readable, or its header is invalid
 */
export function parseCsvRows(bytes: Uint8Array): BulkRow[] {
  const rows: BulkRow[] = [];
  try {
    const records = readCsv(bytes);
    const header = records.next();
    if (header.done) throw invalid("body", "is empty; the first line must name the columns, as in: name,url");
    const columns = readHeader(header.value);
    for (const record of records) {
      rows.push(parseRecord(columns, record));
      if (rows.length > limits.bulk.rows) throw rowLimitError();
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalid("body", error.message);
    throw error;
  }
  if (rows.length === 0) throw invalid("body", "has a header and no rows");
  return rows;
}

/** The rows of a JSON body. An invalid item is returned as its error. @throws invalid_input for invalid `items` */
export function parseJsonRows(body: unknown): BulkRow[] {
  const parsed = BulkInput.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(issue?.path.join(".") || "body", issue?.message ?? "is not as it must be");
  }
  return parsed.data.items.map((item) => parseRow(item, (path) => path.join(".")));
}

const rowLimitError = () => invalid("body", `must have at most ${limits.bulk.rows} rows`);

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
    return {
      error: `the row has ${record.length} cells, the header has ${columns.length}; a cell with a comma needs quotes`,
    };
  }
  const cells = Object.fromEntries(columns.map((column, i) => [column, record[i]?.trim() || undefined]));
  if (cells.url === undefined) return { error: "url: is empty; give an address such as https://example.com" };
  const { name, url, qrType = "url", folderId, tags, shape, templateId, ...colors } = cells;
  if (qrType !== "url") {
    return { error: "qrType: must be url in a spreadsheet; send codes of other types as JSON" };
  }
  return parseRow(
    {
      name,
      qrType,
      data: { type: qrType, url },
      folderId,
      tags: tags?.split("|").filter((tag) => tag.trim() !== ""),
      shape,
      templateId,
      colorConfig: Object.values(colors).some((color) => color !== undefined) ? colors : undefined,
    },
    columnForPath,
  );
}

/** The column that a field of the input was read from. */
function columnForPath(path: readonly PropertyKey[]): string {
  const [first, second] = path.map(String);
  if (first === "data") return second === "url" ? "url" : "qrType";
  return (first === "colorConfig" ? second : first) ?? "";
}

function parseRow(candidate: unknown, fieldName: (path: readonly PropertyKey[]) => string): BulkRow {
  const parsed = QrCreateInput.safeParse(candidate);
  const colorConfig = parsed.data?.colorConfig;
  const scanProblem = colorConfig && designProblem({ colorConfig });
  if (parsed.success && scanProblem === undefined) {
    return { input: parsed.data, urlField: fieldName(["data", "url"]) };
  }
  const problems = (parsed.error?.issues ?? (scanProblem ? [scanProblem] : [])).map(({ path, message }) => {
    const name = fieldName(path);
    return name === "" ? message : `${name}: ${message}`;
  });
  return { error: problems.slice(0, 3).join("; ") };
}
