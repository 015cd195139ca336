import type { PDFRef } from "@cantoo/pdf-lib";
import type {
  LogoDrawing,
  LogoGradient,
  LogoItem,
  LogoPaint,
  LogoStroke,
} from "../../lib/image/logo-drawing.ts";
import type { DrawingTarget, Form } from "./drawing.ts";
import { fillOperator, strokeOperator } from "./ink.ts";
import { transformOperator } from "./matrices.ts";
import { decimal, outlineOperators } from "./path-operators.ts";
import { alphaShading, gradientShading } from "./shading.ts";

/** Draws a logo as a form, in its units. */
export async function logoForm(drawing: LogoDrawing, target: DrawingTarget): Promise<Form> {
  const { context } = target.document;
  const pictures: PDFRef[] = [];
  for (const base64 of drawing.pictures) {
    pictures.push((await target.document.embedPng(Uint8Array.fromBase64(base64))).ref);
  }
  const logo = new Logo(drawing, target, pictures);
  const content = logo.contentOf(drawing.items);
  const form = logo.form(content, {});
  context.assign(logo.resourcesRef, context.obj(logo.resources));
  return { ref: form, width: drawing.width, height: drawing.height };
}

const caps = { butt: 0, round: 1, square: 2 } as const;
const joins = { miter: 0, round: 1, bevel: 2 } as const;

class Logo {
  readonly resources = {
    XObject: {} as Record<string, PDFRef>,
    Shading: {} as Record<string, PDFRef>,
    Pattern: {} as Record<string, PDFRef>,
    ExtGState: {} as Record<string, PDFRef>,
  };
  /** All forms of the logo have the same resources, which are known at the end. */
  readonly resourcesRef: PDFRef;
  readonly #drawing: LogoDrawing;
  readonly #target: DrawingTarget;

  constructor(drawing: LogoDrawing, target: DrawingTarget, pictures: readonly PDFRef[]) {
    this.#drawing = drawing;
    this.#target = target;
    this.resourcesRef = target.document.context.nextRef();
    for (const [index, ref] of pictures.entries()) this.resources.XObject[`P${index}`] = ref;
  }

  form(content: string, group: object): PDFRef {
    const { context } = this.#target.document;
    const { width, height } = this.#drawing;
    const stream = context.flateStream(content, {
      ...{ Type: "XObject", Subtype: "Form", BBox: [0, 0, width, height], ...group },
      Resources: this.resourcesRef,
    });
    return context.register(stream);
  }

  contentOf(items: readonly LogoItem[]): string {
    return items.map((item) => this.#item(item)).join("");
  }

  #item(item: LogoItem): string {
    if (item.kind === "group") {
      const group = { Group: { Type: "Group", S: "Transparency" } };
      const form = this.form(this.contentOf(item.items), group);
      const name = `G${Object.keys(this.resources.XObject).length}`;
      this.resources.XObject[name] = form;
      return `q\n${this.#opacity(item.opacity)}/${name} Do\nQ\n`;
    }
    if (item.kind === "picture") {
      // A pixel image is a unit square with y growing upwards, so its first line is at the top.
      const upright = `${transformOperator(item.matrix)}${transformOperator([1, 0, 0, -1, 0, 1])}`;
      return `q\n${this.#opacity(item.opacity)}${upright}/P${item.picture} Do\nQ\n`;
    }
    const path = outlineOperators(item.outline);
    const filled = item.fill === undefined ? "" : this.#fill(path, item.fill, item.isEvenOdd ?? false);
    return filled + (item.stroke === undefined ? "" : this.#stroke(path, item.stroke));
  }

  #fill(path: string, paint: LogoPaint, isEvenOdd: boolean): string {
    const before = `q\n${this.#opacity(paint.opacity)}`;
    if ("color" in paint) {
      return `${before}${fillOperator(paint.color, this.#target.ink)}${path}${isEvenOdd ? "f*" : "f"}\nQ\n`;
    }
    const gradient = this.#gradient(paint.gradient);
    const mask = this.#mask(gradient, paint.gradient);
    const shading = this.#shading(gradient, paint.gradient);
    const matrix = transformOperator(gradient.matrix);
    return `${before}${mask}${path}${isEvenOdd ? "W*" : "W"} n\n${matrix}/${shading} sh\nQ\n`;
  }

  #stroke(path: string, { paint, width, cap, join, miterLimit }: LogoStroke): string {
    const line = `${decimal(width)} w\n${caps[cap]} J\n${joins[join]} j\n${decimal(miterLimit)} M\n`;
    const before = `q\n${this.#opacity(paint.opacity)}${line}`;
    if ("color" in paint) return `${before}${strokeOperator(paint.color, this.#target.ink)}${path}S\nQ\n`;
    const gradient = this.#gradient(paint.gradient);
    const name = `T${paint.gradient}`;
    const { context } = this.#target.document;
    const shading = this.resources.Shading[this.#shading(gradient, paint.gradient)];
    this.resources.Pattern[name] ??= context.register(
      context.obj({ Type: "Pattern", PatternType: 2, Matrix: [...gradient.matrix], Shading: shading }),
    );
    return `${before}${this.#mask(gradient, paint.gradient)}/Pattern CS\n/${name} SCN\n${path}S\nQ\n`;
  }

  #gradient(index: number): LogoGradient {
    const gradient = this.#drawing.gradients[index];
    if (gradient === undefined) throw new Error(`no gradient ${index}`);
    return gradient;
  }

  #shading(gradient: LogoGradient, index: number): string {
    const { context } = this.#target.document;
    const name = `S${index}`;
    this.resources.Shading[name] ??= context.register(
      context.obj(gradientShading(gradient, this.#target.ink)),
    );
    return name;
  }

  #opacity(opacity: number): string {
    if (opacity === 1) return "";
    const { context } = this.#target.document;
    const name = `A${String(opacity).replace(".", "_")}`;
    this.resources.ExtGState[name] ??= context.register(
      context.obj({ Type: "ExtGState", ca: opacity, CA: opacity }),
    );
    return `/${name} gs\n`;
  }

  /** Sets the opacity of a gradient's stops, as a mask of greys. */
  #mask(gradient: LogoGradient, index: number): string {
    if (gradient.stops.every(({ opacity }) => opacity === 1)) return "";
    const { context } = this.#target.document;
    const name = `M${index}`;
    if (this.resources.ExtGState[name] === undefined) {
      this.resources.Shading[name] = context.register(context.obj(alphaShading(gradient)));
      const group = { Group: { Type: "Group", S: "Transparency", CS: "DeviceGray" } };
      const form = this.form(`${transformOperator(gradient.matrix)}/${name} sh\n`, group);
      const mask = { Type: "Mask", S: "Luminosity", G: form };
      this.resources.ExtGState[name] = context.register(context.obj({ Type: "ExtGState", SMask: mask }));
    }
    return `/${name} gs\n`;
  }
}
