/** A place named by a map link: decimal degrees as written in the link. */
export interface Place {
  readonly latitude: string;
  readonly longitude: string;
  readonly label?: string;
}

export function readMapLink(input: string): Place | null;

/** The module as text, for the browser. Imported with { type: "text" }. */
declare const text: string;
export default text;
