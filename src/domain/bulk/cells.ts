import { describeIssues } from "../../contract/issues.ts";
import { type BulkRow, parseRow, type RowCells } from "./row.ts";

/** The row of a table as the code to create, or why it is invalid. The column `url` is required. */
export function parseCells(cells: RowCells): BulkRow {
  if (cells.url === undefined) {
    return failure("url", "is empty; give an address such as https://example.com", cells);
  }
  const { name, url, qrType = "url", hash, folderId, tags, shape, templateId, status, ...others } = cells;
  const { startsAt, expiresAt, fallbackUrl, ...rest } = others;
  const { utmSource: source, utmMedium: medium, utmCampaign: campaign, utmTerm: term, ...tagged } = rest;
  const { utmContent: content, ...colors } = tagged;
  const utm = { source, medium, campaign, term, content };
  if (qrType !== "url") {
    return failure("qrType", "must be url in a spreadsheet; send codes of other types as JSON", cells);
  }
  const candidate = {
    name,
    qrType,
    data: { type: qrType, url },
    hash,
    folderId,
    tags: tags?.split("|").filter((tag) => tag.trim() !== ""),
    shape,
    templateId,
    status,
    colorConfig: unlessEmpty(colors),
    startsAt,
    expiresAt,
    fallbackUrl,
    utm: unlessEmpty(utm),
  };
  return { ...parseRow(candidate, columnForPath), cells };
}

/** A row with a single problem. @param problem words that follow the column's name */
export const failure = (column: string, problem: string, cells: RowCells): BulkRow => ({
  error: describeIssues([{ path: [column], message: problem }]),
  problems: { [column]: problem },
  cells,
});

/** Undefined for an object all of whose cells are empty. */
const unlessEmpty = <Cells extends object>(cells: Cells): Cells | undefined =>
  Object.values(cells).some((cell) => cell !== undefined) ? cells : undefined;

/** The column that a field of the input was read from. */
export function columnForPath(path: readonly PropertyKey[]): string {
  const [first, second] = path.map(String);
  if (first === "data") return second === "url" ? "url" : "qrType";
  if (first === "colorConfig") return second ?? "dotsColor, backgroundColor, cornerColor";
  if (first === "utm" && second !== undefined) return `utm${second[0]?.toUpperCase()}${second.slice(1)}`;
  return first ?? "";
}
