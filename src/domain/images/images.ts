import { type ImageQuery, imageTypes } from "../../contract/resources/images.ts";
import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../../lib/crypto/crypto.ts";
import { placeLogo } from "../../lib/image/logo-box.ts";
import { readPng } from "../../lib/image/png-reading.ts";
import {
  drawPng,
  drawSvg,
  type Frame,
  type PlacedFile,
  type PlacedRaster,
  pixelsOfModule,
} from "../../lib/image/qr-drawing.ts";
import { type QrSymbol, qrSymbol } from "../../lib/image/qr-symbol.ts";
import { findByHash, type Styled } from "../../store/code-styles.ts";
import { findLogo, type LogoRow, readLogoBytes } from "../../store/logos.ts";
import type { Caller } from "../identity/caller.ts";
import { invalid } from "../errors.ts";
import { unknownHashThrottle } from "../throttle.ts";
import { requireLook } from "./design.ts";
import type { ImageFile } from "./image-file.ts";
import { requireQr } from "../codes/codes.ts";

/**
 * The share of a code's modules that a logo may cover: little enough that error correction H restores each block of
 * codewords with some to spare for dirt.
 */
export const maxLogoShare = 1 / 8;

/** Raised when the same design is drawn in another way, so that nobody keeps the old image. */
const drawing = 1;

/** The image of a code of the workspace. @throws not_found, invalid_input for a look that phones can't read */
export async function imageOf(deps: Deps, caller: Caller, id: string, query: ImageQuery): Promise<ImageFile> {
  const row = await requireQr(deps, caller, id);
  return describe(deps, { ...row, plan: caller.plan }, query);
}

/**
 * The image of the code with this hash, paused or not: it may be printed before it leads anywhere.
 * @returns `unknown` for no code or a deleted one, `throttled` for a network that looks up too many unknown hashes
 * @throws invalid_input for a look that phones can't read
 */
export async function imageByHash(
  deps: Deps,
  hash: string,
  query: ImageQuery,
  clientAddress: string,
): Promise<ImageFile | "unknown" | "throttled"> {
  const now = deps.now();
  const throttle = unknownHashThrottle(deps);
  if (throttle.retryAfter(clientAddress, now) > 0) return "throttled";
  const row = await findByHash(deps.db, hash);
  if (row === undefined) {
    await throttle.countMiss(clientAddress, now);
    return "unknown";
  }
  return row.deletedAt === null ? describe(deps, row, query) : "unknown";
}

/** The image as far as it is known before it is drawn. */
async function describe(deps: Deps, code: Styled, query: ImageQuery): Promise<ImageFile> {
  const { format, size, margin } = query;
  const { fullDesign } = plans[code.plan];
  const { cornerColor, ...colors } = code.colorConfig ?? {};
  const design = requireLook({ shape: code.shape, colorConfig: fullDesign ? code.colorConfig : colors });
  const logo =
    fullDesign && code.logoId !== null ? await findLogo(deps.db, code.workspaceId, code.logoId) : undefined;
  // A logo hides modules, which only this much of error correction makes up for.
  const ecc = logo === undefined ? query.ecc : "H";
  const text = `${deps.scanOrigin}/${code.hash}`;
  const symbol = qrSymbol(text, ecc);
  const frame = { size, margin };
  if (format === "png") {
    requirePixels(symbol, frame);
    if (logo?.mediaType === "image/svg+xml") throw notAsPng();
  }
  const all = [drawing, text, design.dots, design.corners, design.background, design.shape];
  const logoTag = logo === undefined ? [] : [logo.id, maxLogoShare];
  const tag = await sha256(JSON.stringify([...all, format, size, margin, ecc, ...logoTag]));
  return {
    mediaType: imageTypes[format],
    filename: `${code.hash}.${format}`,
    attachment: query.download,
    tag: `"${tag.slice(0, 32)}"`,
    draw: async () => {
      const placed = logo && (await place(deps, code, logo, symbol));
      return format === "png"
        ? drawPng(symbol, frame, design, placed && (await rasterOf(placed)))
        : Uint8Array.from(new TextEncoder().encode(drawSvg(symbol, frame, design, placed)));
    },
  };
}

/** A logo with its bytes, where it stands in the symbol. */
async function place(deps: Deps, code: Styled, logo: LogoRow, symbol: QrSymbol): Promise<PlacedFile> {
  return {
    mediaType: logo.mediaType,
    bytes: await readLogoBytes(deps.db, code.workspaceId, logo.id),
    place: placeLogo(symbol.side, maxLogoShare, logo.size.width / logo.size.height),
  };
}

const rasterOf = async ({ bytes, place }: PlacedFile): Promise<PlacedRaster> => ({
  raster: await readPng(bytes, limits.logo.side),
  place,
});

const notAsPng = () =>
  invalid(
    "format",
    "a PNG can't show this code's logo, which is an SVG; take the SVG image, or apply a template whose logo is a PNG",
  );

function requirePixels(symbol: QrSymbol, frame: Frame): void {
  if (pixelsOfModule(symbol, frame) > 0) return;
  const least = symbol.side + 2 * frame.margin;
  throw invalid("size", `must be at least ${least} for a code with this margin; or make the margin smaller`);
}
