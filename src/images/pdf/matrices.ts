import type { LogoMatrix } from "../../lib/image/logo-drawing.ts";
import { decimal } from "./path-operators.ts";

/** Returns the operator that applies a matrix to the following ones. */
export const transformOperator = (matrix: LogoMatrix): string =>
  `${matrix.map((value) => (Math.abs(value) < 1 ? Number(value.toFixed(7)) : decimal(value))).join(" ")} cm\n`;
