import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import { imageTypes } from "../../contract/resources/enums.ts";
import type { ImageQuery } from "../../contract/resources/images/images.ts";
import { workUnits } from "../../contract/work-units.ts";
import { lookUpWithCorrections } from "../../edge/routing/misreadings.ts";
import { type Miss, unknownHashThrottle } from "../../edge/routing/throttle.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { isPlain } from "../../lib/image/design.ts";
import { drawCode, type LogoFile } from "../../lib/image/drawing.ts";
import { surround } from "../../lib/image/frame.ts";
import { logoSvg } from "../../lib/image/logo-drawing.ts";
import { coveredModules, placeLogo } from "../../lib/image/logo-placement.ts";
import { drawPng } from "../../lib/image/plain-png.ts";
import { encodeSymbol } from "../../lib/image/qr-symbol.ts";
import { svgOf } from "../../lib/image/svg.ts";
import { atWholePixels } from "../../lib/image/whole-pixels.ts";
import { describeError, log } from "../../lib/log.ts";
import { fileNameOf } from "../../lib/text/file-name.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { findStyleByHash, findStyleById, type StyledCode } from "../../store/codes/styles.ts";
import { readDrawing, writeDrawing } from "../../store/images/shared-drawings.ts";
import { findLogo, type LogoRow } from "../../store/logos/logos.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid, rateLimited, requireFound } from "../errors.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { askImagesWorker, type RemoteImages } from "../images-worker.ts";
import {
  fileOf,
  type LogoPicture,
  printedFileOf,
  readLogoPicture,
  requireDrawing,
  tagOf,
} from "../logos/pictures.ts";
import { isWorkExceeded } from "../public-work.ts";
import { designOf, lowestContrast } from "./design.ts";
import { glyphs } from "./glyphs.ts";
import { planCode, ratioOf } from "./symbols.ts";

/** Part of every ETag: incremented when the drawing changes, so that caches fetch new images. */
const drawingVersion = 5;

/** Raster images of several sizes are kept side by side: each has its size in its name. */
const filenameOf = (name: string, { format, size }: ImageQuery): string =>
  format === "png" ? `${name}-${size}.png` : `${name}.${format}`;

/**
 * Returns the image of a code, as a file named after the code. @throws not_found; invalid_input for a design that
 * phones can't scan; rate_limited when a PNG is drawn
 */
export async function getCodeImage(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  query: ImageQuery,
  use?: DrawingUse,
): Promise<DrawnFile> {
  const { workspaceId } = context;
  const code = requireFound(await findStyleById(deps.db, workspaceId, id), "QR code");
  const drawing = await prepareDrawing(deps, code, query, readableLogo(deps, code, code.logo), use);
  const file = cached(deps, drawing, async () => {
    if (query.format === "png") await takeHeavyWork(deps, workspaceId, workUnits.png(query.size));
  });
  return { ...file, filename: filenameOf(fileNameOf(code.name ?? "") || code.hash, query) };
}

/**
 * Returns the image of the code with this hash. Paused codes have one, since codes may be printed before they are
 * active. If the code or its workspace is suspended, the image has no logo or colours by which a brand could be
 * recognised.
 * @param workspaceId at its domain, where only its codes are known; omitted for all
 * @returns `unknown` also for a deleted code
 * @throws invalid_input for a design that phones can't scan
 */
export async function findImageByHash(
  deps: Deps,
  hash: string,
  query: ImageQuery,
  clientAddress: string,
  workspaceId?: string,
): Promise<DrawnFile | Miss> {
  const row = await unknownHashThrottle(deps).lookUp(
    clientAddress,
    async () =>
      (await lookUpWithCorrections(deps, hash, (reading) => findStyleByHash(deps.db, reading))) ?? null,
  );
  if (typeof row === "string") return row;
  if (row.deletedAt !== null) return "unknown";
  if (workspaceId !== undefined && (row.workspaceId !== workspaceId || row.scanOriginOnly === true))
    return "unknown";
  const isSuspended = row.suspended !== null || row.workspaceSuspended !== null;
  const style = isSuspended ? { ...row, colorConfig: null, advanced: null, logo: null } : row;
  const drawing = await prepareDrawing(deps, style, query, readableLogo(deps, row, style.logo));
  return cached(deps, drawing, () => requireDrawingAllowed(deps, clientAddress));
}

/** Counts a public image that has to be drawn. @throws rate_limited if its network has had too many */
export async function requireDrawingAllowed(deps: Deps, clientAddress: string): Promise<void> {
  if (await isWorkExceeded(deps, clientAddress, "drawing")) throw rateLimited(60);
}

/**
 * Caches an image in the colo once it has been drawn. The key is its tag, which contains everything it depends on, so a
 * changed design has another key.
 * @param mayDraw throws if it must not be drawn
 */
export function cached(
  deps: Deps,
  file: DrawnFile,
  mayDraw: () => Promise<void> = async () => {},
): DrawnFile {
  const key = `images/${file.tag.replaceAll('"', "")}`;
  const logFailure = (error: unknown) => log("error", "drawings not cached", { error: describeError(error) });
  return {
    ...file,
    draw: async () => {
      const known = await readDrawing(deps.drawings, key).catch(logFailure);
      if (known) return new Uint8Array(await known.arrayBuffer());
      await mayDraw();
      const bytes = await file.draw();
      await writeDrawing(deps.drawings, key, bytes).catch(logFailure);
      return bytes;
    },
  };
}

/** A logo to draw. It is read when the image is drawn. */
export interface DrawnLogo extends LogoRow {
  read(): Promise<LogoPicture>;
}

/** Returns a code's stored logo; undefined if there is none, or the plan doesn't include logos. */
export async function drawnLogo(
  deps: Deps,
  { workspaceId, plan, logoId }: Pick<StyledCode, "workspaceId" | "plan" | "logoId">,
): Promise<DrawnLogo | undefined> {
  if (logoId === null || !plans[plan].fullDesign) return undefined;
  const logo = await findLogo(deps.db, workspaceId, logoId);
  return readableLogo(deps, { workspaceId, plan }, logo ?? null);
}

function readableLogo(
  deps: Deps,
  { workspaceId, plan }: Pick<StyledCode, "workspaceId" | "plan">,
  logo: LogoRow | null,
): DrawnLogo | undefined {
  if (logo === null || !plans[plan].fullDesign) return undefined;
  return { ...logo, read: () => readLogoPicture(deps, workspaceId, logo) };
}

/** The logos of many codes of a workspace, each looked up and read once. */
export class SharedLogos {
  readonly #deps: Deps;
  readonly #context: WorkspaceContext;
  readonly #byId = new Map<string | null, Promise<DrawnLogo | undefined>>();

  constructor(deps: Deps, context: WorkspaceContext) {
    this.#deps = deps;
    this.#context = context;
  }

  /** Returns the logo to draw for a code with this logo. */
  find(logoId: string | null): Promise<DrawnLogo | undefined> {
    const known = this.#byId.get(logoId);
    if (known !== undefined) return known;
    const { workspaceId, plan } = this.#context;
    const found = drawnLogo(this.#deps, { workspaceId, plan, logoId }).then((logo) => logo && readOnce(logo));
    this.#byId.set(logoId, found);
    // After a failure it may be asked for again.
    found.catch(() => this.#byId.delete(logoId));
    return found;
  }
}

function readOnce(logo: DrawnLogo): DrawnLogo {
  let file: ReturnType<DrawnLogo["read"]> | undefined;
  return {
    ...logo,
    read: () => {
      file ??= logo.read().catch((error: unknown) => {
        file = undefined;
        throw error;
      });
      return file;
    },
  };
}

/**
 * Returns the image of a code with this logo.
 * @param use of an SVG: in the source of a PDF, the logo is a drawing as JSON
 * @throws invalid_input for a design that phones can't scan
 */
export async function prepareDrawing(
  deps: Deps,
  code: Omit<StyledCode, "logoId">,
  query: ImageQuery,
  logo: DrawnLogo | undefined,
  use: DrawingUse = "shown",
): Promise<DrawnFile> {
  const { format, size } = query;
  const design = designOf(code, code.plan);
  const { address, ...plan } = planCode(deps, code, { ...design, ecc: query.ecc ?? design.ecc }, logo);
  const { side, version } = plan.layout;
  const quietZone = query.margin ?? design.quietZone ?? limits.image.margin.default;
  const label = design.frame?.text;
  const text = label === undefined ? undefined : glyphs().outline(label);
  const isSmall = logo === undefined && isPlain(design);
  if (format === "png") {
    requireMinimumSize(size, surround(side, quietZone, design, text));
    if (!isSmall && size > limits.drawnPng) {
      throw invalid(
        "size",
        `must be at most ${limits.drawnPng} for a PNG of this design. For a larger image, use the SVG.`,
      );
    }
  }
  const input = [drawingVersion, address, plan.level, version, design, format, size, quietZone];
  const tag = await sha256Hex(JSON.stringify([...input, logo && tagOf(logo), use]));
  return {
    mediaType: imageTypes[format],
    filename: filenameOf(code.hash, query),
    attachment: query.download,
    tag: `"${tag.slice(0, 32)}"`,
    draw: async () => {
      const symbol = encodeSymbol(address, plan);
      if (format === "png" && isSmall) return drawPng(symbol, { size, margin: quietZone }, design);
      const picture = await logo?.read();
      const place = logo && placeLogo(side, ratioOf(logo), design.logo);
      const drawn = (file: LogoFile | undefined) =>
        drawCode(symbol, design, { quietZone, text, logo: file && place && { ...file, place } });
      if (format === "svg") {
        const file = picture && (use === "printed" ? printedFileOf(deps, picture) : fileOf(picture));
        return Uint8Array.from(new TextEncoder().encode(svgOf(drawn(file), size)));
      }
      const vectors = picture && picture.kind !== "png" ? logoSvg(requireDrawing(picture, deps)) : undefined;
      return askImagesWorker(deps, pngOfDesign, async (images) => {
        const width = place === undefined ? 0 : Math.ceil((place.logo.width * size) / side);
        const file =
          vectors === undefined ? picture && fileOf(picture) : await withoutVectors(images, vectors, width);
        const image = atWholePixels(drawn(file), size, design);
        return images.png(image.svg, image.width);
      });
    },
  };
}

/** The symbol of a code in its drawing. Lengths are in modules. */
export interface DrawnSymbol {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly level: "L" | "M" | "Q" | "H";
  readonly version: number;
}

/** Returns where a code's symbol is in its drawing. @throws invalid_input for a design that can't be drawn */
export function symbolOf(
  deps: Deps,
  code: Omit<StyledCode, "logoId">,
  logo: DrawnLogo | undefined,
): DrawnSymbol {
  const design = designOf(code, code.plan);
  const { layout, level } = planCode(deps, code, design, logo);
  const { side, version } = layout;
  const label = design.frame?.text;
  const text = label === undefined ? undefined : glyphs().outline(label);
  const { x, y } = surround(side, design.quietZone ?? limits.image.margin.default, design, text);
  return { x, y, side, level, version };
}

/** Facts about a design's readability that need no measurement. */
export interface DesignFacts {
  /** The lowest contrast of modules and eyes with the background, as a WCAG 2 ratio. */
  readonly contrast: number;
  /** The share of the code's modules that its logo covers, with its padding; undefined for no logo. */
  readonly covered: number | undefined;
  /** Empty modules around the code. */
  readonly quietZone: number;
}

/** @throws invalid_input for a design that phones can't scan */
export function factsOf(
  deps: Deps,
  code: Omit<StyledCode, "logoId">,
  logo: DrawnLogo | undefined,
): DesignFacts {
  const design = designOf(code, code.plan);
  const { side } = planCode(deps, code, design, logo).layout;
  const place = logo && placeLogo(side, ratioOf(logo), design.logo);
  return {
    contrast: lowestContrast(design),
    covered: place && [...coveredModules(place, side)].length / (side * side),
    quietZone: design.quietZone ?? limits.image.margin.default,
  };
}

/** The purpose of an image: to be shown, or to be the source of a PDF. */
export type DrawingUse = "shown" | "printed";

/** The logo as PNG: in an SVG inside another one, the images Worker would not draw embedded pictures. */
async function withoutVectors(images: RemoteImages, vectors: string, width: number): Promise<LogoFile> {
  return { mediaType: "image/png", bytes: await images.png(vectors, width) };
}

const pngOfDesign = { what: "A PNG of this design", instead: "Use the SVG." };

function requireMinimumSize(size: number, { width, height }: { width: number; height: number }): void {
  const minimum = Math.max(width, height);
  if (size >= minimum) return;
  throw invalid(
    "size",
    `must be at least ${minimum} for a code with this margin. Use a larger size or a smaller margin.`,
  );
}
