import { type Area, labelAt, labelsOn, type Sheet } from "./sheets.ts";

/** A line from one point to another. */
export interface Stroke {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** The maximum length of a mark, and its minimum distance from labels and the page's edge. */
const length = 4;
const clearance = 1;

/**
 * Returns marks in the margins of a page that show where to cut between labels. A margin that is too narrow has none.
 */
export function cutMarks(sheet: Sheet): Stroke[] {
  const labels = Array.from({ length: labelsOn(sheet) }, (_, place) => labelAt(sheet, place));
  const columns = edges(labels, ({ x, width }) => [x, x + width]);
  const rows = edges(labels, ({ y, height }) => [y, y + height]);
  const { page } = sheet;
  const across = marks(rows.at(0), rows.at(-1), page.height);
  const along = marks(columns.at(0), columns.at(-1), page.width);
  return [
    ...columns.flatMap((x) => across.map(([from, to]): Stroke => ({ from: [x, from], to: [x, to] }))),
    ...rows.flatMap((y) => along.map(([from, to]): Stroke => ({ from: [from, y], to: [to, y] }))),
  ];
}

/** Returns the distinct edges of labels in order. Touching neighbours share one. */
function edges(labels: readonly Area[], ofLabel: (label: Area) => number[]): number[] {
  const sorted = labels.flatMap(ofLabel).sort((one, other) => one - other);
  return sorted.filter((edge, index) => index === 0 || edge - (sorted[index - 1] ?? 0) > 0.01);
}

/** Returns where marks begin and end in the two margins beside labels that reach from `first` to `last`. */
function marks(first = 0, last = 0, side: number): [number, number][] {
  const room = (margin: number) => Math.min(length, margin - 2 * clearance);
  const [before, after] = [room(first), room(side - last)];
  return [
    ...(before > 0 ? [[first - clearance - before, first - clearance] as [number, number]] : []),
    ...(after > 0 ? [[last + clearance, last + clearance + after] as [number, number]] : []),
  ];
}
