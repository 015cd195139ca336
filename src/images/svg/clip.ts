import type { SvgDocument } from "./document.ts";
import { referenceOf } from "./gradients.ts";
import { inverse, type Matrix, type Point, readTransform, times, transformed } from "./matrix.ts";
import { type Area, areaOf, eachSegment } from "./outline.ts";
import { outlineOf } from "./shapes.ts";
import { LogoProblem, type Work } from "./work.ts";
import type { XmlElement } from "./xml.ts";

const cutOff = () =>
  new LogoProblem(
    "has a clip path that cuts something off. Export it without clip paths, or cut its shapes.",
  );

/**
 * Checks that a clip path is a rectangle around the clipped drawing, so that it can be left out.
 * @param matrix of the clipped element
 * @param area what is drawn, in the drawing's coordinates; undefined for nothing
 * @throws LogoProblem for another one
 */
export function requireAround(
  value: string,
  document: SvgDocument,
  matrix: Matrix,
  area: Area | undefined,
  work: Work,
): void {
  const [, id] = /^url\([ \t]*["']?#([^"')]*)(?:["'][ \t]*)?\)$/i.exec(value) ?? [];
  if (id === undefined) throw cutOff();
  const clip = document.byId.get(id.trim());
  // As in browsers, a clip path that doesn't exist clips nothing.
  if (clip === undefined || area === undefined) return;
  const rectangle = rectangleOf(clip, document, matrix, work);
  if (rectangle === undefined || !isAround(rectangle, visible(area, document))) throw cutOff();
}

/** A rectangle in coordinates of its own. */
interface Rectangle {
  readonly matrix: Matrix;
  readonly area: Area;
}

function rectangleOf(
  clip: XmlElement,
  document: SvgDocument,
  outer: Matrix,
  work: Work,
): Rectangle | undefined {
  const { tagOf, styles, view, byId } = document;
  const isPlain = (element: XmlElement) =>
    (styles.declared(element).get("clip-path") ?? "none") === "none" && !element.attributes.has("mask");
  if (tagOf(clip) !== "clipPath" || clip.attributes.get("clipPathUnits") === "objectBoundingBox")
    return undefined;
  const [child, ...others] = clip.children.filter(
    (each) => !/^(?:title|desc|metadata)$/.test(tagOf(each) ?? "title"),
  );
  if (child === undefined || others.length > 0) return undefined;
  const within = (matrix: Matrix, { attributes }: XmlElement) =>
    times(matrix, readTransform(attributes.get("transform") ?? "", work));
  let matrix = within(within(outer, clip), child);
  let shape = child;
  if (tagOf(child) === "use") {
    const used = byId.get(referenceOf(child.attributes) ?? "");
    if (used === undefined || child.attributes.has("x") || child.attributes.has("y")) return undefined;
    matrix = within(matrix, used);
    shape = used;
  }
  if (![clip, child, shape].every(isPlain)) return undefined;
  const outline = outlineOf(tagOf(shape) ?? "", shape, view, work);
  const area = outline && areaOf(outline);
  if (outline === undefined || area === undefined) return undefined;
  const corners = new Set<string>();
  let isRectangle = (outline.segments.match(/M/g)?.length ?? 0) === 1;
  eachSegment(outline, (segment, points) => {
    const [from = [0, 0], to = [0, 0]] = points;
    const [x, y] = to;
    const isCorner = (x === area.left || x === area.right) && (y === area.top || y === area.bottom);
    const isAlong = segment === "M" || from[0] === x || from[1] === y;
    isRectangle &&= isCorner && isAlong && segment !== "C";
    corners.add(`${x} ${y}`);
  });
  return isRectangle && corners.size === 4 ? { matrix, area } : undefined;
}

/** How far something may reach beyond a clip path, as a share of the clip path: what rounding amounts to. */
const tolerance = 0.002;

function isAround({ matrix, area: clip }: Rectangle, area: Area): boolean {
  const back = inverse(matrix);
  if (back === undefined) return false;
  const { left, top, right, bottom } = area;
  const [across, down] = [tolerance * (clip.right - clip.left), tolerance * (clip.bottom - clip.top)];
  const corners: Point[] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  return corners.every((corner) => {
    const [x, y] = transformed(back, corner);
    return (
      x >= clip.left - across && x <= clip.right + across && y >= clip.top - down && y <= clip.bottom + down
    );
  });
}

/** The part of an area that is inside the drawing. */
function visible({ left, top, right, bottom }: Area, { drawn }: SvgDocument): Area {
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
  return {
    left: within(left, drawn.width),
    top: within(top, drawn.height),
    right: within(right, drawn.width),
    bottom: within(bottom, drawn.height),
  };
}
