import { limits } from "../../contract/limits.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { imageTypeOf } from "../../lib/image/file-types.ts";
import { describeError, log } from "../../lib/log.ts";
import { readBase64 } from "../../lib/text/base64.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import type { ReadSvg } from "../../protocol/images.ts";
import { readDrawing, writeDrawing } from "../../store/images/shared-drawings.ts";
import {
  findLogo,
  keptLogosQuery,
  type LogoResourceRow,
  type LogoRow,
  listBrandLogos,
  logoKind,
  type StoredLogo,
  saveLogoRow,
} from "../../store/logos/logos.ts";
import { answer } from "../../store/queries.ts";
import { findTemplate } from "../../store/templates/templates.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, requireFound } from "../errors.ts";
import { requireMeasuringAllowed } from "../heavy-work.ts";
import { askImagesWorker, notInstalled } from "../images-worker.ts";
import { changeResource } from "../resources/change.ts";
import type { Resource } from "../resources/resource.ts";
import { logoUnavailable, maxLogoBytes, readLogoFile, writeLogoFile } from "./files.ts";

/** A logo file that can be stored. */
interface LogoFile extends LogoRow {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of an SVG: its `LogoDrawing` as JSON. */
  readonly drawing?: string;
}

/**
 * Stores a logo of the workspace.
 * @param dataUri of a supported media type, in base64
 * @param name in the brand; null for a logo that is not added to it
 * @throws invalid_input naming `logo`: for an invalid or oversized file, and for an SVG that can't be drawn;
 *   rate_limited for too many new files; internal (503) if it can't be stored at present
 */
export const saveLogo = async (
  deps: Deps,
  context: WorkspaceContext,
  dataUri: string,
  name: string | null,
): Promise<StoredLogo> => storeLogo(deps, context, await readDataUri(deps, context, dataUri), name);

/**
 * Stores a parsed logo.
 * @throws invalid_input at the limits of the workspace and its brand; forbidden for a new logo in a suspended
 * workspace; internal (503) like `saveLogo`
 */
export async function storeLogo(
  deps: Deps,
  context: WorkspaceContext,
  { bytes, drawing, ...logo }: LogoFile,
  name: string | null,
): Promise<StoredLogo> {
  const { workspaceId } = context;
  const { files } = deps;
  const caps = {
    all: limits.logo.count,
    bytes: files === undefined ? limits.logoInCatalogue.all : limits.logo.count * limits.logo.bytes,
  };
  // The row comes first, because the sweep would not find a file without a row.
  const row = { ...logo, bytes: bytes.length };
  const stored = await saveLogoRow(deps.db, workspaceId, row, deps.now(), caps);
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
  await writeLogoFile(deps, { workspaceId, id: logo.id }, bytes, drawing);
  if (name === null) return stored;
  return nameLogo(deps, context, logo.id, (before) => before.name ?? name);
}

/** Logos as resources. One with a name is in the workspace's brand. */
const logoResource: Resource<LogoResourceRow> = {
  kind: logoKind,
  object: "logo",
  noun: "Logo",
  nameOf: ({ name }, before) => name ?? before?.name ?? null,
  fieldsOf: ({ name }) => ({ name }),
  verbOf: ({ before, after }) =>
    before?.name === null ? "created" : after.name === null ? "deleted" : undefined,
  updated: ({ name }, _, now) => (name === null ? { checkedAt: now, unusedSince: now } : {}),
  capsOf: () => ({ brand: limits.brand.logos }),
};

/**
 * Gives a logo another name, or none. One that leaves the brand counts as unused, until the sweep finds it in use.
 * @throws not_found; invalid_input if the brand is full
 */
export async function nameLogo(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  nameFor: (before: LogoResourceRow) => string | null,
): Promise<StoredLogo> {
  const { row } = await changeResource(deps, context, logoResource, id, async (before) => {
    if (before.removingAt !== null) throw notFound("Logo");
    const name = nameFor(before);
    if (name !== null && before.name === null) await requireRoomInBrand(deps, context.workspaceId);
    return { ...before, name };
  });
  return row;
}

/** @throws invalid_input if the brand is full */
async function requireRoomInBrand(deps: Deps, workspaceId: string): Promise<void> {
  const { logos } = limits.brand;
  if ((await listBrandLogos(deps.db, workspaceId)).length < logos) return;
  throw invalid("logo", `can't be added: a brand can have at most ${logos} logos. Delete one first.`);
}

const withoutBucket = "because file storage (R2) isn't set up here";

function readDataUri(deps: Deps, context: WorkspaceContext, dataUri: string): Promise<LogoFile> {
  const comma = dataUri.indexOf(",");
  const bytes = readBase64(dataUri.slice(comma + 1));
  if (bytes === null) throw invalid("logo", "must be encoded in base64 with padding");
  const type = rasterTypes.find(({ mediaType }) => dataUri.startsWith(`data:${mediaType};`));
  if (type !== undefined && type !== rasterTypeOf(bytes)) {
    throw invalid("logo", `must be a ${type.name}, as its media type says`);
  }
  return checkFile(deps, context, type, bytes);
}

/** The types of logos besides SVG. */
const rasterTypes = [
  { name: "PNG", mediaType: "image/png" },
  { name: "JPEG", mediaType: "image/jpeg" },
] as const;

type RasterType = (typeof rasterTypes)[number];

const rasterTypeOf = (bytes: Uint8Array): RasterType | undefined =>
  rasterTypes.find(({ mediaType }) => mediaType === imageTypeOf(bytes));

/**
 * Reads an uploaded logo. Its type is determined by its content, since browsers go by the file's extension.
 * @throws invalid_input naming `logo`; rate_limited for too many new files; internal (503) without the images Worker,
 * which reads them
 */
export async function readLogoUpload(
  deps: Deps,
  context: WorkspaceContext,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<LogoFile> {
  const type = rasterTypeOf(bytes);
  const start = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart();
  if (type === undefined && !start.startsWith("<")) throw invalid("logo", "must be a PNG, JPEG or SVG file");
  return checkFile(deps, context, type, bytes);
}

/** @param type of a file that isn't an SVG */
async function checkFile(
  deps: Deps,
  context: WorkspaceContext,
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
  const checked = await recallOrCheck(deps, context, type, bytes);
  if ("problem" in checked) throw invalid("logo", checked.problem);
  const { width, height } = checked;
  const size = { width, height };
  if ("drawing" in checked) {
    const { drawing } = checked;
    const id = await sha256Hex(bytes);
    return { id, mediaType: "image/svg+xml", size, bytes, drawing, conversion: "kept" };
  }
  const png = Uint8Array.fromBase64(checked.png);
  return { id: await sha256Hex(png), mediaType: "image/png", size, bytes: png, conversion: null };
}

/** Incremented when the images Worker reads logos in another way. */
const checkVersion = 2;

/** The result of reading a file in the images Worker. */
type CheckedFile = Exclude<ReadSvg, { problem: string }> | PngFile | { readonly problem: string };

interface PngFile {
  /** In base64. */
  readonly png: string;
  readonly width: number;
  readonly height: number;
}

/** Checks a file, unless it was checked recently, such as for a preview. @throws like `readLogoUpload` */
async function recallOrCheck(
  deps: Deps,
  context: WorkspaceContext,
  type: RasterType | undefined,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<CheckedFile> {
  const maxBytes = maxLogoBytes(deps);
  const key = `logos/${checkVersion}/${maxBytes}/${await sha256Hex(bytes)}`;
  const cached = await readDrawing(deps.drawings, key);
  if (cached !== undefined) return cached.json();
  if (deps.images === undefined) throw notInstalled(newLogo);
  await requireMeasuringAllowed(deps, context, "logo");
  const checked = await askImagesWorker(deps, newLogo, async (images): Promise<CheckedFile> => {
    if (type === undefined) return images.readSvg(bytes, maxBytes);
    const read = await images.checkLogo(bytes, maxBytes);
    if ("problem" in read) return read;
    const { width, height } = read;
    return { png: read.bytes.toBase64(), width, height };
  });
  await writeDrawing(deps.drawings, key, JSON.stringify(checked)).catch((error: unknown) =>
    log("error", "logo not cached", { error: describeError(error) }),
  );
  return checked;
}

const newLogo = { what: "A new logo", instead: "Use one that is stored already." };

/**
 * Returns the id of a logo of the workspace, which is then kept for at least a day. @throws invalid_input for an
 * unknown logo
 */
export async function requireLogo(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<string> {
  const [logo] = await answer(keptLogosQuery(deps.db, workspaceId, [id], deps.now()));
  if (logo === undefined) throw invalid("logo", "isn't a logo of this workspace");
  return logo.id;
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

/** Returns the file of a template's logo. @throws not_found for an unknown template, or one without a logo */
export async function getTemplateLogo(
  deps: Deps,
  context: WorkspaceContext,
  templateId: string,
): Promise<DrawnFile> {
  const template = await findTemplate(deps.db, context.workspaceId, templateId);
  const { logoId } = requireFound(template, "Template");
  return getLogo(deps, context, requireFound(logoId ?? undefined, "Logo"));
}
