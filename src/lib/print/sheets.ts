/** All lengths in this folder are in millimetres, from the upper left corner of the page. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Distances {
  readonly x: number;
  readonly y: number;
}

export interface Area extends Size, Distances {}

/** Labels on a page, in columns and rows. */
export interface Sheet {
  readonly page: Size;
  readonly label: Size;
  readonly columns: number;
  readonly rows: number;
  /** The distance from an edge of a label to the same edge of the next one. */
  readonly pitch: Distances;
  /** The upper left corner of the first label. */
  readonly origin: Distances;
}

/** The correction for a printer that is misaligned: an offset for all labels, and an addition to the pitch. */
export interface Calibration {
  readonly offset: Distances;
  readonly pitch: Distances;
}

const a4 = { width: 210, height: 297 };

/** Describes a sheet by its measures: width and height, columns and rows, horizontal and vertical. */
const sheet = (
  page: Size,
  label: readonly [number, number],
  grid: readonly [number, number],
  pitch: readonly [number, number],
  origin: readonly [number, number],
): Sheet => ({
  page,
  label: { width: label[0], height: label[1] },
  columns: grid[0],
  rows: grid[1],
  pitch: { x: pitch[0], y: pitch[1] },
  origin: { x: origin[0], y: origin[1] },
});

const inches = (...lengths: [number, number]): [number, number] => [lengths[0] * 25.4, lengths[1] * 25.4];

const [letterWidth, letterHeight] = inches(8.5, 11);

/** Sheets on sale, with the names of products that have these measures. */
export const sheetFormats = {
  L7160: {
    products: "Avery L7160, Herma 4677",
    sheet: sheet(a4, [63.5, 38.1], [3, 7], [66.04, 38.1], [7.2, 15.15]),
  },
  L7163: { products: "Avery L7163", sheet: sheet(a4, [99.1, 38.1], [2, 7], [101.6, 38.1], [4.65, 15.15]) },
  L7651: { products: "Avery L7651", sheet: sheet(a4, [38.1, 21.2], [5, 13], [40.6, 21.2], [4.7, 10.9]) },
  "3474": { products: "Avery 3474", sheet: sheet(a4, [70, 37], [3, 8], [70, 37], [0, 0.5]) },
  "5160": {
    products: "Avery 5160, US Letter",
    sheet: sheet(
      { width: letterWidth, height: letterHeight },
      inches(2.625, 1),
      [3, 10],
      inches(2.75, 1),
      inches(0.1875, 0.5),
    ),
  },
} as const satisfies Record<string, { products: string; sheet: Sheet }>;

/** A roll of labels, each of which is a page. */
export const roll = (label: Size): Sheet => ({
  page: label,
  label,
  columns: 1,
  rows: 1,
  pitch: { x: label.width, y: label.height },
  origin: { x: 0, y: 0 },
});

/** Returns the number of labels per page. */
export const labelsOn = ({ columns, rows }: Sheet): number => columns * rows;

/** No correction. */
export const uncalibrated: Calibration = { offset: { x: 0, y: 0 }, pitch: { x: 0, y: 0 } };

/** Returns the sheet with a printer's corrections. */
export const calibrated = ({ origin, pitch, ...sheet }: Sheet, by: Calibration): Sheet => ({
  ...sheet,
  origin: { x: origin.x + by.offset.x, y: origin.y + by.offset.y },
  pitch: { x: pitch.x + by.pitch.x, y: pitch.y + by.pitch.y },
});

/** Returns the area of a label on its page. @param place from 0, row by row */
export function labelAt({ label, columns, pitch, origin }: Sheet, place: number): Area {
  return {
    x: origin.x + (place % columns) * pitch.x,
    y: origin.y + Math.floor(place / columns) * pitch.y,
    ...label,
  };
}

/** Distributes labels over pages. @param start the place of the first one on its sheet, from 0 */
export function paginate<Label>(
  sheet: Sheet,
  start: number,
  labels: readonly Label[],
): { readonly area: Area; readonly label: Label }[][] {
  const perPage = labelsOn(sheet);
  const pages: { area: Area; label: Label }[][] = [];
  for (const [index, label] of labels.entries()) {
    const place = start + index;
    const page = Math.floor(place / perPage);
    pages[page] ??= [];
    pages[page].push({ area: labelAt(sheet, place % perPage), label });
  }
  return pages;
}

/** A thousandth of a millimetre, for rounding errors in sums. */
const tolerance = 0.001;

/** A sheet's problem: the path of the field, and words that follow the field's name. */
export interface SheetProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Explains why labels can't be where a sheet has them: they overlap, or are not on the page.
 * @param margin of a label that may extend beyond the page, because nothing is printed on it
 */
export function sheetProblem(
  { page, label, columns, rows, pitch, origin }: Sheet,
  margin = 0,
): SheetProblem | undefined {
  for (const [axis, side, count] of [
    ["x", "width", columns],
    ["y", "height", rows],
  ] as const) {
    if (count > 1 && pitch[axis] < label[side] - tolerance) {
      return { path: ["pitch", axis], message: `must be at least the label's ${side}, ${label[side]} mm` };
    }
    const length = (count - 1) * pitch[axis] + label[side];
    const pageText = `the page is ${round(page[side])} mm ${axis === "x" ? "wide" : "high"}`;
    const path = [axis === "x" ? "columns" : "rows"];
    // Wherever the sheet begins: even centred, the labels would stick out on both sides.
    if (length - 2 * margin > page[side] + tolerance) {
      return { path, message: `need ${round(length)} mm, and ${pageText}` };
    }
    if (origin[axis] + margin < -tolerance) {
      return { path: ["origin", axis], message: "is off the page" };
    }
    const end = origin[axis] + length;
    if (end - margin > page[side] + tolerance) {
      return { path, message: `reach ${round(end)} mm, and ${pageText}` };
    }
  }
  return undefined;
}

/** Rounds a length to hundredths for display. */
export const round = (length: number): number => Math.round(length * 100) / 100;
