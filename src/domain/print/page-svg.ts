import type { PrintedDocument } from "../../protocol/images.ts";
import { withFiles } from "./shared-files.ts";

/** The width of strokes, millimetres. */
const strokeWidth = 0.2;

const attributes = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${Number(value.toFixed(3))}"`)
    .join(" ");

/** A page of a print as SVG, whose units are millimetres. @param index from 0 */
export function pageSvg(document: PrintedDocument, index: number): string {
  const page = document.pages[index];
  if (page === undefined) throw new Error(`no page ${index}`);
  const { width, height } = page;
  const placed = page.drawings.map(({ drawing, ...area }, place) =>
    withFiles(document.drawings[drawing] ?? "", document)
      .replace(/<svg ([^>]*)>/, (_, own: string) => `<svg ${attributes(area)} ${withoutSize(own)}>`)
      // Names must be unique in the page.
      .replace(/(\bid="|url\(#|href="#)/g, `$1p${place}-`),
  );
  const texts = page.texts.map(
    ({ path, x, y, size }) => `<path transform="translate(${x} ${y}) scale(${size})" d="${path}"/>`,
  );
  const strokes = page.strokes.map(({ from, to }) => `M${from.join(" ")}L${to.join(" ")}`).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}mm" height="${height}mm">` +
    `<path fill="#fff" d="M0 0h${width}v${height}h${-width}z"/>${placed.join("")}${texts.join("")}` +
    `${strokes === "" ? "" : `<path stroke="#000" stroke-width="${strokeWidth}" d="${strokes}"/>`}</svg>\n`
  );
}

const withoutSize = (own: string): string => own.replace(/\b(?:width|height|x|y)="[^"]*"\s?/g, "");
