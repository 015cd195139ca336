/** A place named by a map link: decimal degrees as written in the link. */
export interface Place {
  readonly latitude: string;
  readonly longitude: string;
  readonly label?: string;
}

export function readMapLink(input: string): Place | null;

/** A type of code that a pasted text can fill in. */
type PastedType = "url" | "sms" | "whatsapp" | "email" | "location" | "telegram";

/** The destination of a pasted text. */
export interface Pasted {
  /** The types of code that can lead there, the likeliest first. */
  readonly types: readonly [PastedType, ...PastedType[]];
  /** The destination as these types take it. */
  readonly text: string;
}

export function readPasted(input: string): Pasted | null;

/** The module as text, for the browser. Imported with { type: "text" }. */
declare const text: string;
export default text;
