import { foldCase } from "./fold-case.ts";

/**
 * Returns text that sorts names without regard to case, and numbers in them by value: `Table 2` before `Table 10`. Each
 * number is prefixed with its length. Only names that differ at most in case have the same text.
 */
export const naturalOrder = (name: string): string =>
  foldCase(name).replace(/\d+/g, (digits) => String(digits.length).padStart(3, "0") + digits);
