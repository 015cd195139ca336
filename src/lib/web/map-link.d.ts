/** A place that a link to a map names: decimal degrees as they stand in the link. */
export interface Place {
  readonly latitude: string;
  readonly longitude: string;
  readonly label?: string;
}

export function readMapLink(input: string): Place | null;

/** The module as text, for the browser: imported with { type: "text" }. */
declare const text: string;
export default text;
