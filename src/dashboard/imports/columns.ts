import { type BulkColumn, bulkColumns, enteredFields } from "../../contract/resources/qr-fields.ts";

/** The columns that a table can have, with their labels. Codes of other types than `url` are no rows of a table. */
export const columnLabels: Readonly<Partial<Record<BulkColumn, string>>> = Object.fromEntries(
  enteredFields.flatMap(({ column, columnLabel }) => (column === "qrType" ? [] : [[column, columnLabel]])),
);

/** A column of the person's table; undefined for one that is ignored. */
export type Column = BulkColumn | undefined;

export const readColumn = (text: string | null): Column =>
  bulkColumns.find((column) => column === text && columnLabels[column] !== undefined);

/** Names that columns have in people's tables, without spaces and signs. */
const synonyms: Readonly<Record<string, BulkColumn>> = {
  link: "url",
  destination: "url",
  destinationurl: "url",
  address: "url",
  website: "url",
  target: "url",
  targeturl: "url",
  longurl: "url",
  title: "name",
  label: "name",
  tag: "tags",
  labels: "tags",
  keywords: "tags",
  folder: "folderId",
  slug: "hash",
  alias: "hash",
  shortname: "hash",
  state: "status",
  start: "startsAt",
  end: "expiresAt",
  expires: "expiresAt",
  fallback: "fallbackUrl",
  color: "dotsColor",
  colour: "dotsColor",
  template: "templateId",
};

function columnNamed(name: string): Column {
  const plain = name.toLowerCase().replace(/[^a-z]/g, "");
  const known = bulkColumns.find((column) => column.toLowerCase() === plain) ?? synonyms[plain];
  return known !== undefined && columnLabels[known] !== undefined ? known : undefined;
}

const looksLikeAddress = (text: string): boolean =>
  /^(https?:\/\/\S+|[^\s/@]+\.[a-z]{2,}([/?#:]\S*)?)$/i.test(text.trim());

/** Whether the first record names the columns. */
export function hasHeader([first = [], second = []]: readonly (readonly string[])[]): boolean {
  if (first.some(looksLikeAddress)) return false;
  return first.some((name) => columnNamed(name) !== undefined) || second.some(looksLikeAddress);
}

/** Records by which the column with the destinations is guessed. */
const guessedFrom = 20;

/** The columns of a table by the names in its header, each once; without such a name, the one with addresses. */
export function guessColumns(
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  width: number,
): Column[] {
  const named = Array.from({ length: width }, (_, i) => columnNamed(header?.[i] ?? ""));
  const columns = named.map((column, i) => (named.indexOf(column) === i ? column : undefined));
  if (columns.includes("url")) return columns;
  const addresses = columns.map((column, i) =>
    column === undefined
      ? rows.slice(0, guessedFrom).filter((row) => looksLikeAddress(row[i] ?? "")).length
      : 0,
  );
  const most = Math.max(...addresses);
  // A single column has nothing else to be.
  const url = most > 0 ? addresses.indexOf(most) : width === 1 ? 0 : -1;
  return columns.map((column, i) => (i === url ? "url" : column));
}
