import type { Size } from "../../lib/print/sheets.ts";

/** Returns the size of one of our drawings, whose units are modules. */
export function sizeInModules(svg: string): Size {
  const [, , width = 1, height = 1] = (/viewBox="([^"]+)"/.exec(svg)?.[1] ?? "").split(" ").map(Number);
  return { width, height };
}
