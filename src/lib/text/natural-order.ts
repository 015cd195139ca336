import { foldCase } from "./fold-case.ts";

/**
 * Text that orders names without regard to case, and their numbers by value: `Table 2` before `Table 10`. Each number
 * follows its length. Only names that are the same without regard to case have the same.
 */
export const naturalOrder = (name: string): string =>
  foldCase(name).replace(/\d+/g, (digits) => String(digits.length).padStart(3, "0") + digits);
