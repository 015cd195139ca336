import type { Hex } from "./color.ts";

/** The root element of a drawing of ours, whose coordinates begin at 0. */
const root = /^<svg xmlns="[^"]*" width="[^"]*" height="[^"]*" viewBox="0 0 ([\d.]+) ([\d.]+)">/;

/**
 * A square SVG with a drawing of ours in the middle, each of whose units, the modules, is a whole number of pixels.
 * @param size pixels per side, at least one for each unit
 * @param background fills what is left over
 */
export function atWholePixels(svg: string, size: number, background: Hex | "transparent"): string {
  const [head = "", width, height] = root.exec(svg) ?? [];
  const units = [Number(width), Number(height)];
  const pitch = Math.floor(size / Math.max(...units));
  if (!(pitch > 0)) throw new Error("less than one pixel per module");
  const [across = 0, down = 0] = units.map((length) => length * pitch);
  const place = `x="${(size - across) >> 1}" y="${(size - down) >> 1}" width="${across}" height="${down}"`;
  const ground =
    background === "transparent" ? "" : `<path fill="${background}" d="M0 0h${size}v${size}h-${size}z"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">${ground}` +
    `<svg ${place} viewBox="0 0 ${width} ${height}">${svg.slice(head.length).trimEnd()}</svg>`
  );
}
