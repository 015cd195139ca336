import { limits } from "../../contract/limits.ts";
import { longerSide } from "../../lib/image/logo-drawing.ts";
import { readLength } from "./lengths.ts";
import type { Matrix } from "./matrix.ts";
import { requireSafe } from "./safety.ts";
import { Scanner } from "./scanner.ts";
import { StyleSheet } from "./style-sheet.ts";
import { LogoProblem, type Work } from "./work.ts";
import { readXml, type XmlElement } from "./xml.ts";

const svgNamespace = "http://www.w3.org/2000/svg";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A checked SVG. */
export interface SvgDocument {
  readonly root: XmlElement;
  readonly byId: ReadonlyMap<string, XmlElement>;
  readonly styles: StyleSheet;
  /** Its width and height, in its own unit. */
  readonly size: Size;
  /** The length that percentages refer to. */
  readonly view: Size;
  /** From the root's coordinates to the drawing's. */
  readonly matrix: Matrix;
  /** The drawing's size. */
  readonly drawn: Size;
  /** Returns the name of an SVG element without its prefix; undefined for an element of another vocabulary. */
  tagOf(element: XmlElement): string | undefined;
}

export const tooManyElements = () =>
  new LogoProblem(`can draw at most ${limits.logo.elements} elements, and none that contains itself`);

/** Parses an SVG and checks that it is safe to hand out. @throws LogoProblem */
export function readDocument(bytes: Uint8Array, work: Work): SvgDocument {
  const root = readXml(decode(bytes), work);
  const prefix = root.name.replace(/:?svg$/, "");
  const isRoot = root.name === (prefix === "" ? "svg" : `${prefix}:svg`);
  if (!isRoot || root.attributes.get(prefix === "" ? "xmlns" : `xmlns:${prefix}`) !== svgNamespace) {
    throw new LogoProblem(`must be an SVG whose root element is <svg xmlns="${svgNamespace}">`);
  }
  const elements = elementsOf(root);
  const byId = new Map<string, XmlElement>();
  const styles = new StyleSheet(work);
  const prefixes = new Set([prefix]);
  for (const element of elements) {
    requireSafe(element, work);
    const id = element.attributes.get("id");
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    for (const [name, value] of element.attributes) {
      if (value === svgNamespace && name.startsWith("xmlns:")) prefixes.add(name.slice("xmlns:".length));
    }
  }
  const tagOf = ({ name, attributes }: XmlElement): string | undefined => {
    const [own, local] = name.includes(":") ? name.split(":", 2) : ["", name];
    const isForeign = own === "" && (attributes.get("xmlns") ?? svgNamespace) !== svgNamespace;
    return !isForeign && prefixes.has(own ?? "") ? local : undefined;
  };
  for (const element of elements) if (tagOf(element) === "style") styles.add(element.text);
  const size = sizeOf(root, work);
  return { root, byId, styles, size, tagOf, ...placed(root, size, work) };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new LogoProblem("must be an SVG encoded in UTF-8");
  }
}

/** Returns an element and all its descendants. @throws LogoProblem if there are more than a logo may draw */
function elementsOf(root: XmlElement): XmlElement[] {
  const elements = [root];
  // The list grows during the iteration.
  for (const { children } of elements) {
    if (elements.length + children.length > limits.logo.elements) throw tooManyElements();
    elements.push(...children);
  }
  return elements;
}

/** Returns width and height if they are lengths, otherwise those of the viewBox, as browsers do. */
function sizeOf({ attributes }: XmlElement, work: Work): Size {
  const [width, height] = ["width", "height"].map((name) => readLength(attributes.get(name)));
  if (isSize(width) && isSize(height)) return { width, height };
  const box = viewBoxOf(attributes.get("viewBox"), work);
  if (box === undefined) throw new LogoProblem("must have a size: a viewBox, or width and height");
  return { width: box[2], height: box[3] };
}

const isSize = (value: number | undefined): value is number =>
  value !== undefined && value > 0 && value < 1e6;

type ViewBox = readonly [x: number, y: number, width: number, height: number];

function viewBoxOf(text: string | undefined, work: Work): ViewBox | undefined {
  const scanner = new Scanner(text ?? "", work);
  scanner.skipSpace();
  const [x, y, width, height, ...rest] = scanner.numbers();
  if (x === undefined || y === undefined || rest.length > 0 || !scanner.isAtEnd) return undefined;
  return isSize(width) && isSize(height) ? [x, y, width, height] : undefined;
}

/** Places the root's coordinates in the drawing. */
function placed({ attributes }: XmlElement, size: Size, work: Work) {
  const unit = longerSide / Math.max(size.width, size.height);
  const drawn = {
    width: Math.max(1, Math.round(size.width * unit)),
    height: Math.max(1, Math.round(size.height * unit)),
  };
  const [x, y, width, height] = viewBoxOf(attributes.get("viewBox"), work) ?? [0, 0, size.width, size.height];
  const matrix = fitted(
    { x, y, width, height },
    { x: 0, y: 0, ...drawn },
    attributes.get("preserveAspectRatio"),
  );
  return { drawn, view: { width, height }, matrix };
}

interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Returns the transformation that fits a box into another, by the rules of `preserveAspectRatio`. */
export function fitted(box: Box, into: Box, aspectRatio = "xMidYMid"): Matrix {
  const [across, down] = [into.width / box.width, into.height / box.height];
  const rule = aspectRatio.slice(0, 64);
  if (/^\s*none/.test(rule)) return [across, 0, 0, down, into.x - box.x * across, into.y - box.y * down];
  const scale = /slice/.test(rule) ? Math.max(across, down) : Math.min(across, down);
  const share = (axis: "x" | "Y") => {
    const [, place] = new RegExp(`${axis}(Min|Mid|Max)`).exec(rule) ?? [];
    return place === "Min" ? 0 : place === "Max" ? 1 : 0.5;
  };
  const left = into.x + (into.width - box.width * scale) * share("x");
  const top = into.y + (into.height - box.height * scale) * share("Y");
  return [scale, 0, 0, scale, left - box.x * scale, top - box.y * scale];
}
