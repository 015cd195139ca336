import type { PDFContext, PDFDocument, PDFRef } from "@cantoo/pdf-lib";
import type { LogoGradient } from "../../lib/image/logo-drawing.ts";
import { Work } from "../svg/work.ts";
import { readXml, type XmlElement } from "../svg/xml.ts";
import { drawnColor, fillOperator, type Ink } from "./ink.ts";
import { transformOperator } from "./matrices.ts";
import { pathOperators } from "./path-operators.ts";
import { gradientShading } from "./shading.ts";

/** The document and settings of a drawing. */
export interface DrawingTarget {
  readonly document: PDFDocument;
  readonly ink: Ink;
  readonly pictures: { find(address: string): Promise<Picture> };
}

/** A picture in a document, consisting of pixels or of vectors. */
export type Picture = { readonly ref: PDFRef } | { readonly ref: PDFRef; readonly form: Form };

/** A drawing that pages can show, as a PDF form in its own units. */
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

/**
 * Converts the SVG of a code, as this service writes it, to a form.
 * @throws for anything else, so that nothing is missing in print
 */
export async function formOf(svg: string, target: DrawingTarget): Promise<Form> {
  const root = readXml(svg, new Work(svg.length));
  const [, , width = 1, height = 1] = (root.attributes.get("viewBox") ?? "").split(" ").map(Number);
  const drawing = new Drawing(root, target);
  const content = await drawing.contentOf(root);
  const context: PDFContext = target.document.context;
  const { XObject, Shading } = drawing.resources;
  const form = context.flateStream(content, {
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, width, height],
    Resources: { XObject, Shading },
  });
  return { ref: context.register(form), width, height };
}

/** Reads a numeric attribute. */
function numberOf({ attributes }: XmlElement, name: string): number {
  const value = Number(attributes.get(name) ?? 0);
  if (!Number.isFinite(value)) throw new Error(`no number: ${name}="${attributes.get(name)}"`);
  return value;
}

/** Returns the id that an attribute such as `url(#id)` refers to. */
const referred = (value = ""): string | undefined => /^url\(#([^)]+)\)$/.exec(value)?.[1];

class Drawing {
  readonly resources: Resources = { XObject: {}, Shading: {} };
  readonly #target: DrawingTarget;
  readonly #byId = new Map<string, XmlElement>();

  constructor(root: XmlElement, target: DrawingTarget) {
    this.#target = target;
    const definitions = root.children.find(({ name }) => name === "defs")?.children ?? [];
    for (const element of definitions) this.#byId.set(element.attributes.get("id") ?? "", element);
  }

  /** Returns the operators that draw an element's content. */
  async contentOf({ children }: XmlElement): Promise<string> {
    let content = "";
    for (const child of children) content += await this.#draw(child);
    return content;
  }

  async #draw(element: XmlElement): Promise<string> {
    const { name, attributes } = element;
    if (name === "defs") return "";
    if (name === "image") return this.#image(element);
    if (name !== "path") throw new Error(`no element of a drawing: ${name}`);
    return this.#filled(pathOperators(attributes.get("d") ?? ""), attributes.get("fill") ?? "");
  }

  #filled(path: string, fill: string): string {
    const id = referred(fill);
    if (id === undefined) return `${fillOperator(drawnColor(fill), this.#target.ink)}${path}f\n`;
    const gradient = this.#byId.get(id);
    if (gradient === undefined) throw new Error(`no gradient: ${id}`);
    const { context } = this.#target.document;
    const name = `S${id}`;
    this.resources.Shading[name] ??= context.register(
      context.obj(gradientShading(gradientOf(gradient), this.#target.ink)),
    );
    return `q\n${path}W n\n/${name} sh\nQ\n`;
  }

  /** Draws an embedded picture, whose area has its proportions. */
  async #image(element: XmlElement): Promise<string> {
    const [x, y, width, height] = (["x", "y", "width", "height"] as const).map((name) =>
      numberOf(element, name),
    );
    const picture = await this.#target.pictures.find(element.attributes.get("xlink:href") ?? "");
    const name = `X${Object.keys(this.resources.XObject).length}`;
    this.resources.XObject[name] = picture.ref;
    const [left = 0, top = 0, across = 0, down = 0] = [x, y, width, height];
    // A pixel image is a unit square with y growing upwards, so its first line is at the top.
    const matrix =
      "form" in picture
        ? ([across / picture.form.width, 0, 0, down / picture.form.height, left, top] as const)
        : ([across, 0, 0, -down, left, top + down] as const);
    return `q\n${this.#clipOf(element)}${transformOperator(matrix)}/${name} Do\nQ\n`;
  }

  /** Clips to the circle that an element refers to. */
  #clipOf({ attributes }: XmlElement): string {
    const id = referred(attributes.get("clip-path"));
    if (id === undefined) return "";
    const circle = this.#byId.get(id)?.children[0];
    if (circle?.name !== "circle") throw new Error(`no clip path: ${id}`);
    const [x = 0, y = 0, r = 0] = ["cx", "cy", "r"].map((name) => numberOf(circle, name));
    return `${pathOperators(`M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`)}W n\n`;
  }
}

/** Reads a gradient as `svgOf` writes it, in the units of the drawing. */
function gradientOf(element: XmlElement): LogoGradient {
  const type = element.name === "linearGradient" ? "linear" : "radial";
  const names = type === "linear" ? ["x1", "y1", "x2", "y2"] : ["cx", "cy", "cx", "cy", "r"];
  return {
    type,
    coordinates: names.map((name) => numberOf(element, name)),
    matrix: [1, 0, 0, 1, 0, 0],
    stops: element.children.map((stop) => ({
      offset: numberOf(stop, "offset"),
      color: drawnColor(stop.attributes.get("stop-color") ?? ""),
      opacity: 1,
    })),
  };
}
