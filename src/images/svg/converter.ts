import type { LogoItem, LogoMatrix, LogoOutline, LogoPaint } from "../../lib/image/logo-drawing.ts";
import { Bounds } from "./bounds.ts";
import { requireAround } from "./clip.ts";
import { fitted, type SvgDocument, tooManyElements } from "./document.ts";
import { Gradients, referenceOf } from "./gradients.ts";
import { readLength, readShare } from "./lengths.ts";
import { type Matrix, readTransform, times, transformed } from "./matrix.ts";
import { type Area, areaOf, transformedOutline } from "./outline.ts";
import { initialStyle, type Style, type SvgPaint, strokeScale, styleOf } from "./paint.ts";
import { SvgPictures } from "./pictures.ts";
import { requireDrawable } from "./refused.ts";
import { diagonalOf, outlineOf } from "./shapes.ts";
import { LogoProblem, type Work } from "./work.ts";
import type { XmlElement } from "./xml.ts";

/** The drawing of an element. */
interface Drawn {
  readonly items: readonly LogoItem[];
  readonly area: Area | undefined;
  /** How many layers of opacity are one inside another. */
  readonly layers: number;
}

const nothing: Drawn = { items: [], area: undefined, layers: 0 };

/** How many references may be inside one another. */
const maxUses = 50;

/** Elements that only draw where others refer to them, or never. */
const definitions: ReadonlySet<string> = new Set([
  ...["defs", "title", "desc", "metadata", "style", "linearGradient", "radialGradient", "clipPath", "mask"],
  ...["filter", "pattern", "marker", "symbol", "view", "cursor", "color-profile", "font", "font-face"],
]);

/** Converts the elements of an SVG to what they draw. */
export class Converter {
  readonly gradients: Gradients;
  readonly pictures: SvgPictures;
  readonly #document: SvgDocument;
  readonly #work: Work;
  readonly #bounds: Bounds;
  /** The elements that are being drawn by reference. */
  readonly #used = new Set<XmlElement>();

  constructor(document: SvgDocument, work: Work) {
    this.#document = document;
    this.#work = work;
    this.#bounds = new Bounds(document.drawn);
    this.gradients = new Gradients(document, this.#bounds, work);
    this.pictures = new SvgPictures(work);
  }

  /** @throws LogoProblem for what can't be drawn */
  convert(): readonly LogoItem[] {
    const { root, matrix } = this.#document;
    return this.#draw(root, initialStyle, matrix).items;
  }

  #draw(element: XmlElement, inherited: Style, outer: Matrix): Drawn {
    this.#bounds.element();
    const { tagOf, styles, root, view } = this.#document;
    const tag = tagOf(element);
    if (tag === undefined || definitions.has(tag)) return nothing;
    const declared = styles.declared(element);
    if (declared.get("display") === "none") return nothing;
    requireDrawable(tag, declared, element === root);
    const opacity = readShare(declared.get("opacity"));
    if (opacity === 0) return nothing;
    const style = styleOf(declared, inherited, diagonalOf(view));
    const matrix = this.#matrixOf(element, declared, outer);
    const drawn = this.#contentOf(tag, element, style, matrix);
    const clip = declared.get("clip-path") ?? "none";
    if (clip !== "none") requireAround(clip, this.#document, matrix, drawn.area, this.#work);
    return this.#translucent(drawn, opacity);
  }

  #matrixOf({ attributes }: XmlElement, declared: ReadonlyMap<string, string>, outer: Matrix): Matrix {
    const attribute = attributes.get("transform") ?? "";
    const styled = declared.get("transform");
    if (
      (styled !== undefined && styled !== "none" && styled !== attribute.trim()) ||
      declared.has("transform-origin")
    ) {
      throw new LogoProblem("has a transform in its styles. Export it with transforms as attributes.");
    }
    return times(outer, readTransform(attribute, this.#work));
  }

  #contentOf(tag: string, element: XmlElement, style: Style, matrix: Matrix): Drawn {
    if (tag === "g" || tag === "a" || tag === "svg") return this.#childrenOf(element, style, matrix);
    if (tag === "use") return this.#use(element, style, matrix);
    if (tag === "image") return this.#image(element, style, matrix);
    const outline = outlineOf(tag, element, this.#document.view, this.#work);
    if (outline === undefined) {
      throw new LogoProblem(`can't contain <${element.name.slice(0, 100)}>. Export it as plain shapes.`);
    }
    if (style.hasMarkers && /^(?:path|line|poly)/.test(tag)) {
      throw new LogoProblem("has a marker, such as an arrow. Convert strokes to paths.");
    }
    return this.#shape(outline, style, matrix);
  }

  #childrenOf({ children }: XmlElement, style: Style, matrix: Matrix): Drawn {
    const items: LogoItem[] = [];
    let area: Area | undefined;
    let layers = 0;
    for (const child of children) {
      const drawn = this.#draw(child, style, matrix);
      this.#work.add(drawn.items.length);
      items.push(...drawn.items);
      area = around(area, drawn.area);
      layers = Math.max(layers, drawn.layers);
    }
    return { items, area, layers };
  }

  #use(element: XmlElement, style: Style, matrix: Matrix): Drawn {
    const { attributes } = element;
    const { byId, tagOf, view } = this.#document;
    const used = byId.get(referenceOf(attributes) ?? "");
    if (used === undefined) return nothing;
    if (this.#used.has(used) || this.#used.size >= maxUses) throw tooManyElements();
    const tag = tagOf(used);
    if (tag === "symbol" || tag === "svg") {
      throw new LogoProblem("draws a <symbol> or an <svg> by reference. Export it as plain shapes.");
    }
    const x = readLength(attributes.get("x"), view.width) ?? 0;
    const y = readLength(attributes.get("y"), view.height) ?? 0;
    this.#used.add(used);
    const drawn = this.#draw(used, style, times(matrix, [1, 0, 0, 1, x, y]));
    this.#used.delete(used);
    return drawn;
  }

  #shape(local: LogoOutline, style: Style, matrix: Matrix): Drawn {
    const own = areaOf(local);
    if (own === undefined || !style.isVisible) return nothing;
    const fill = this.#paintOf(style.fill, style.fillOpacity, matrix, own);
    const strokePaint =
      style.strokeWidth > 0 ? this.#paintOf(style.stroke, style.strokeOpacity, matrix, own) : undefined;
    const moved = transformedOutline(local, matrix);
    this.#bounds.near(moved);
    const outline = { segments: moved.segments, points: moved.points.map(Math.round) };
    const bare = areaOf(outline);
    if (bare === undefined) return nothing;
    let area = bare;
    if (fill !== undefined) {
      this.#bounds.outline(outline, 1);
      this.#bounds.area(area, costOf(fill));
    }
    if (strokePaint === undefined) {
      if (fill === undefined) return nothing;
      return seen({ kind: "shape", outline, ...filled(fill, style) }, area, this.#document);
    }
    requirePlainStroke(style, fill !== undefined);
    const width = rounded(style.strokeWidth * strokeScale(matrix), 2);
    const { cap, join, miterLimit } = style;
    const reach = (width / 2) * (join === "miter" ? Math.min(miterLimit, 4) : Math.SQRT2);
    area = grown(area, reach);
    this.#bounds.outline(outline, 4);
    this.#bounds.area(area, costOf(strokePaint));
    const stroke = { paint: strokePaint, width, cap, join, miterLimit: rounded(miterLimit, 2) };
    return seen({ kind: "shape", outline, ...(fill && filled(fill, style)), stroke }, area, this.#document);
  }

  #paintOf(paint: SvgPaint, opacity: number, matrix: Matrix, area: Area): LogoPaint | undefined {
    if (paint.kind === "none" || opacity === 0) return undefined;
    if (paint.kind === "color") {
      const both = rounded(paint.opacity * opacity, 4);
      return both === 0 ? undefined : { color: paint.color, opacity: both };
    }
    const { byId, tagOf } = this.#document;
    const server = byId.get(paint.id);
    const tag = server && tagOf(server);
    if (server === undefined) return this.#paintOf(paint.otherwise, opacity, matrix, area);
    if (tag === "linearGradient" || tag === "radialGradient") {
      return this.gradients.paintOf(server, opacity, matrix, area);
    }
    throw new LogoProblem(
      `is painted with a <${(tag ?? server.name).slice(0, 100)}>. Use colors and gradients.`,
    );
  }

  #image({ attributes }: XmlElement, style: Style, matrix: Matrix): Drawn {
    const { view } = this.#document;
    const address = attributes.get("href") ?? attributes.get("xlink:href");
    if (address === undefined || !style.isVisible) return nothing;
    const x = readLength(attributes.get("x"), view.width) ?? 0;
    const y = readLength(attributes.get("y"), view.height) ?? 0;
    const [across, down] = [
      readLength(attributes.get("width"), view.width),
      readLength(attributes.get("height"), view.height),
    ];
    if ((across ?? 1) <= 0 || (down ?? 1) <= 0) return nothing;
    const index = this.pictures.indexOf(address);
    const { size } = this.pictures.all[index] ?? { size: { width: 1, height: 1 } };
    const ratio = size.width / size.height;
    const width = across ?? (down === undefined ? size.width : down * ratio);
    const height = down ?? width / ratio;
    const rule = attributes.get("preserveAspectRatio");
    const fit = fitted({ x: 0, y: 0, ...size }, { x, y, width, height }, rule);
    if (/slice/.test(rule ?? "") && Math.abs(width / height / ratio - 1) > 0.002) {
      throw new LogoProblem("has a picture that is cut off. Crop the picture itself.");
    }
    const placed = times(times(matrix, fit), [size.width, 0, 0, size.height, 0, 0]);
    const corners = (
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const
    ).flatMap((corner) => transformed(placed, corner));
    const outline = { segments: "MLLL", points: corners };
    this.#bounds.near(outline);
    const area = areaOf(outline);
    if (area === undefined) return nothing;
    this.#bounds.pixels(size);
    this.#bounds.area(area, 4);
    const exact = placed.map((value) => rounded(value, 3)) as unknown as LogoMatrix;
    return seen({ kind: "picture", picture: index, matrix: exact, opacity: 1 }, area, this.#document);
  }

  /** Makes what an element draws translucent as a whole. */
  #translucent({ items, area, layers }: Drawn, opacity: number): Drawn {
    const [item, ...others] = items;
    if (item === undefined || opacity === 1) return { items, area, layers };
    const single = others.length === 0 ? faded(item, opacity) : undefined;
    if (single !== undefined) return { items: [single], area, layers };
    this.#bounds.layers(layers + 1);
    if (area !== undefined) {
      const { width, height } = this.#document.drawn;
      this.#bounds.area({ left: 0, top: 0, right: width, bottom: height }, 2);
    }
    return { items: [{ kind: "group", opacity: rounded(opacity, 4), items }], area, layers: layers + 1 };
  }
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** How long a point of a paint takes to draw, as a multiple of an opaque colour. */
const costOf = (paint: LogoPaint): number => ("gradient" in paint ? 4 : 1);

const filled = (fill: LogoPaint, { isEvenOdd }: Style) => (isEvenOdd ? { fill, isEvenOdd } : { fill });

/** Leaves out what is outside the drawing. */
function seen(item: LogoItem, area: Area, { drawn }: SvgDocument): Drawn {
  const isOutside = area.right < 0 || area.bottom < 0 || area.left > drawn.width || area.top > drawn.height;
  return isOutside ? nothing : { items: [item], area, layers: 0 };
}

/** Makes an item translucent by itself; undefined for one of several layers. */
function faded(item: LogoItem, opacity: number): LogoItem | undefined {
  if (item.kind !== "shape") return { ...item, opacity: rounded(item.opacity * opacity, 4) };
  const { fill, stroke } = item;
  if (fill !== undefined && stroke !== undefined) return undefined;
  const fade = <T extends LogoPaint>(paint: T): T => ({
    ...paint,
    opacity: rounded(paint.opacity * opacity, 4),
  });
  return {
    ...item,
    ...(fill && { fill: fade(fill) }),
    ...(stroke && { stroke: { ...stroke, paint: fade(stroke.paint) } }),
  };
}

function requirePlainStroke({ isDashed, strokeIsFirst }: Style, isFilled: boolean): void {
  if (isDashed) throw new LogoProblem("has dashed strokes. Convert strokes to paths.");
  if (strokeIsFirst && isFilled) {
    throw new LogoProblem("has strokes below their fill (paint-order). Convert strokes to paths.");
  }
}

const grown = ({ left, top, right, bottom }: Area, by: number): Area => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

function around(one: Area | undefined, other: Area | undefined): Area | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}
