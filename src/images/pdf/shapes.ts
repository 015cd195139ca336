import type { XmlElement } from "../../lib/text/xml.ts";
import { decimal } from "./path-operators.ts";

/** Reads a numeric attribute. */
export const numberOf = ({ attributes }: XmlElement, name: string, absent = 0): number => {
  const text = attributes.get(name);
  if (text === undefined) return absent;
  const value = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!Number.isFinite(value)) throw new Error(`no number: ${name}="${text}"`);
  return value;
};

/** Returns the area of an element with a position and a size. */
export const areaOf = (element: XmlElement) => ({
  x: numberOf(element, "x"),
  y: numberOf(element, "y"),
  width: numberOf(element, "width"),
  height: numberOf(element, "height"),
});

/** Returns a shape's path data; undefined for an element that isn't a shape. */
export function pathOfShape(element: XmlElement): string | undefined {
  switch (element.name) {
    case "path":
      return element.attributes.get("d") ?? "";
    case "rect":
      return rectangle(element);
    case "circle": {
      const radius = numberOf(element, "r");
      return ellipse(numberOf(element, "cx"), numberOf(element, "cy"), radius, radius);
    }
    case "ellipse":
      return ellipse(
        numberOf(element, "cx"),
        numberOf(element, "cy"),
        numberOf(element, "rx"),
        numberOf(element, "ry"),
      );
    default:
      return undefined;
  }
}

function rectangle(element: XmlElement): string {
  const { x, y, width, height } = areaOf(element);
  const given = numberOf(element, "rx", numberOf(element, "ry"));
  const radius = Math.min(given, width / 2, height / 2);
  if (radius === 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const corner = (dx: number, dy: number) => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  return (
    `M${x + radius} ${y}h${across}${corner(radius, radius)}v${down}${corner(-radius, radius)}` +
    `h${-across}${corner(-radius, -radius)}v${-down}${corner(radius, -radius)}z`
  );
}

const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0z`;

/** A transformation, as the six numbers of a matrix. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Parses the matrices of a `transform` attribute, in order. */
export function matricesOf(transform: string): Matrix[] {
  return [...transform.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name = "", list = ""]): Matrix => {
    const [a = 0, b, c, d = 0, e = 0, f = 0] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    switch (name) {
      case "translate":
        return [1, 0, 0, 1, a, b ?? 0];
      case "scale":
        return [a, 0, 0, b ?? a, 0, 0];
      case "matrix":
        return [a, b ?? 0, c ?? 0, d, e, f];
      case "rotate": {
        const [cos, sin] = [Math.cos((a * Math.PI) / 180), Math.sin((a * Math.PI) / 180)];
        const [x, y] = [b ?? 0, c ?? 0];
        return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
      }
      default:
        throw new Error(`no transformation: ${name}`);
    }
  });
}

/** Returns the operator that applies a matrix to the following ones. */
export const transformOperator = (matrix: Matrix): string =>
  `${matrix.map((value) => (Math.abs(value) < 1 ? Number(value.toFixed(7)) : decimal(value))).join(" ")} cm\n`;
