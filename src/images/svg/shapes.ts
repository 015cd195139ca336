import { limits } from "../../contract/limits.ts";
import type { LogoOutline } from "../../lib/image/logo-drawing.ts";
import type { Size } from "./document.ts";
import { readLength } from "./lengths.ts";
import { OutlineBuilder, readPathData } from "./outline.ts";
import { Scanner } from "./scanner.ts";
import type { Work } from "./work.ts";
import type { XmlElement } from "./xml.ts";

/** The length that percentages of radii and strokes refer to: a diagonal, by SVG's formula. */
export const diagonalOf = ({ width, height }: Size): number => Math.hypot(width, height) * Math.SQRT1_2;

/** Returns the outline of a shape, in its own coordinates; undefined for an element that isn't a shape. */
export function outlineOf(
  tag: string,
  { attributes }: XmlElement,
  view: Size,
  work: Work,
): LogoOutline | undefined {
  const across = (name: string) => readLength(attributes.get(name), view.width);
  const down = (name: string) => readLength(attributes.get(name), view.height);
  const builder = new OutlineBuilder(limits.logo.segments);
  switch (tag) {
    case "path":
      return readPathData(attributes.get("d") ?? "", work, limits.logo.segments);
    case "rect":
      addRectangle(builder, {
        ...{
          x: across("x") ?? 0,
          y: down("y") ?? 0,
          width: across("width") ?? 0,
          height: down("height") ?? 0,
        },
        ...{ rx: across("rx"), ry: down("ry") },
      });
      return builder.outline;
    case "circle": {
      const radius = readLength(attributes.get("r"), diagonalOf(view)) ?? 0;
      addEllipse(builder, across("cx") ?? 0, down("cy") ?? 0, radius, radius);
      return builder.outline;
    }
    case "ellipse": {
      const [rx, ry] = [across("rx"), down("ry")];
      addEllipse(builder, across("cx") ?? 0, down("cy") ?? 0, rx ?? ry ?? 0, ry ?? rx ?? 0);
      return builder.outline;
    }
    case "line":
      builder.move([across("x1") ?? 0, down("y1") ?? 0]);
      builder.line([across("x2") ?? 0, down("y2") ?? 0]);
      return builder.outline;
    case "polyline":
    case "polygon":
      addPoints(builder, attributes.get("points") ?? "", work);
      if (tag === "polygon" && builder.outline.points.length > 0) builder.close();
      return builder.outline;
    default:
      return undefined;
  }
}

interface RoundedBox extends Size {
  readonly x: number;
  readonly y: number;
  readonly rx: number | undefined;
  readonly ry: number | undefined;
}

function addRectangle(builder: OutlineBuilder, { x, y, width, height, rx, ry }: RoundedBox): void {
  if (!(width > 0 && height > 0)) return;
  const a = Math.min(Math.max(0, rx ?? ry ?? 0), width / 2);
  const b = Math.min(Math.max(0, ry ?? rx ?? 0), height / 2);
  const [right, bottom] = [x + width, y + height];
  if (a === 0 || b === 0) {
    builder.move([x, y]);
    builder.line([right, y]);
    builder.line([right, bottom]);
    builder.line([x, bottom]);
  } else {
    const corner = (toX: number, toY: number) => builder.arc([a, b], 0, false, true, [toX, toY]);
    builder.move([x + a, y]);
    builder.line([right - a, y]);
    corner(right, y + b);
    builder.line([right, bottom - b]);
    corner(right - a, bottom);
    builder.line([x + a, bottom]);
    corner(x, bottom - b);
    builder.line([x, y + b]);
    corner(x + a, y);
  }
  builder.close();
}

function addEllipse(builder: OutlineBuilder, x: number, y: number, rx: number, ry: number): void {
  if (!(rx > 0 && ry > 0)) return;
  builder.move([x - rx, y]);
  builder.arc([rx, ry], 0, false, true, [x + rx, y]);
  builder.arc([rx, ry], 0, false, true, [x - rx, y]);
  builder.close();
}

function addPoints(builder: OutlineBuilder, text: string, work: Work): void {
  const scanner = new Scanner(text, work);
  scanner.skipSpace();
  for (let isFirst = true; ; isFirst = false) {
    const [x, y] = [scanner.number(), scanner.number()];
    if (x === undefined || y === undefined) return;
    if (isFirst) builder.move([x, y]);
    else builder.line([x, y]);
  }
}
