import { BulkInput, type BulkColumn, bulkColumns } from "../../contract/resources/bulk.ts";
import { limits } from "../../contract/limits.ts";
import { QrCreateInput } from "../../contract/resources/qr.ts";
import { CsvProblem, readCsv } from "../../lib/text/csv.ts";
import { invalid } from "../errors.ts";
import { lookProblem } from "../images/design.ts";

/** A row of a bulk request: what to create, and what its address is called where it came from; or why it can't be. */
export type BulkRow =
  | { readonly input: QrCreateInput; readonly urlField: string }
  | { readonly error: string };

/**
 * The rows of a CSV. A bad row carries its error; a bad file throws.
 * @throws invalid_input naming the column, or what is wrong with the file
 */
export function rowsOfCsv(bytes: Uint8Array): BulkRow[] {
  const rows: BulkRow[] = [];
  try {
    const records = readCsv(bytes);
    const header = records.next();
    if (header.done) throw invalid("body", "is empty; the first line must name the columns, as in: name,url");
    const columns = readHeader(header.value);
    for (const record of records) {
      rows.push(rowOfRecord(columns, record));
      if (rows.length > limits.bulk.rows) throw tooManyRows();
    }
  } catch (error) {
    if (error instanceof CsvProblem) throw invalid("body", error.message);
    throw error;
  }
  if (rows.length === 0) throw invalid("body", "has a header and no rows");
  return rows;
}

/** The rows of a JSON body. @throws invalid_input when `items` is no list of a size that is allowed */
export function rowsOfJson(body: unknown): BulkRow[] {
  const parsed = BulkInput.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(issue?.path.join(".") || "body", issue?.message ?? "is not as it must be");
  }
  return parsed.data.items.map((item) => check(item, (path) => path.join(".")));
}

const tooManyRows = () => invalid("body", `must have at most ${limits.bulk.rows} rows`);

function readHeader(cells: readonly string[]): BulkColumn[] {
  const columns = cells.map((cell) => {
    const wanted = cell.trim().toLowerCase();
    const column = bulkColumns.find((known) => known.toLowerCase() === wanted);
    if (column === undefined) {
      const shown = cell.trim().slice(0, 50) || "(empty)";
      throw invalid("body", `has an unknown column ${shown}; known are ${bulkColumns.join(", ")}`);
    }
    return column;
  });
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) throw invalid("body", `has the column ${twice} twice`);
  if (!columns.includes("url")) throw invalid("body", "lacks the column url");
  return columns;
}

function rowOfRecord(columns: readonly BulkColumn[], record: readonly string[]): BulkRow {
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
  return check(
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
    columnOf,
  );
}

/** The column that a field of the input comes from. */
function columnOf(path: readonly PropertyKey[]): string {
  const [first, second] = path.map(String);
  if (first === "data") return second === "url" ? "url" : "qrType";
  return (first === "colorConfig" ? second : first) ?? "";
}

function check(candidate: unknown, nameOf: (path: readonly PropertyKey[]) => string): BulkRow {
  const parsed = QrCreateInput.safeParse(candidate);
  const colorConfig = parsed.data?.colorConfig;
  const unfit = colorConfig && lookProblem({ colorConfig });
  if (parsed.success && unfit === undefined) {
    return { input: parsed.data, urlField: nameOf(["data", "url"]) };
  }
  const problems = (parsed.error?.issues ?? (unfit ? [unfit] : [])).map(({ path, message }) => {
    const name = nameOf(path);
    return name === "" ? message : `${name}: ${message}`;
  });
  return { error: problems.slice(0, 3).join("; ") };
}
