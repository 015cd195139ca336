/** A logo as a PNG that can be drawn, or what is wrong with its file, in words that follow the field's name. */
export type CheckedLogo =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly width: number; readonly height: number }
  | { readonly problem: string };

/** The methods of the images Worker. */
export interface ImagesMethods {
  /** An SVG of this service as PNG. @param width of the PNG in pixels; its height follows from the SVG's proportions */
  png(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Draws the file of a logo, a PNG or a JPEG, to see that it can be drawn. @param maxBytes of the PNG that is made of it */
  checkLogo(bytes: Uint8Array, maxBytes: number): Promise<CheckedLogo>;
}
