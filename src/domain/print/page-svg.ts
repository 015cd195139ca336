import { turnedPage } from "../../lib/print/turned.ts";
import type { PrintedDocument } from "../../protocol/images.ts";
import { definedFiles, withUses } from "./shared-files.ts";

/** The width of strokes, millimetres. */
const strokeWidth = 0.2;

const attributes = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${Number(value.toFixed(3))}"`)
    .join(" ");

/** Draws the first page of a print as SVG, with millimetres as units. */
export function firstPageSvg({ pages: [page], drawings, files }: PrintedDocument): string {
  if (page === undefined) throw new Error("a print without pages");
  const { width, height, matrix } = turnedPage(page, page.turn ?? 0);
  const placed = page.drawings.map(({ drawing, ...area }) =>
    withUses(drawings[drawing] ?? "").replace(
      /<svg ([^>]*)>/,
      (_, own: string) => `<svg ${attributes(area)} ${withoutArea(own)}>`,
    ),
  );
  const texts = page.texts.map((path) => `<path d="${path}"/>`);
  const strokes = page.strokes.map(({ from, to }) => `M${from.join(" ")}L${to.join(" ")}`).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}mm" height="${height}mm">` +
    `<defs>${definedFiles(files)}</defs><path fill="#fff" d="M0 0h${width}v${height}h${-width}z"/>` +
    `<g transform="matrix(${matrix.join(" ")})">${placed.join("")}${texts.join("")}` +
    `${strokes === "" ? "" : `<path stroke="#000" stroke-width="${strokeWidth}" d="${strokes}"/>`}</g></svg>\n`
  );
}

const withoutArea = (own: string): string => own.replace(/\b(?:width|height|x|y)="[^"]*"\s?/g, "");
