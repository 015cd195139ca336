import { limits } from "../../contract/limits.ts";
import type { LogoDrawing } from "../../lib/image/logo-drawing.ts";
import type { ReadSvg } from "../../protocol/images.ts";
import { checkLogo } from "../logo.ts";
import { convertSvg } from "./convert-svg.ts";
import type { SvgPicture } from "./pictures.ts";
import { LogoProblem } from "./work.ts";

/**
 * The most bytes of a drawing: a fixed number, and some for each byte of its file. A circle takes nine times its
 * element; repeated references to something large would take more.
 */
const fixedBytes = 4096;
const bytesPerByte = 12;

/**
 * Makes a drawing of an uploaded SVG.
 * @param maxPicture bytes of each picture in it, as a PNG
 */
export async function readSvg(bytes: Uint8Array, maxPicture: number): Promise<ReadSvg> {
  try {
    const { drawing, pictures, size } = convertSvg(bytes);
    const checked: string[] = [];
    for (const picture of pictures) checked.push(await pngOfPicture(picture, maxPicture));
    const text = JSON.stringify({ ...drawing, pictures: checked } satisfies LogoDrawing);
    const most = Math.min(limits.logo.drawing, fixedBytes + bytes.length * bytesPerByte);
    if (text.length > most) return { problem: "is too complex. Simplify it." };
    return { drawing: text, ...size };
  } catch (error) {
    if (error instanceof LogoProblem) return { problem: error.message };
    throw error;
  }
}

/** Checks a picture in an SVG like an uploaded one. */
async function pngOfPicture({ bytes }: SvgPicture, maxBytes: number): Promise<string> {
  const checked = await checkLogo(bytes, maxBytes);
  if ("problem" in checked) throw new LogoProblem(`has a picture that can't be used: it ${checked.problem}`);
  return checked.bytes.toBase64();
}
