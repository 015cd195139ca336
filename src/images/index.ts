import { WorkerEntrypoint } from "cloudflare:workers";
import type {
  CheckedLogo,
  ImagesMethods,
  Measurement,
  PrintedDocument,
  Readable,
} from "../protocol/images.ts";
import { Gate } from "./gate.ts";
import { checkLogo } from "./logo.ts";
import { measure } from "./measure.ts";
import { rasterise } from "./rasterise.ts";

/**
 * Calls at a time. A drawing is not interrupted, so those that wait hold their SVG alone: 0.4 MB at most. A measurement holds
 * sixteen of them.
 */
const drawings = new Gate(50);
const measurements = new Gate(4);

/** Draws what needs WebAssembly, apart from the isolates that answer scans. */
export default class Images extends WorkerEntrypoint implements ImagesMethods {
  png(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>> {
    return drawings.pass(() => rasterise(svg, width, (image) => new Uint8Array(image.asPng())));
  }

  checkLogo(bytes: Uint8Array, maxBytes: number): Promise<CheckedLogo> {
    return drawings.pass(() => checkLogo(bytes, maxBytes));
  }

  async pdf(document: PrintedDocument): Promise<Uint8Array<ArrayBuffer>> {
    const { drawPdf } = await import("./pdf/document.ts");
    return drawPdf(document, (svg, width) => this.png(svg, width));
  }

  measure(readables: readonly Readable[], modules: number): Promise<Measurement> {
    return measurements.pass(() => measure(readables, modules));
  }
}
