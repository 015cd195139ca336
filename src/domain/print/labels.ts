import { limits } from "../../contract/limits.ts";
import { ImageQuery } from "../../contract/resources/images/images.ts";
import type { CodeSelection, PrintOptions } from "../../contract/resources/images/prints.ts";
import { workUnits } from "../../contract/work-units.ts";
import { sizeInModules } from "../../lib/image/svg.ts";
import { cutMarks } from "../../lib/print/cut-marks.ts";
import { type Caption, type LabelParts, layOut, suitableCaptionSize } from "../../lib/print/label.ts";
import { smallestCode, smallestModule } from "../../lib/print/module-size.ts";
import {
  type Area,
  calibrated,
  labelsOn,
  paginate,
  roll,
  round,
  type Sheet,
  type Size,
  sheetFormats,
  sheetProblem,
} from "../../lib/print/sheets.ts";
import type { PlacedDrawing, PrintedDocument } from "../../protocol/images.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { withExportLease } from "../export-lease.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { glyphs } from "../images/glyphs.ts";
import { prepareDrawing, SharedLogos } from "../images/images.ts";
import { askImagesWorker, notInstalled } from "../images-worker.ts";
import { captionsOf } from "./captions.ts";
import { selectCodes } from "./selection.ts";
import { shareFiles } from "./shared-files.ts";

/** A code's label: its drawing, and where its parts are. */
export interface Label {
  readonly svg: string;
  readonly parts: LabelParts;
  /** Characters of its captions that the font lacks. A sign replaces each. */
  readonly replaced: readonly string[];
}

/** A label with signs in place of characters that the font lacks. */
export interface ReplacedLabel extends Pick<QrRow, "hash" | "name"> {
  readonly characters: readonly string[];
}

/** The pages of a print. */
interface ComposedLabels {
  readonly document: PrintedDocument;
  readonly replaced: readonly ReplacedLabel[];
}

/**
 * Prints the labels of codes as a vector PDF. Drawn under an export lease, so that a workspace can run a few at a time.
 * @throws not_found; invalid_input for an impossible sheet and labels that are too small; rate_limited for too many at a
 * time or in a minute; internal (503) without the images Worker
 */
export async function printLabels(
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  options: PrintOptions,
): Promise<{ readonly pdf: Uint8Array<ArrayBuffer>; readonly replaced: readonly ReplacedLabel[] }> {
  const rows = await selectCodes(deps, context, selection, {
    codes: limits.print.codes,
    in: "a print",
    remedy: "For more, start a job with POST /qr/labels/jobs.",
  });
  return withExportLease(deps, context, async () => {
    const { document, replaced } = await composeLabels(deps, context, rows, options);
    await takeHeavyWork(deps, context.workspaceId, workUnits.pdf(rows.length));
    return { pdf: await drawPdf(deps, document), replaced };
  });
}

const pdf = { what: "A PDF", instead: "Use the images as SVG." };

/** Draws the pages as a PDF. @throws internal (503) without the images Worker */
export const drawPdf = (deps: Deps, document: PrintedDocument): Promise<Uint8Array<ArrayBuffer>> =>
  askImagesWorker(deps, pdf, (images) => images.pdf(document));

/** Rejects requests that need PDFs if there are none. @throws internal (503) if the images Worker isn't installed */
export function requirePdf({ images }: Deps): void {
  if (images === undefined) throw notInstalled(pdf);
}

/** Composes the pages of a print. @throws like printLabels */
export async function composeLabels(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly QrRow[],
  options: PrintOptions,
): Promise<ComposedLabels> {
  const sheet = sheetOf(options);
  requireFewLabels(rows.length, options, limits.print.labels);
  const logos = new SharedLogos(deps, context);
  const labels: Label[] = [];
  for (const row of rows) labels.push(await labelOf(deps, context, logos, sheet, row, options));
  const copies = labels.flatMap((label) => Array.from({ length: options.copies }, () => label));
  const replaced = rows.flatMap(({ hash, name }, index) => {
    const characters = labels[index]?.replaced ?? [];
    return characters.length === 0 ? [] : [{ hash, name, characters }];
  });
  return { document: documentOf(deps, sheet, copies, options), replaced };
}

/** @throws invalid_input for more labels than allowed */
export function requireFewLabels(codes: number, { copies }: PrintOptions, most: number): void {
  if (codes * copies <= most) return;
  throw invalid("copies", `must be at most ${Math.floor(most / codes)} for ${codes} QR codes`);
}

/** Composes the pages of labels, each of which may be repeated. */
export function documentOf(
  deps: Deps,
  sheet: Sheet,
  labels: readonly Label[],
  options: PrintOptions,
): PrintedDocument {
  const { start, ink, cutMarks: hasCutMarks, sheet: { rotate: turn } = {} } = options;
  const captionSize = captionSizeOn(sheet, options);
  const drawn = new Map([...new Set(labels)].map((label, index) => [label, index]));
  const strokes = hasCutMarks ? cutMarks(sheet) : [];
  return {
    title: "QR codes",
    createdAt: deps.now(),
    ink,
    ...shareFiles(Array.from(drawn.keys(), ({ svg }) => svg)),
    pages: paginate(sheet, start - 1, labels).map((page) => ({
      ...sheet.page,
      turn,
      drawings: page.map(({ area, label }) => placeCode(area, label, drawn.get(label) ?? 0)),
      texts: page.flatMap(({ area, label }) => outlinesOf(area, label, captionSize)),
      strokes,
    })),
  };
}

/** Returns the sheet to print on, corrected for the printer. @throws invalid_input for an impossible one */
export function sheetOf({ format, sheet, calibration, padding, start, cutMarks }: PrintOptions): Sheet {
  const uncorrected = format === undefined ? ownSheet(sheet) : sheetFormats[format].sheet;
  const problem = sheetProblem(uncorrected);
  if (problem !== undefined) throw invalid(["sheet", ...problem.path].join("."), problem.message);
  const corrected = calibrated(uncorrected, calibration);
  if (sheetProblem(corrected, padding) !== undefined) {
    throw invalid("calibration", "moves labels off the page or onto each other");
  }
  const places = labelsOn(corrected);
  if (start > places) throw invalid("start", `must be at most ${places}, the number of labels on this sheet`);
  if (cutMarks && isRoll(corrected)) throw invalid("cutMarks", "must be false for labels without a margin");
  return corrected;
}

const isRoll = ({ page, label }: Sheet): boolean =>
  page.width === label.width && page.height === label.height;

function ownSheet(given: PrintOptions["sheet"]): Sheet {
  if (given === undefined) throw invalid("format", "is required");
  const { label, columns, rows, page } = given;
  if (page === undefined) {
    if (columns * rows > 1) throw invalid("sheet.page", "is required for more than one label");
    return roll(label);
  }
  const { pitch = { x: label.width, y: label.height } } = given;
  const middle = {
    x: (page.width - (columns - 1) * pitch.x - label.width) / 2,
    y: (page.height - (rows - 1) * pitch.y - label.height) / 2,
  };
  return { page, label, columns, rows, pitch, origin: given.origin ?? middle };
}

/**
 * Returns a code's label. @throws invalid_input for a design that phones can't scan, and like partsOf
 */
export async function labelOf(
  deps: Deps,
  context: WorkspaceContext,
  logos: SharedLogos,
  sheet: Sheet,
  row: QrRow,
  options: PrintOptions,
): Promise<Label> {
  const logo = await logos.find(row.logoId);
  const query = ImageQuery.parse({ format: "svg" });
  const file = await prepareDrawing(deps, { ...row, plan: context.plan }, query, logo, "printed");
  const svg = new TextDecoder().decode(await file.draw());
  const { lines, replaced } = captionsOf(deps, row, options.captions);
  return { svg, parts: partsOf(sheet, sizeInModules(svg), lines, options), replaced };
}

/** @throws invalid_input for a label that is too small for the code or its captions */
function partsOf(
  sheet: Sheet,
  drawing: Size,
  captions: readonly Caption[],
  options: PrintOptions,
): LabelParts {
  const { padding, dpi, format } = options;
  const captionSize = captionSizeOn(sheet, options);
  const measure = (text: string) => glyphs().outline(text).width;
  const parts = layOut(sheet.label, drawing, captions, { padding, captionSize, measure });
  if (parts === undefined) {
    const field = captions.length > 0 ? "captions" : "padding";
    throw invalid(field, `leaves no room for the code on labels of ${sizeText(sheet.label)}`);
  }
  if (parts.code.width / drawing.width >= smallestModule(dpi) - 0.0005) return parts;
  const smallest = smallestCode(drawing.width, dpi);
  throw invalid(
    format === undefined ? "sheet.label" : "format",
    `leaves ${round(parts.code.width)} mm for a code, which needs ${smallest} mm at ${dpi} dpi. Use larger labels${captions.length > 0 ? " or fewer captions" : ""}.`,
  );
}

/** The height of captions, in millimetres: as asked for, or as it suits the labels. */
export const captionSizeOn = ({ label }: Sheet, { captionSize }: PrintOptions): number =>
  captionSize ?? suitableCaptionSize(label);

const sizeText = ({ width, height }: Size): string => `${round(width)} × ${round(height)} mm`;

const placeCode = (area: Area, { parts: { code } }: Label, drawing: number): PlacedDrawing => ({
  ...code,
  drawing,
  x: area.x + code.x,
  y: area.y + code.y,
});

/** Returns the outlines of a label's captions, in millimetres on the page. */
const outlinesOf = (area: Area, { parts: { lines } }: Label, captionSize: number): string[] =>
  lines.map(({ text, x, y, centred }) => {
    const outline = glyphs().outline(text);
    const start = centred ? x - (outline.width * captionSize) / 2 : x;
    return outline.path(area.x + start, area.y + y, captionSize);
  });
