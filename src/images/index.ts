import { WorkerEntrypoint } from "cloudflare:workers";
import type { CheckedLogo, ImagesMethods, PrintedDocument } from "../protocol/images.ts";
import { checkLogo } from "./logo.ts";
import { rasterise } from "./rasterise.ts";

/** Draws what needs WebAssembly, apart from the isolates that answer scans. */
export default class Images extends WorkerEntrypoint implements ImagesMethods {
  png(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>> {
    return rasterise(svg, width, (image) => new Uint8Array(image.asPng()));
  }

  checkLogo(bytes: Uint8Array, maxBytes: number): Promise<CheckedLogo> {
    return checkLogo(bytes, maxBytes);
  }

  async pdf(document: PrintedDocument): Promise<Uint8Array<ArrayBuffer>> {
    const { drawPdf } = await import("./pdf/document.ts");
    return drawPdf(document, (svg, width) => this.png(svg, width));
  }
}
