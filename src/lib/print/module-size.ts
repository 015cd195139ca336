import { round } from "./sheets.ts";

/** Printer dots per module. With fewer, dots that spread close the gaps. DENSO's rule for printed codes. */
const dotsOfModule = 4;

const millimetresOfInch = 25.4;

/** Returns the smallest module that a printer of this resolution prints well. @param dpi dots per inch */
export const smallestModule = (dpi: number): number => (dotsOfModule * millimetresOfInch) / dpi;

/** Returns the whole dots per module in an image of this width. @param modules across, including the quiet zone */
export const dotsPerModule = (width: number, modules: number, dpi: number): number =>
  Math.floor((width / modules / millimetresOfInch) * dpi + 0.001);

/** Returns the smallest width of a code, rounded up to tenths. @param modules across, including the quiet zone */
export const smallestCode = (modules: number, dpi: number): number =>
  round(Math.ceil(modules * smallestModule(dpi) * 10 - 0.001) / 10);
