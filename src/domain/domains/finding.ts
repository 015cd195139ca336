import type { DomainProblem } from "../../contract/resources/domains.ts";

/** A problem, and what was found: one short line. */
export interface Finding {
  readonly problem: DomainProblem;
  readonly detail: string | null;
}

/** The longest detail, in characters. */
const longest = 200;

/** Returns text from elsewhere, such as a DNS record, as one short line without invisible characters. */
export function shortDetail(text: string): string {
  const line = [...text.replace(/[\p{C}\s]+/gu, " ").trim()];
  return line.length > longest ? `${line.slice(0, longest - 1).join("")}…` : line.join("");
}
