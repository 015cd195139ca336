import { limits } from "../../contract/limits.ts";
import type { Deps } from "../deps.ts";
import { readBase64 } from "../../lib/text/base64.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { pngSignature } from "../../lib/image/png-format.ts";
import {
  findLogo,
  findLogoName,
  keepLogos,
  type LogoRow,
  saveLogoRow,
  type StoredLogo,
} from "../../store/templates/logos.ts";
import { creationOf } from "../../store/history.ts";
import { findTemplates } from "../../store/templates/templates.ts";
import { newEntry } from "../history/entries.ts";
import { untilStored } from "../lost-races.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { invalid, requireFound } from "../errors.ts";
import { requireNotSuspended } from "../workspaces/suspended.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { askImagesWorker } from "../images/images-worker.ts";
import { logoUnavailable, readLogoFile, writeLogoFile } from "./logo-files.ts";
import { readSvgLogo } from "./svg-logo.ts";

/** A logo file that can be stored. */
interface LogoFile extends LogoRow {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Stores a logo of the workspace.
 * @param dataUri of a supported media type, in base64
 * @param name in the brand; null for a logo that is not added to it
 * @throws invalid_input naming `logo`: for an invalid or oversized file, and for an SVG that runs or loads anything;
 *   internal (503) if it can't be stored at present
 */
export const saveLogo = async (
  deps: Deps,
  context: WorkspaceContext,
  dataUri: string,
  name: string | null,
): Promise<StoredLogo> => storeLogo(deps, context, await readDataUri(deps, dataUri), name);

/**
 * Stores a parsed logo.
 * @throws invalid_input at the limits of the workspace and its brand; forbidden for a new logo in a suspended
 * workspace; internal (503) like `saveLogo`
 */
export async function storeLogo(
  deps: Deps,
  context: WorkspaceContext,
  { bytes, ...logo }: LogoFile,
  name: string | null,
): Promise<StoredLogo> {
  const { workspaceId } = context;
  const { files } = deps;
  const caps = {
    all: limits.logo.count,
    brand: limits.brand.logos,
    bytes: files === undefined ? limits.logoInCatalogue.all : limits.logo.count * limits.logo.bytes,
  };
  // The row comes first, because the sweep would not find a file without a row.
  const row = { ...logo, bytes: bytes.length, name };
  const stored = await untilStored(deps, "logo", async () => {
    const isNew = name !== null && (await findLogoName(deps.db, workspaceId, logo.id)) === null;
    const entry = isNew
      ? newEntry(deps, context, "logo.created", { id: logo.id, name, changes: creationOf({ name }) })
      : undefined;
    return saveLogoRow(deps.db, workspaceId, row, deps.now(), caps, entry);
  });
  if (stored === "brand full") throw brandFull();
  if (stored === "no room") {
    await requireNotSuspended(deps, context);
    throw invalid(
      "logo",
      `can't be added: all logos of a workspace can have at most ${caps.bytes / 1024 ** 2} MiB, ${withoutBucket}. Delete one first.`,
    );
  }
  if (stored === "refused") {
    await requireNotSuspended(deps, context);
    throw invalid("logo", `can't be added: a workspace can have at most ${caps.all} different logos`);
  }
  if (stored === "removing")
    throw logoUnavailable("The logo can't be stored while its old copy is being deleted.");
  await writeLogoFile(deps, { workspaceId, id: logo.id }, bytes);
  return stored;
}

/** Returns the most bytes of a logo's file. */
export const maxLogoBytes = ({ files }: Pick<Deps, "files">): number =>
  files === undefined ? limits.logoInCatalogue.bytes : limits.logo.bytes;

const withoutBucket = "because file storage (R2) isn't set up here";

/** The error for a brand that has reached its limit of logos. */
export const brandFull = () =>
  invalid("logo", `can't be added: a brand can have at most ${limits.brand.logos} logos. Delete one first.`);

function readDataUri(deps: Deps, dataUri: string): Promise<LogoFile> {
  const comma = dataUri.indexOf(",");
  const bytes = readBase64(dataUri.slice(comma + 1));
  if (bytes === null) throw invalid("logo", "must be encoded in base64 with padding");
  const type = rasterTypes.find(({ mediaType }) => dataUri.startsWith(`data:${mediaType};`));
  if (type !== undefined && type !== rasterTypeOf(bytes)) {
    throw invalid("logo", `must be a ${type.name}, as its media type says`);
  }
  return checkFile(deps, type, bytes);
}

/** The types of logos besides SVG, with the first bytes of their files. */
const rasterTypes = [
  { name: "PNG", mediaType: "image/png", signature: pngSignature },
  { name: "JPEG", mediaType: "image/jpeg", signature: [0xff, 0xd8, 0xff] },
] as const;

type RasterType = (typeof rasterTypes)[number];

const rasterTypeOf = (bytes: Uint8Array): RasterType | undefined =>
  rasterTypes.find(({ signature }) => signature.every((byte, i) => bytes[i] === byte));

/**
 * Reads an uploaded logo. Its type is determined by its content, since browsers go by the file's extension.
 * @throws invalid_input naming `logo`; internal (503) for a PNG or JPEG without the images Worker, which decodes it
 */
export async function readLogoUpload(deps: Deps, bytes: Uint8Array<ArrayBuffer>): Promise<LogoFile> {
  const type = rasterTypeOf(bytes);
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  if (type === undefined && !start.startsWith("<")) throw invalid("logo", "must be a PNG, JPEG or SVG file");
  return checkFile(deps, type, bytes);
}

/** @param type of a file that isn't an SVG */
async function checkFile(
  deps: Deps,
  type: RasterType | undefined,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<LogoFile> {
  const maxBytes = maxLogoBytes(deps);
  if (bytes.length > maxBytes) {
    const reason = deps.files === undefined ? `, ${withoutBucket}` : "";
    throw invalid(
      "logo",
      `can have at most ${maxBytes / 1024} KiB${reason}. This one has ${bytes.length} bytes.`,
    );
  }
  if (type === undefined) {
    const size = readSvgLogo(bytes);
    await requireQuickDrawing(deps, bytes);
    return { id: await sha256Hex(bytes), mediaType: "image/svg+xml", size, bytes };
  }
  const checked = await askImagesWorker(deps, rasterLogos, (images) => images.checkLogo(bytes, maxBytes));
  if ("problem" in checked) throw invalid("logo", checked.problem);
  const { width, height, bytes: png } = checked;
  return { id: await sha256Hex(png), mediaType: "image/png", size: { width, height }, bytes: png };
}

const rasterLogos = { what: "A PNG or JPEG logo", instead: "Upload an SVG." };

/** The time limit for a trial drawing of a logo, in milliseconds, and its side length in pixels. */
const trial = { milliseconds: 3000, side: 512 } as const;

/** Draws an SVG once, to rule out logos that make images slow to draw. @throws invalid_input naming `logo` */
async function requireQuickDrawing(deps: Deps, svg: Uint8Array<ArrayBuffer>): Promise<void> {
  const { images } = deps;
  // Without the images Worker, this service never draws an SVG itself.
  if (images === undefined) return;
  const began = deps.now();
  await askImagesWorker(deps, svgLogos, () => images.png(new TextDecoder().decode(svg), trial.side));
  if (deps.now() - began > trial.milliseconds) {
    throw invalid("logo", "takes too long to draw. Use fewer or simpler elements.");
  }
}

const svgLogos = { what: "A new logo", instead: "Use another one." };

/**
 * Returns the id of a logo of the workspace, which is then kept for at least a day. @throws invalid_input for an
 * unknown logo
 */
export async function requireLogo(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<string> {
  const [logo] = await keepLogos(deps.db, workspaceId, [id], deps.now());
  if (logo === undefined) throw invalid("logo", "isn't a logo of this workspace");
  return logo.id;
}

/** Returns the file of a template's logo. @throws not_found for an unknown template, or one without a logo */
export async function getTemplateLogo(
  deps: Deps,
  context: WorkspaceContext,
  templateId: string,
): Promise<DrawnFile> {
  const templates = await findTemplates(deps.db, context.workspaceId, [templateId]);
  const { logoId } = requireFound(templates.get(templateId), "Template");
  return getLogo(deps, context, requireFound(logoId ?? undefined, "Logo"));
}

/** Returns a logo's file. @throws not_found */
export async function getLogo(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  id: string,
): Promise<DrawnFile> {
  const logo = requireFound(await findLogo(deps.db, workspaceId, id), "Logo");
  const extension = { "image/png": "png", "image/svg+xml": "svg" }[logo.mediaType];
  return {
    mediaType: logo.mediaType,
    filename: `logo.${extension}`,
    attachment: false,
    tag: `"${logo.id.slice(0, 32)}"`,
    draw: () => readLogoFile(deps, { workspaceId, id }),
  };
}
