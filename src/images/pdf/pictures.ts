import type { PDFDocument } from "@cantoo/pdf-lib";
import { formOf, type Picture } from "./drawing.ts";
import type { Ink } from "./ink.ts";

/** Draws an SVG as a PNG with a width in pixels. */
export type Rasterise = (svg: string, width: number) => Promise<Uint8Array>;

/** The width at which a logo is rasterised: enough for 600 dpi on a label. */
const rasterWidth = 1024;

/** The pictures in a document's drawings, each embedded once. Vectors stay vectors if possible. */
export class Pictures {
  readonly #document: PDFDocument;
  readonly #ink: Ink;
  readonly #files: readonly string[];
  readonly #rasterise: Rasterise;
  readonly #embedded = new Map<string, Promise<Picture>>();

  constructor(document: PDFDocument, ink: Ink, files: readonly string[], rasterise: Rasterise) {
    this.#document = document;
    this.#ink = ink;
    this.#files = files;
    this.#rasterise = rasterise;
  }

  /** @param address `file:` and the index of a file, or a data URI */
  find(address: string): Promise<Picture> {
    const known = this.#embedded.get(address);
    if (known !== undefined) return known;
    const index = /^file:(\d+)$/.exec(address)?.[1];
    const embedded = this.#embed(index === undefined ? address : (this.#files[Number(index)] ?? ""));
    this.#embedded.set(address, embedded);
    return embedded;
  }

  async #embed(dataUri: string): Promise<Picture> {
    const [, mediaType, base64] = /^data:(image\/(?:png|svg\+xml));base64,(.*)$/.exec(dataUri) ?? [];
    if (base64 === undefined) throw new Error("no picture of a drawing");
    const bytes = Uint8Array.fromBase64(base64);
    if (mediaType === "image/png") return this.#document.embedPng(bytes);
    const svg = new TextDecoder().decode(bytes);
    try {
      const form = await formOf(svg, { document: this.#document, ink: this.#ink, pictures: this });
      return { ref: form.ref, form };
    } catch {
      // It has elements that aren't supported here.
      return this.#document.embedPng(await this.#rasterise(svg, rasterWidth));
    }
  }
}
