import type { ScanQuery } from "../../contract/resources/enums.ts";

/** The ways in which the query of a scan is passed on, by their names in a form. */
export const queryNames: Readonly<Record<ScanQuery, string>> = {
  off: "Ignored",
  merge: "Add if missing",
  raw: "Pass through unchanged",
};
