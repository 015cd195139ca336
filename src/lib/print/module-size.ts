import { round } from "./sheets.ts";

/** Printer dots that a module needs: fewer, and dots that spread close it. DENSO's rule for printed codes. */
const dotsOfModule = 4;

const millimetresOfInch = 25.4;

/** The smallest width of a module that a printer of this resolution prints well. @param dpi dots per inch */
export const smallestModule = (dpi: number): number => (dotsOfModule * millimetresOfInch) / dpi;

/** Whole dots of a module in an image of this width. @param modules across, quiet zone included */
export const dotsPerModule = (width: number, modules: number, dpi: number): number =>
  Math.floor((width / modules / millimetresOfInch) * dpi + 0.001);

/** The smallest width of a code, rounded up to tenths. @param modules across, quiet zone included */
export const smallestCode = (modules: number, dpi: number): number =>
  round(Math.ceil(modules * smallestModule(dpi) * 10 - 0.001) / 10);
