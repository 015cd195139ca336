import type { LogoGradient, LogoPaint } from "../../lib/image/logo-drawing.ts";
import type { Bounds } from "./bounds.ts";
import type { SvgDocument } from "./document.ts";
import { readLength, readShare } from "./lengths.ts";
import { type Matrix, readTransform, times } from "./matrix.ts";
import type { Area } from "./outline.ts";
import { readPaint, type SvgPaint } from "./paint.ts";
import { diagonalOf } from "./shapes.ts";
import { LogoProblem, type Work } from "./work.ts";
import type { XmlElement } from "./xml.ts";

/** How many gradients one may be based on, one after another. */
const maxChain = 20;

/** The gradients of a drawing, without duplicates. */
export class Gradients {
  readonly all: LogoGradient[] = [];
  readonly #indices = new Map<string, number>();
  readonly #chains = new Map<XmlElement, readonly XmlElement[]>();
  readonly #document: SvgDocument;
  readonly #bounds: Bounds;
  readonly #work: Work;

  constructor(document: SvgDocument, bounds: Bounds, work: Work) {
    this.#document = document;
    this.#bounds = bounds;
    this.#work = work;
  }

  /**
   * Returns a gradient as the paint of a shape; undefined for one that paints nothing.
   * @param matrix from the shape's coordinates to the drawing
   * @param area of the shape, in its own coordinates
   */
  paintOf(gradient: XmlElement, opacity: number, matrix: Matrix, area: Area): LogoPaint | undefined {
    const chain = this.#chainOf(gradient);
    const stops = this.#stopsOf(chain);
    const last = stops.at(-1);
    if (last === undefined) return undefined;
    const plain: LogoPaint = { color: last.color, opacity: last.opacity * opacity };
    if (stops.length === 1) return plain;
    const attribute = (name: string) =>
      chain.find(({ attributes }) => attributes.has(name))?.attributes.get(name);
    const spread = attribute("spreadMethod");
    if (spread === "reflect" || spread === "repeat") {
      throw new LogoProblem("has a gradient that repeats. Use one that doesn't.");
    }
    const isOfBox = attribute("gradientUnits") !== "userSpaceOnUse";
    const [width, height] = [area.right - area.left, area.bottom - area.top];
    if (isOfBox && !(width > 0 && height > 0)) return undefined;
    const view = isOfBox ? { width: 1, height: 1 } : this.#document.view;
    const whole = { x: view.width, y: view.height, r: isOfBox ? 1 : diagonalOf(view) };
    const length = (name: string, axis: keyof typeof whole, absent: number) =>
      readLength(attribute(name), whole[axis]) ?? absent;
    const box: Matrix = isOfBox ? [width, 0, 0, height, area.left, area.top] : [1, 0, 0, 1, 0, 0];
    const placed = times(times(matrix, box), readTransform(attribute("gradientTransform") ?? "", this.#work));
    if (this.#document.tagOf(gradient) === "linearGradient") {
      const coordinates = [
        ...[length("x1", "x", 0), length("y1", "y", 0)],
        ...[length("x2", "x", whole.x), length("y2", "y", 0)],
      ];
      const isPoint = coordinates[0] === coordinates[2] && coordinates[1] === coordinates[3];
      return isPoint ? plain : this.#keep({ type: "linear", coordinates, matrix: placed, stops }, opacity);
    }
    if ((readLength(attribute("fr"), whole.r) ?? 0) > 0) {
      throw new LogoProblem("has a radial gradient that begins at a circle. Use one that begins at a point.");
    }
    const radius = length("r", "r", whole.r / 2);
    if (radius <= 0) return plain;
    const center = [length("cx", "x", whole.x / 2), length("cy", "y", whole.y / 2)] as const;
    const focus = [length("fx", "x", center[0]), length("fy", "y", center[1])] as const;
    const coordinates = [...inside(focus, center, radius), ...center, radius];
    return this.#keep({ type: "radial", coordinates, matrix: placed, stops }, opacity);
  }

  /** Returns a gradient and the ones that it inherits attributes and stops from. */
  #chainOf(gradient: XmlElement): readonly XmlElement[] {
    const known = this.#chains.get(gradient);
    if (known !== undefined) return known;
    const chain = [gradient];
    for (let next = this.#baseOf(gradient); next !== undefined; next = this.#baseOf(next)) {
      if (chain.includes(next) || chain.length > maxChain) {
        throw new LogoProblem(`has a gradient that contains itself, or more than ${maxChain} others`);
      }
      chain.push(next);
    }
    this.#chains.set(gradient, chain);
    return chain;
  }

  #baseOf({ attributes }: XmlElement): XmlElement | undefined {
    const base = this.#document.byId.get(referenceOf(attributes) ?? "");
    return base !== undefined && /Gradient$/.test(this.#document.tagOf(base) ?? "") ? base : undefined;
  }

  #stopsOf(chain: readonly XmlElement[]): LogoGradient["stops"] {
    const { tagOf, styles } = this.#document;
    const stops = chain
      .map(({ children }) => children.filter((child) => tagOf(child) === "stop"))
      .find(({ length }) => length > 0);
    this.#bounds.segments(stops?.length ?? 0);
    let least = 0;
    return (stops ?? []).map((stop) => {
      const declared = styles.declared(stop);
      least = Math.max(least, readShare(stop.attributes.get("offset"), 0));
      const current = readPaint(declared.get("color"), black) ?? black;
      const paint = readPaint(declared.get("stop-color"), current) ?? black;
      const { color, opacity } = paint.kind === "color" ? paint : { ...black, opacity: 0 };
      return {
        offset: rounded(least, 4),
        color,
        opacity: rounded(opacity * readShare(declared.get("stop-opacity")), 4),
      };
    });
  }

  #keep(gradient: LogoGradient, opacity: number): LogoPaint {
    const exact = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(8)));
    const kept = {
      ...gradient,
      coordinates: exact(gradient.coordinates),
      matrix: exact(gradient.matrix) as unknown as Matrix,
    };
    const key = JSON.stringify(kept);
    this.#work.add(key.length);
    const index = this.#indices.get(key) ?? this.all.length;
    if (index === this.all.length) {
      this.#indices.set(key, index);
      this.all.push(kept);
    }
    return { gradient: index, opacity };
  }
}

const black = { kind: "color", color: "#000000", opacity: 1 } as const satisfies SvgPaint;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Moves a focus into its circle, where all programs agree on what to draw. */
function inside(
  [x, y]: readonly [number, number],
  [centerX, centerY]: readonly [number, number],
  radius: number,
): [number, number] {
  const distance = Math.hypot(x - centerX, y - centerY);
  const most = radius * 0.99;
  if (distance <= most) return [x, y];
  return [centerX + ((x - centerX) * most) / distance, centerY + ((y - centerY) * most) / distance];
}

/** Returns the id that an element refers to. */
export function referenceOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const address = (attributes.get("href") ?? attributes.get("xlink:href") ?? "").trim();
  return address.startsWith("#") ? address.slice(1) : undefined;
}
