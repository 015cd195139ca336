/** An image whose bytes are made on demand. */
export interface ImageFile {
  readonly mediaType: string;
  readonly filename: string;
  /** Whether browsers save the image instead of showing it. */
  readonly attachment: boolean;
  /** The ETag: it changes with the bytes. */
  readonly tag: string;
  draw(): Promise<Uint8Array<ArrayBuffer>>;
}
