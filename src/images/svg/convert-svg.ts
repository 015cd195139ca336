import type { LogoDrawing } from "../../lib/image/logo-drawing.ts";
import { Converter } from "./converter.ts";
import { readDocument, type Size } from "./document.ts";
import type { SvgPicture } from "./pictures.ts";
import { Work } from "./work.ts";

/** An SVG as a drawing whose pictures haven't been checked. */
interface Converted {
  readonly drawing: Omit<LogoDrawing, "pictures">;
  readonly pictures: readonly SvgPicture[];
  readonly size: Size;
}

/** Converts an SVG in linear time. @throws LogoProblem for one that is refused */
export function convertSvg(bytes: Uint8Array, work: Work = new Work(bytes.length)): Converted {
  const document = readDocument(bytes, work);
  const converter = new Converter(document, work);
  const items = converter.convert();
  const drawing = { ...document.drawn, gradients: converter.gradients.all, items };
  return { drawing, pictures: converter.pictures.all, size: document.size };
}
