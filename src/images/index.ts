import { WorkerEntrypoint } from "cloudflare:workers";
import { bounds } from "../protocol/bounds.ts";
import type {
  CheckedLogo,
  DisturbedPicture,
  ImagesMethods,
  Measurement,
  PrintedDocument,
  Readable,
  ReadSvg,
} from "../protocol/images.ts";
import { drawDisturbed } from "./disturbed.ts";
import { Gate } from "./gate.ts";
import { checkLogo } from "./logo.ts";
import { measure } from "./measure.ts";
import { pngOf, rasterise } from "./rasterise.ts";

const drawings = new Gate(bounds.imagesWorker.drawings);
const documents = new Gate(bounds.imagesWorker.documents);
const measurements = new Gate(bounds.imagesWorker.measurements, bounds.imagesWorker.waitingMeasurements);

/** Does the work that needs WebAssembly, in other isolates than those that answer scans. */
export default class Images extends WorkerEntrypoint implements ImagesMethods {
  png(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>> {
    return drawings.pass(() => rasterise(svg, width, pngOf));
  }

  checkLogo(bytes: Uint8Array, maxBytes: number): Promise<CheckedLogo> {
    return drawings.pass(() => checkLogo(bytes, maxBytes));
  }

  readSvg(bytes: Uint8Array, maxPicture: number): Promise<ReadSvg> {
    return drawings.pass(async () => {
      const { readSvg } = await import("./svg/read-svg.ts");
      return readSvg(bytes, maxPicture);
    });
  }

  pdf(document: PrintedDocument): Promise<Uint8Array<ArrayBuffer>> {
    return documents.pass(async () => {
      const { drawPdf } = await import("./pdf/document.ts");
      return drawPdf(document);
    });
  }

  measure(readables: readonly Readable[], modules: number, seed?: number): Promise<Measurement> {
    return measurements.pass(() => measure(readables, modules, seed));
  }

  disturbed(
    svg: string,
    modules: number,
    pictures: readonly DisturbedPicture[],
  ): Promise<Uint8Array<ArrayBuffer>> {
    return documents.pass(() => drawDisturbed(svg, modules, pictures));
  }
}
