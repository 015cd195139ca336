import { limits } from "../../contract/limits.ts";
import type { LogoOutline } from "../../lib/image/logo-drawing.ts";
import { type Size, tooManyElements } from "./document.ts";
import { type Area, eachSegment, tooManySegments } from "./outline.ts";
import { LogoProblem } from "./work.ts";

/**
 * How much work a drawing may be. The whole logo has the height 1 and the area 1. Either maximum takes less than a
 * second to draw at 820 pixels, the size of a logo in the largest PNG.
 */
const most = { height: 4000, area: 100, layers: 8, farAway: 1000 } as const;

/** Counts the work of a drawing, and refuses too much of it. */
export class Bounds {
  readonly #size: Size;
  #elements = 0;
  #segments = 0;
  #height = 0;
  #area = 0;
  #pixels = 0;

  constructor(size: Size) {
    this.#size = size;
  }

  /** Counts an element, each time it is drawn. */
  element(): void {
    this.#elements += 1;
    if (this.#elements > limits.logo.elements) throw tooManyElements();
  }

  /** Counts an outline. @param times how often its edges are drawn: a stroke has two sides */
  outline(outline: LogoOutline, times: number): void {
    this.segments(outline.segments.length * times);
    const { height } = this.#size;
    const inside = (y: number) => Math.min(height, Math.max(0, y));
    eachSegment(outline, (_, points) => {
      const ys = points.map(([, y]) => inside(y));
      this.#height += (times * (Math.max(...ys) - Math.min(...ys))) / height;
    });
    if (this.#height > most.height) throw tooMuch();
  }

  segments(count: number): void {
    this.#segments += count;
    if (this.#segments > limits.logo.segments) throw tooManySegments();
  }

  /** Counts an area that is painted. @param times its cost per point, as a multiple of a plain colour's */
  area({ left, top, right, bottom }: Area, times: number): void {
    const { width, height } = this.#size;
    const across = Math.min(width, right) - Math.max(0, left);
    const down = Math.min(height, bottom) - Math.max(0, top);
    this.#area += (times * Math.max(0, across) * Math.max(0, down)) / (width * height);
    if (this.#area > most.area) throw tooMuch();
  }

  /** Counts the pixels of a picture, each time it is drawn. */
  pixels({ width, height }: Size): void {
    this.#pixels += width * height;
    if (this.#pixels <= limits.logo.pixels) return;
    throw new LogoProblem(
      `can draw pictures of at most ${limits.logo.pixels / 1e6} million pixels in all. Use smaller ones.`,
    );
  }

  /** @param count layers of opacity, one inside another */
  layers(count: number): void {
    if (count > most.layers) throw tooMuch();
  }

  /** @throws LogoProblem for points far outside the drawing, or beyond all numbers */
  near({ points }: LogoOutline): void {
    const limit = most.farAway * Math.max(this.#size.width, this.#size.height);
    if (points.every((value) => Math.abs(value) <= limit)) return;
    throw new LogoProblem("draws far outside of its viewBox. Remove what can't be seen.");
  }
}

const tooMuch = () => new LogoProblem("takes too long to draw. Use fewer or simpler elements.");
