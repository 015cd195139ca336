import type { Design } from "./design.ts";
import { outline } from "./outline.ts";
import { args, circle, polygon, short } from "./path.ts";

/** Whether a module must be drawn. */
type IsDark = (x: number, y: number) => boolean;

/**
 * The width of bars, and the distance of a diamond's corners from its centre: enough ink for phones, and a clear gap.
 */
const barWidth = 0.8;
const diamondReach = 0.6;

/** Draws the modules in each style as one path, in units of modules. @param side of the symbol */
const styles: Readonly<Record<Design["modules"], (side: number, isDark: IsDark) => string>> = {
  square: outline,
  rounded: (side, isDark) => outline(side, isDark, { outer: 0.32, inner: 0 }),
  connected: (side, isDark) => outline(side, isDark, { outer: 0.5, inner: 0.35 }),
  dots: (side, isDark) => each(side, isDark, (x, y) => circle({ x: x + 0.5, y: y + 0.5 }, 0.5)),
  diamond: (side, isDark) => each(side, isDark, diamond),
  vertical: (side, isDark) =>
    bars(
      side,
      (line, along) => isDark(line, along),
      (line, from, length) => bar(line, from, barWidth, length),
    ),
  horizontal: (side, isDark) =>
    bars(
      side,
      (line, along) => isDark(along, line),
      (line, from, length) => bar(from, line, length, barWidth),
    ),
};

export const modulePath = (style: Design["modules"], side: number, isDark: IsDark): string =>
  styles[style](side, isDark);

function each(side: number, isDark: IsDark, draw: (x: number, y: number) => string): string {
  let path = "";
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) if (isDark(x, y)) path += draw(x, y);
  }
  return path;
}

function diamond(x: number, y: number): string {
  const [cx, cy, radius] = [x + 0.5, y + 0.5, 0];
  return polygon([
    { x: cx, y: cy - diamondReach, radius },
    { x: cx + diamondReach, y: cy, radius },
    { x: cx, y: cy + diamondReach, radius },
    { x: cx - diamondReach, y: cy, radius },
  ]);
}

/** Returns the runs of dark modules along each line. */
function bars(
  side: number,
  isDark: IsDark,
  draw: (line: number, from: number, length: number) => string,
): string {
  let path = "";
  for (let line = 0; line < side; line += 1) {
    for (let from = 0; from < side; from += 1) {
      let end = from;
      while (end < side && isDark(line, end)) end += 1;
      if (end > from) path += draw(line, from, end - from);
      from = end;
    }
  }
  return path;
}

/** Draws a bar with round ends, centred in its modules. One of its sides is `barWidth`. */
function bar(x: number, y: number, width: number, height: number): string {
  const inset = (1 - barWidth) / 2;
  const end = barWidth / 2;
  const arc = (dx: number, dy: number) => `a${args(end, end, 0, 0, 1, dx, dy)}`;
  return width === barWidth
    ? `M${args(x + inset, y + end)}${arc(barWidth, 0)}v${short(height - barWidth)}${arc(-barWidth, 0)}z`
    : `M${args(x + end, y + inset)}h${short(width - barWidth)}${arc(0, barWidth)}h${short(barWidth - width)}${arc(0, -barWidth)}z`;
}
