import type {
  Dimension,
  DimensionItem,
  DimensionItems,
} from "../../../contract/resources/scans/analytics.ts";
import { Counts } from "../../../lib/packed/counts.ts";
import type { CodePosition } from "../../../protocol/analytics.ts";
import { LedgerPart } from "../part.ts";
import type { PackedColumn } from "./day-sums.ts";

/** The rollup column with each dimension's counts. */
const columnOf = {
  country: "places",
  city: "places",
  device: "clients",
  os: "clients",
  browser: "clients",
  referrer: "referrers",
  code: "codes",
  hourOfWeek: "hours",
} as const satisfies Record<Dimension, PackedColumn>;

/** Returns the columns that dimensions need besides `hours`, which every report reads. */
export const columnsOf = (dimensions: readonly Dimension[]): ReadonlySet<CountedColumn> =>
  new Set(dimensions.map((dimension) => columnOf[dimension]).filter((column) => column !== "hours"));

/** A column that counts human scans by reference. */
export type CountedColumn = Exclude<PackedColumn, "hours">;

const hoursOfWeek = 7 * 24;

/** A period's human scans, counted for the requested dimensions. */
export class DimensionCounts {
  readonly clients = new Counts(1);
  readonly referrers = new Counts(1);
  readonly places = new Counts(1);
  readonly codes = new Counts(1);
  /** By hour of the week. */
  readonly hours = new Float64Array(hoursOfWeek);
}

type Named = { readonly ref: number; readonly item: Omit<DimensionItem, "scans"> };

/** Names and sorts the values that counts refer to. */
export class DimensionPresenter extends LedgerPart<{ sql: SqlStorage }> {
  /**
   * Returns a dimension's values with their scans. @param limit maximum number of values; hours of the week are always
   * complete
   */
  present(dimension: Exclude<Dimension, "code">, counts: DimensionCounts, limit: number): DimensionItems {
    if (dimension === "hourOfWeek") return presentHours(counts.hours);
    const scansByRef = new Map(
      Array.from(counts[columnOf[dimension]], ([ref, [scans = 0]]) => [ref, scans] as const),
    );
    const byValue = new Map<string, DimensionItem>();
    for (const { ref, item } of this.#named(dimension, [...scansByRef.keys()])) {
      const key = JSON.stringify([item.value, item.country]);
      const sum = byValue.get(key)?.scans ?? 0;
      byValue.set(key, { ...item, scans: sum + (scansByRef.get(ref) ?? 0) });
    }
    const items = [...byValue.values()].sort(byScans);
    const others = items.splice(limit);
    return {
      items,
      other: { values: others.length, scans: others.reduce((sum, { scans }) => sum + scans, 0) },
    };
  }

  /**
   * Returns a page of the codes. There may be many, so that only those that are shown are read.
   * @returns also the last one, if there are others after it
   */
  codes(
    { codes }: DimensionCounts,
    limit: number,
    after: CodePosition | undefined,
  ): { readonly page: DimensionItems; readonly next: CodePosition | undefined } {
    const found = codes.highest(limit + 1, after && [after.ref, after.scans]);
    const shown = found.slice(0, limit);
    const ids = new Map(
      this.#named(
        "code",
        shown.map(([ref]) => ref),
      ).map(({ ref, item }) => [ref, item]),
    );
    const items = shown.flatMap(([ref, scans]) => {
      const item = ids.get(ref);
      return item === undefined ? [] : { ...item, scans };
    });
    const sum = items.reduce((total, { scans }) => total + scans, 0);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      page: { items, other: { values: codes.size - items.length, scans: codes.total(0) - sum } },
      next: last && { ref: last[0], scans: last[1] },
    };
  }

  #named(dimension: Exclude<Dimension, "hourOfWeek">, refs: readonly number[]): Named[] {
    const among = JSON.stringify(refs);
    const rows = <Row extends Record<string, SqlStorageValue>>(columns: string, table: string): Row[] =>
      this.parts.sql
        .exec<Row>(
          `SELECT t.ref, ${columns} FROM json_each(?) r CROSS JOIN ${table} t ON t.ref = r.value`,
          among,
        )
        .toArray();
    switch (dimension) {
      case "device":
      case "os":
      case "browser":
        return rows<{ ref: number; value: string }>(`${dimension} AS value`, "clients").map(toNamed);
      case "country":
        return rows<{ ref: number; value: string }>("country AS value", "places").map(toNamed);
      case "city":
        return rows<{ ref: number; value: string; country: string }>("city AS value, country", "places").map(
          ({ ref, value, country }) => ({ ref, item: { value: value || null, country: country || null } }),
        );
      case "referrer": {
        const none = refs.includes(0) ? [{ ref: 0, item: { value: null } }] : [];
        return [...none, ...rows<{ ref: number; value: string }>("host AS value", "referrers").map(toNamed)];
      }
      case "code":
        return rows<{ ref: number; value: string }>("qr_id AS value", "codes").map(toNamed);
    }
  }
}

const toNamed = ({ ref, value }: { ref: number; value: string }): Named => ({
  ref,
  item: { value: value || null },
});

const presentHours = (hours: Float64Array): DimensionItems => ({
  items: Array.from(hours, (scans, hour) => ({ value: String(hour), scans })),
  other: { values: 0, scans: 0 },
});

/** Most scans first, ties by value, so that the order is stable. */
const byScans = (a: DimensionItem, b: DimensionItem): number =>
  b.scans - a.scans || compare(a.value ?? "", b.value ?? "") || compare(a.country ?? "", b.country ?? "");

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
