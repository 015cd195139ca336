import type { Design } from "./design.ts";
import type { Drawing } from "./drawing.ts";
import { svgOf } from "./svg.ts";

/**
 * Centres a drawing in an SVG in which each of its modules is a whole number of pixels. The rest has the background's
 * colour, unless something else is at the drawing's edges.
 * @param size pixels of the longer side, at least one for each module
 * @returns the SVG and its width in pixels
 */
export function atWholePixels(
  drawing: Drawing,
  size: number,
  design: Design,
): { svg: string; width: number } {
  const longer = Math.max(drawing.width, drawing.height);
  const pitch = Math.floor(size / longer);
  if (pitch === 0) throw new Error("less than one pixel per module");
  const [width = 0, height = 0] = [drawing.width, drawing.height].map((length) =>
    Math.round((size * length) / longer),
  );
  const inner = svgOf(drawing, longer * pitch).replace(
    /^<svg /,
    `<svg x="${(width - drawing.width * pitch) >> 1}" y="${(height - drawing.height * pitch) >> 1}" `,
  );
  const { background, backgroundRadius, frame } = design;
  const isFilled = background !== "transparent" && backgroundRadius === 0 && frame === undefined;
  const ground = isFilled ? `<path fill="${background}" d="M0 0h${width}v${height}h-${width}z"/>` : "";
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}${inner}</svg>`,
    width,
  };
}
