import { imageTypes } from "../../contract/resources/enums.ts";
import type { ImageQuery } from "../../contract/resources/images.ts";
import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { Deps } from "../deps.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { fileNameOf } from "../../lib/text/file-name.ts";
import { placeLogo } from "../../lib/image/logo-placement.ts";
import { isPlain } from "../../lib/image/design.ts";
import { drawPng, drawSvg, type Frame, type PlacedFile, pixelsOfModule } from "../../lib/image/qr-drawing.ts";
import { atWholePixels } from "../../lib/image/whole-pixels.ts";
import { type QrSymbol, qrSymbol } from "../../lib/image/qr-symbol.ts";
import { findStyleByHash, type StyledCode } from "../../store/codes/styles.ts";
import { findLogo, type LogoRow } from "../../store/templates/logos.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { invalid } from "../errors.ts";
import { type Miss, unknownHashThrottle } from "../throttle.ts";
import { lookUpWithCorrections } from "../routing/misreadings.ts";
import { designOf } from "./design.ts";
import { askImagesWorker, type RemoteImages } from "./images-worker.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { readLogoFile } from "../templates/logo-files.ts";
import { requireQr } from "../codes/codes.ts";

/**
 * The largest share of a code's modules that a logo may cover. Error correction H then restores every block of codewords
 * and has a reserve for dirt.
 */
export const maxLogoShare = 1 / 8;

/** Part of every ETag: incremented when the drawing changes, so that caches fetch new images. */
const drawingVersion = 2;

/** Raster images of several sizes are kept side by side: each has its size in its name. */
const filenameOf = (name: string, { format, size }: ImageQuery): string =>
  format === "png" ? `${name}-${size}.png` : `${name}.${format}`;

/** The image of a code of the workspace, as a file with the code's name. @throws not_found; invalid_input for a design that phones can't scan */
export async function getCodeImage(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  query: ImageQuery,
): Promise<DrawnFile> {
  const row = await requireQr(deps, context, id);
  const { workspaceId, hash, colorConfig, shape, advanced, logoId } = row;
  const code = { workspaceId, hash, colorConfig, shape, advanced, logoId, plan: context.plan };
  const file = await prepareImage(deps, code, query);
  return { ...file, filename: filenameOf(fileNameOf(row.name ?? "") || hash, query) };
}

/**
 * The image of the code with this hash. A paused code has one too, since codes may be printed before they are active. That
 * of a suspended one, or of one in a suspended workspace, has neither logo nor colours: nothing to recognise a brand by.
 * @returns `unknown` also for a deleted code
 * @throws invalid_input for a design that phones can't scan
 */
export async function findImageByHash(
  deps: Deps,
  hash: string,
  query: ImageQuery,
  clientAddress: string,
): Promise<DrawnFile | Miss> {
  const row = await unknownHashThrottle(deps).lookUp(
    clientAddress,
    async () =>
      (await lookUpWithCorrections(deps, hash, (reading) => findStyleByHash(deps.db, reading))) ?? null,
  );
  if (typeof row === "string") return row;
  if (row.deletedAt !== null) return "unknown";
  const isSuspended = row.suspended !== null || row.workspaceSuspended !== null;
  return prepareImage(
    deps,
    isSuspended ? { ...row, colorConfig: null, advanced: null, logoId: null } : row,
    query,
  );
}

/** The image's headers, and a function that draws it. @throws invalid_input for a design that phones can't scan */
export const prepareImage = async (deps: Deps, code: StyledCode, query: ImageQuery): Promise<DrawnFile> =>
  prepareDrawing(deps, code, query, await drawnLogo(deps, code));

/** A logo to draw, whose file is read when the image is drawn. */
export interface DrawnLogo extends LogoRow {
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The stored logo of a code; undefined for none, and on a plan that draws none. */
export async function drawnLogo(
  deps: Deps,
  { workspaceId, plan, logoId }: Pick<StyledCode, "workspaceId" | "plan" | "logoId">,
): Promise<DrawnLogo | undefined> {
  if (logoId === null || !plans[plan].fullDesign) return undefined;
  const logo = await findLogo(deps.db, workspaceId, logoId);
  return logo && { ...logo, read: () => readLogoFile(deps, { workspaceId, id: logo.id }) };
}

/** The logos of many codes of a workspace: each is looked up and read once. */
export class SharedLogos {
  readonly #deps: Deps;
  readonly #context: WorkspaceContext;
  readonly #byId = new Map<string | null, Promise<DrawnLogo | undefined>>();

  constructor(deps: Deps, context: WorkspaceContext) {
    this.#deps = deps;
    this.#context = context;
  }

  /** The logo to draw for a code with this logo. */
  find(logoId: string | null): Promise<DrawnLogo | undefined> {
    const known = this.#byId.get(logoId);
    if (known !== undefined) return known;
    const { workspaceId, plan } = this.#context;
    const found = drawnLogo(this.#deps, { workspaceId, plan, logoId }).then((logo) => logo && readOnce(logo));
    this.#byId.set(logoId, found);
    return found;
  }
}

function readOnce(logo: DrawnLogo): DrawnLogo {
  let file: ReturnType<DrawnLogo["read"]> | undefined;
  return {
    ...logo,
    read: () => {
      file ??= logo.read();
      return file;
    },
  };
}

/** The image of a code with this logo. @throws invalid_input for a design that phones can't scan */
export async function prepareDrawing(
  deps: Deps,
  code: Omit<StyledCode, "logoId">,
  query: ImageQuery,
  logo: DrawnLogo | undefined,
): Promise<DrawnFile> {
  const { format, size } = query;
  const design = designOf(code, code.plan);
  const margin = query.margin ?? design.quietZone ?? limits.image.margin.default;
  // Only the highest level of error correction makes up for the modules that a logo covers.
  const ecc = logo === undefined ? (query.ecc ?? design.ecc ?? "M") : "H";
  const text = `${deps.settings.scanOrigin}/${code.hash}`;
  const symbol = qrSymbol(text, ecc);
  const frame = { size, margin };
  if (format === "png") {
    requireMinimumSize(symbol, frame);
    if (logo !== undefined && size > limits.drawnPng) {
      throw invalid(
        "size",
        `must be at most ${limits.drawnPng} for a PNG with a logo. For a larger image, use the SVG.`,
      );
    }
  }
  const logoTag = logo === undefined ? [] : [logo.id, maxLogoShare];
  const tag = await sha256Hex(
    JSON.stringify([drawingVersion, text, design, format, size, margin, ecc, ...logoTag]),
  );
  return {
    mediaType: imageTypes[format],
    filename: filenameOf(code.hash, query),
    attachment: query.download,
    tag: `"${tag.slice(0, 32)}"`,
    draw: async () => {
      if (format === "png" && logo === undefined && isPlain(design)) return drawPng(symbol, frame, design);
      const placed = logo && (await placeLogoFile(logo, symbol));
      if (format === "svg")
        return Uint8Array.from(new TextEncoder().encode(drawSvg(symbol, frame, design, placed)));
      return askImagesWorker(deps, pngOfDesign, async (images) => {
        const drawn = placed && (await withoutVectors(images, placed, pixelsOfModule(symbol, frame)));
        const svg = drawSvg(symbol, frame, design, drawn);
        return images.png(atWholePixels(svg, size, design.background), size);
      });
    },
  };
}

/** A logo's file, with its position in the symbol. */
const placeLogoFile = async (logo: DrawnLogo, symbol: QrSymbol): Promise<PlacedFile> => ({
  mediaType: logo.mediaType,
  bytes: await logo.read(),
  place: placeLogo(symbol.side, maxLogoShare, logo.size.width / logo.size.height),
});

/** The logo as PNG: in an SVG inside another one, the images Worker would not draw embedded pictures. */
async function withoutVectors(images: RemoteImages, logo: PlacedFile, pitch: number): Promise<PlacedFile> {
  if (logo.mediaType !== "image/svg+xml") return logo;
  const width = Math.ceil(logo.place.logo.width * pitch);
  return {
    ...logo,
    mediaType: "image/png",
    bytes: await images.png(new TextDecoder().decode(logo.bytes), width),
  };
}

const pngOfDesign = { what: "A PNG of this design", instead: "Use the SVG." };

function requireMinimumSize(symbol: QrSymbol, frame: Frame): void {
  if (pixelsOfModule(symbol, frame) > 0) return;
  const minimum = symbol.side + 2 * frame.margin;
  throw invalid(
    "size",
    `must be at least ${minimum} for a code with this margin. Use a larger size or a smaller margin.`,
  );
}
