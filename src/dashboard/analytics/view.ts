import { limits } from "../../contract/limits.ts";
import type { Comparison, Dimension } from "../../contract/resources/analytics.ts";
import { datesOfRange, isRange, type Range } from "../../domain/analytics/ranges.ts";

/** The settings of a page with a report. All of it is in the page's address. */
export interface ReportView {
  readonly range: Range;
  /** Days, of the range `custom`; may be empty or no dates at all. */
  readonly from: string;
  readonly to: string;
  readonly compare: Comparison | null;
  /** Whether charts have scans by bots. */
  readonly bots: boolean;
  /** Only codes with this tag, or in this folder; empty for all. */
  readonly tag: string;
  readonly folderId: string;
}

const defaultRange: Range = "30d";

/** The view that an address asks for. Anything unknown is the default. */
export function readView(query: URLSearchParams): ReportView {
  const text = (name: string) => query.get(name)?.trim() ?? "";
  const range = text("range");
  const compare = text("compare");
  return {
    range: isRange(range) ? range : defaultRange,
    from: text("from"),
    to: text("to"),
    compare: compare === "none" ? null : compare === "year" ? "year" : "previous",
    bots: text("bots") !== "hide",
    tag: text("tag"),
    folderId: text("folder"),
  };
}

/** A view as the parameters of an address. Defaults are left out. */
export function viewFields({ range, from, to, compare, bots, tag, folderId }: ReportView) {
  const custom = range === "custom";
  const parameters = {
    range: range === defaultRange ? "" : range,
    from: custom ? from : "",
    to: custom ? to : "",
    compare: compare === "previous" ? "" : (compare ?? "none"),
    bots: bots ? "" : "hide",
    tag,
    folder: folderId,
  };
  return Object.entries(parameters).filter(([, value]) => value !== "");
}

/** The address of a page with another view. */
export function viewAddress(path: string, view: ReportView): string {
  const given = viewFields(view);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Values of a dimension that are read: nearly all countries, for the map. */
const values = 100;

/** The report of a view, as the query of an endpoint: its dates may be wrong. @param today as in `calendar.ts` */
export function reportQuery(view: ReportView, today: number, dimensions: readonly Dimension[]) {
  const { dates, compare, interval } = datesOfRange(view.range, view, today, view.compare);
  const { from, to } = dates;
  return {
    query: {
      ...(from === "" ? {} : { from }),
      ...(to === "" ? {} : { to }),
      interval,
      dimensions: dimensions.join(","),
      limit: String(Math.min(values, limits.dimensionItems.max)),
      ...(view.tag === "" ? {} : { tag: view.tag }),
      ...(view.folderId === "" ? {} : { folderId: view.folderId }),
    },
    compare,
  };
}
