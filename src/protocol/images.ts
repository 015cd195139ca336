/** The methods of the images Worker. */
export interface ImagesMethods {
  /** An SVG of this service as PNG. @param width of the PNG in pixels; its height follows from the SVG's proportions */
  png(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>>;
}
