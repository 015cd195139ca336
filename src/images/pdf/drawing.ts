import type { PDFContext, PDFDocument, PDFRef } from "@cantoo/pdf-lib";
import { readXml, type XmlElement } from "../../lib/text/xml.ts";
import { drawnColor, fillOperator, type Ink } from "./ink.ts";
import { pathOperators } from "./path-operators.ts";
import { shadingOf } from "./shading.ts";
import { areaOf, type Matrix, matricesOf, numberOf, pathOfShape, transformOperator } from "./shapes.ts";

/** The document and settings of a drawing. */
export interface DrawingTarget {
  readonly document: PDFDocument;
  readonly ink: Ink;
  readonly pictures: { find(address: string): Promise<Picture> };
}

/** A picture in a document, consisting of pixels or of vectors. */
export type Picture = { readonly ref: PDFRef } | { readonly ref: PDFRef; readonly form: Form };

/** A drawing that pages can show, as a PDF form in the units of the SVG. */
export interface Form {
  readonly ref: PDFRef;
  readonly width: number;
  readonly height: number;
}

/** The resources that operators refer to by name. */
interface Resources {
  readonly XObject: Record<string, PDFRef>;
  readonly Shading: Record<string, PDFRef>;
}

/** The properties that an element inherits. */
interface Style {
  readonly fill: string;
  readonly rule: string;
}

/**
 * Converts an SVG of this service to a form. Supports the parts of SVG that codes and most logos use.
 * @throws for anything else, so that nothing is missing in print
 */
export async function formOf(svg: string, target: DrawingTarget): Promise<Form> {
  const root = readXml(svg);
  const [left = 0, top = 0, width = numberOf(root, "width"), height = numberOf(root, "height")] = (
    root.attributes.get("viewBox") ?? ""
  )
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const drawing = new Drawing(root, target);
  const content = await drawing.contentOf(root);
  const context: PDFContext = target.document.context;
  const { XObject, Shading } = drawing.resources;
  const form = context.flateStream(content, {
    Type: "XObject",
    Subtype: "Form",
    BBox: [left, top, left + width, top + height],
    Matrix: [1, 0, 0, 1, -left, -top],
    Resources: { XObject, Shading },
  });
  return { ref: context.register(form), width, height };
}

class Drawing {
  readonly resources: Resources = { XObject: {}, Shading: {} };
  readonly #target: DrawingTarget;
  readonly #byId = new Map<string, XmlElement>();

  constructor(root: XmlElement, target: DrawingTarget) {
    this.#target = target;
    this.#index(root);
  }

  /** Returns the operators that draw an element's content. */
  contentOf(root: XmlElement): Promise<string> {
    return this.#childrenOf(root, { fill: "#000000", rule: "nonzero" });
  }

  #index(element: XmlElement): void {
    const id = element.attributes.get("id");
    if (id !== undefined) this.#byId.set(id, element);
    for (const child of element.children) this.#index(child);
  }

  async #childrenOf(element: XmlElement, inherited: Style): Promise<string> {
    const style = styleOf(element, inherited);
    let content = "";
    for (const child of element.children) content += await this.#draw(child, style);
    return content;
  }

  async #draw(element: XmlElement, inherited: Style): Promise<string> {
    const drawn = await this.#shape(element, styleOf(element, inherited));
    const before = this.#transformOf(element) + this.#clipOf(element);
    return before === "" || drawn === "" ? drawn : `q\n${before}${drawn}Q\n`;
  }

  async #shape(element: XmlElement, style: Style): Promise<string> {
    refuseUnknown(element);
    if (element.name === "g") return this.#childrenOf(element, style);
    if (element.name === "image") return this.#image(element);
    if (notDrawn.has(element.name)) return "";
    const path = pathOfShape(element);
    if (path === undefined) throw new Error(`no element of a drawing: ${element.name}`);
    return style.fill === "none" ? "" : this.#filled(pathOperators(path), style);
  }

  #filled(path: string, { fill, rule }: Style): string {
    const isEvenOdd = rule === "evenodd";
    const referred = /^url\(["']?#([^"')]+)["']?\)$/.exec(fill)?.[1];
    if (referred === undefined) {
      return `${fillOperator(drawnColor(fill), this.#target.ink)}${path}${isEvenOdd ? "f*" : "f"}\n`;
    }
    const gradient = this.#byId.get(referred);
    if (gradient === undefined) throw new Error(`no gradient: ${referred}`);
    const { shading, matrices } = shadingOf(gradient, this.#target.ink);
    const { context } = this.#target.document;
    const name = `S${referred}`;
    this.resources.Shading[name] ??= context.register(context.obj(shading));
    return `q\n${path}${isEvenOdd ? "W*" : "W"} n\n${matrices.map(transformOperator).join("")}/${name} sh\nQ\n`;
  }

  #transformOf({ attributes }: XmlElement): string {
    return matricesOf(attributes.get("transform") ?? "")
      .map(transformOperator)
      .join("");
  }

  #clipOf({ attributes }: XmlElement): string {
    const id = /^url\(#([^)]+)\)$/.exec(attributes.get("clip-path") ?? "")?.[1];
    if (id === undefined) return "";
    const shapes = this.#byId.get(id)?.children.map(pathOfShape) ?? [];
    if (shapes.length === 0 || shapes.includes(undefined)) throw new Error(`no clip path: ${id}`);
    return `${shapes.map((path) => pathOperators(path ?? "")).join("")}W n\n`;
  }

  /** Draws an embedded picture, whose area has its proportions. */
  async #image(element: XmlElement): Promise<string> {
    const { x, y, width, height } = areaOf(element);
    const address = element.attributes.get("href") ?? element.attributes.get("xlink:href") ?? "";
    const picture = await this.#target.pictures.find(address);
    const name = `X${Object.keys(this.resources.XObject).length}`;
    this.resources.XObject[name] = picture.ref;
    // A pixel image is a unit square with y growing upwards, so its first line is at the top.
    const matrix: Matrix =
      "form" in picture
        ? [width / picture.form.width, 0, 0, height / picture.form.height, x, y]
        : [width, 0, 0, -height, x, y + height];
    return `q\n${transformOperator(matrix)}/${name} Do\nQ\n`;
  }
}

/** Elements that draw nothing themselves. */
const notDrawn = new Set([
  "defs",
  "title",
  "desc",
  "metadata",
  "clipPath",
  "linearGradient",
  "radialGradient",
]);

/** Attributes that are handled here or have no effect. */
const known = new Set([
  ...["id", "d", "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "viewBox", "version"],
  ...[
    "fill",
    "fill-rule",
    "clip-rule",
    "transform",
    "clip-path",
    "preserveAspectRatio",
    "href",
    "xlink:href",
  ],
  ...["xmlns", "xmlns:xlink", "role", "aria-label", "class", "shape-rendering"],
]);

function refuseUnknown({ name, attributes }: XmlElement): void {
  if (notDrawn.has(name)) return;
  for (const attribute of attributes.keys()) {
    if (!known.has(attribute)) throw new Error(`no attribute of a drawing: ${attribute}`);
  }
}

const styleOf = ({ attributes }: XmlElement, inherited: Style): Style => ({
  fill: attributes.get("fill") ?? inherited.fill,
  rule: attributes.get("fill-rule") ?? inherited.rule,
});
