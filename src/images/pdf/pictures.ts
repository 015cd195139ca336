import type { PDFDocument } from "@cantoo/pdf-lib";
import type { LogoDrawing } from "../../lib/image/logo-drawing.ts";
import type { Picture } from "./drawing.ts";
import type { Ink } from "./ink.ts";
import { logoForm } from "./logo.ts";

/** The pictures in a document's drawings, each embedded once. Logos are vectors, or pixels if they came as such. */
export class Pictures {
  readonly #document: PDFDocument;
  readonly #ink: Ink;
  readonly #files: readonly string[];
  readonly #embedded = new Map<string, Promise<Picture>>();

  constructor(document: PDFDocument, ink: Ink, files: readonly string[]) {
    this.#document = document;
    this.#ink = ink;
    this.#files = files;
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
    const [, mediaType, base64] = /^data:(image\/png|application\/json);base64,(.*)$/.exec(dataUri) ?? [];
    if (base64 === undefined) throw new Error("no picture of a drawing");
    const bytes = Uint8Array.fromBase64(base64);
    if (mediaType === "image/png") return this.#document.embedPng(bytes);
    const drawing: LogoDrawing = JSON.parse(new TextDecoder().decode(bytes));
    const form = await logoForm(drawing, { document: this.#document, ink: this.#ink, pictures: this });
    return { ref: form.ref, form };
  }
}
