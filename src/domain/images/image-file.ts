/** An image that is drawn on demand. */
export interface ImageFile {
  readonly mediaType: string;
  /** The name a download is saved under. */
  readonly filename: string;
  /** Whether browsers should save it instead of showing it. */
  readonly attachment: boolean;
  /** The ETag, in quotes. */
  readonly tag: string;
  draw(): Promise<Uint8Array<ArrayBuffer>>;
}
