import { firstOrder, usualColumns } from "../../../contract/resources/codes/saved-lists.ts";
import { ListColumn, ListSort, SortOrder } from "../../../contract/resources/enums.ts";

/** How a list of codes is shown: what is in its address besides the search. */

/** The sorts of a list. */
export type Sort = ListSort;

export type ColumnName = ListColumn;

/** The columns that people choose. A code's image and name are always there. */
export const columnNames = ListColumn.options;

/** Their names. */
export const columnTexts: Readonly<Record<ColumnName, string>> = {
  ...{ destination: "Destination", scanUrl: "Short link", qrType: "Type", folder: "Folder", tags: "Tags" },
  ...{ status: "Status", scans30d: "Scans in 30 days", scans: "Scans", lastScan: "Last scan" },
  ...{ createdAt: "Created", updatedAt: "Last changed" },
  ...{ externalId: "Own ID", domain: "Domain" },
};

/** How many codes a page may have. */
export const pageSizes = [25, 50, 100, 200] as const;

export interface View {
  readonly sort: Sort;
  readonly order: SortOrder;
  /** In the order of `columnNames`. */
  readonly columns: readonly ColumnName[];
  readonly rows: (typeof pageSizes)[number];
}

export { firstOrder };

/** How the list is shown to people who have chosen nothing. */
export const defaultView: View = {
  sort: "createdAt",
  order: "desc",
  columns: usualColumns,
  rows: 25,
};

/** The names of a view in an address. */
export const viewNames = ["sort", "order", "columns", "rows"] as const;

/** The orders that 1.1.0 has in addresses, without `sort`. */
const earlierOrders: Readonly<Record<string, Pick<View, "sort" | "order">>> = {
  oldest: { sort: "createdAt", order: "asc" },
  name: { sort: "name", order: "asc" },
  scans: { sort: "scans30d", order: "desc" },
};

/**
 * Reads a view from an address. What is missing or unknown is as by default.
 * @returns null if the address has none
 */
export function readView(query: URLSearchParams): View | null {
  if (!hasView(query)) return null;
  const sort = readSort(query.get("sort"));
  const { data: order = firstOrder(sort) } = SortOrder.safeParse(query.get("order"));
  const chosen = query.getAll("columns").flatMap((each) => each.split(","));
  const rows = Number(query.get("rows"));
  return {
    sort,
    // The ledger ranks the most scanned.
    order: sort === "scans30d" ? "desc" : order,
    columns: query.has("columns") ? columnNames.filter((name) => chosen.includes(name)) : defaultView.columns,
    rows: pageSizes.find((size) => size === rows) ?? defaultView.rows,
  };
}

/** Returns whether an address has a view. */
const hasView = (query: URLSearchParams): boolean =>
  ["sort", "columns", "rows"].some((name) => query.has(name));

const readSort = (text: string | null): Sort => ListSort.safeParse(text).data ?? defaultView.sort;

/**
 * Returns how the list is shown at an address: as it says, or else as this person saw it last.
 * @returns also whether the address says so
 */
export function viewAt(query: URLSearchParams, remembered: string): { view: View; isGiven: boolean } {
  const given = readView(query);
  if (given !== null) return { view: given, isGiven: true };
  const last = readView(new URLSearchParams(remembered)) ?? defaultView;
  const earlier = earlierOrders[query.get("order") ?? ""];
  return earlier === undefined
    ? { view: last, isGiven: false }
    : { view: { ...last, ...earlier }, isGiven: true };
}

/** Returns the parameters of a view, from which `readView` reads it. */
export function writeView({ sort, order, columns, rows }: View): [name: string, value: string][] {
  const chosen = columns.join(",");
  return [
    ["sort", sort],
    ...(order === firstOrder(sort) ? [] : ([["order", order]] as [string, string][])),
    ...(chosen === defaultView.columns.join(",") ? [] : ([["columns", chosen]] as [string, string][])),
    ...(rows === defaultView.rows ? [] : ([["rows", `${rows}`]] as [string, string][])),
  ];
}

/** The same as a text, which is remembered. */
export const viewText = (view: View): string => `${new URLSearchParams(writeView(view))}`;

/** A list at its address. */
export interface Place {
  /** The search, as in the address. */
  readonly text: string;
  readonly view: View;
  /** Whether the address says how it is shown. */
  readonly isGiven: boolean;
  /** The saved list that it is, or from which it was changed. */
  readonly saved?: { readonly id: string } | null;
}

/** Orders as people choose them. */
export const orders: readonly (readonly [text: string, sort: Sort, order: SortOrder])[] = [
  ["Newest first", "createdAt", "desc"],
  ["Oldest first", "createdAt", "asc"],
  ["Last changed first", "updatedAt", "desc"],
  ["Longest unchanged first", "updatedAt", "asc"],
  ["Name, A to Z", "name", "asc"],
  ["Name, Z to A", "name", "desc"],
  ["Most scanned", "scans", "desc"],
  ["Least scanned", "scans", "asc"],
  ["Last scanned first", "lastScan", "desc"],
  ["Longest unscanned first", "lastScan", "asc"],
  ["Most scanned in 30 days", "scans30d", "desc"],
  ["Destination", "destination", "asc"],
  ["Short link", "hash", "asc"],
  ["Type", "qrType", "asc"],
  ["Folder", "folder", "asc"],
  ["Status", "status", "asc"],
  ["Own ID", "externalId", "asc"],
  ["Domain", "domain", "asc"],
];

/** Returns the words for what a list is sorted by, within a sentence. */
export const sortText = (sort: Sort): string =>
  ({ scans: "scans", scans30d: "scans", lastScan: "last scan", externalId: "own id" })[sort as string] ??
  orders.find(([, by]) => by === sort)?.[0].toLowerCase() ??
  sort;

/** Returns the words for an order. One that only a heading offers is that of the other direction. */
export const orderText = ({ sort, order }: Pick<View, "sort" | "order">): string =>
  orders.find(([, by, direction]) => by === sort && direction === order)?.[0] ??
  `${orders.find(([, by]) => by === sort)?.[0] ?? sort}, Z to A`;
