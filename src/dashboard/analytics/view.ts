import { limits } from "../../contract/limits.ts";
import type { Comparison, Dimension } from "../../contract/resources/scans/analytics.ts";
import { datesOfRange, isRange, type Range } from "../../domain/analytics/ranges.ts";

/** The settings of a page with a report, all of which are in the page's address. */
export interface ReportView {
  readonly range: Range;
  /** The days of the range `custom`; may be empty or invalid. */
  readonly from: string;
  readonly to: string;
  readonly compare: Comparison | null;
  /** Whether charts include scans by bots. */
  readonly bots: boolean;
  /** Only codes with this tag, or in this folder; empty for all. */
  readonly tag: string;
  readonly folderId: string;
}

const defaultRange: Range = "30d";

/** Reads the view from an address. Anything unknown falls back to the default. */
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

/** Returns a view as parameters of an address, without defaults. */
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

/** Returns the address of a page with another view. */
export function viewAddress(path: string, view: ReportView): string {
  const given = viewFields(view);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Values read per dimension: enough for nearly all countries on the map. */
const values = 100;

/** Returns a view's report as the query of an endpoint. Its dates may be invalid. @param today as in `calendar.ts` */
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
