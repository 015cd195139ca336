import type { LogoType } from "../../contract/resources/enums.ts";
import { limits } from "../../contract/limits.ts";
import type { Deps } from "../deps.ts";
import { readBase64 } from "../../lib/text/base64.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { PngError, decodePng } from "../../lib/image/png-decoder.ts";
import { findLogo, saveLogoRow } from "../../store/logos.ts";
import { findTemplates } from "../../store/templates.ts";
import type { Owner } from "../identity/caller.ts";
import { invalid, requireFound } from "../errors.ts";
import type { ImageFile } from "./image-file.ts";
import { logoUnavailable, readLogoFile, writeLogoFile } from "./logo-files.ts";
import { readSvgLogo } from "./svg-logo.ts";

/** A stored logo. */
export interface SavedLogo {
  readonly id: string;
  readonly mediaType: LogoType;
  /** The size of its file. */
  readonly bytes: number;
}

/**
 * Stores a logo for the workspace's templates.
 * @param dataUri of a supported media type, in base64
 * @throws invalid_input naming `logo`: for an invalid or oversized file, and for an SVG that runs or loads anything;
 *   internal (503) if it can't be stored at present
 */
export async function saveLogo(deps: Deps, owner: Owner, dataUri: string): Promise<SavedLogo> {
  const { mediaType, bytes } = readDataUri(dataUri);
  const { width, height } = mediaType === "image/png" ? await requirePng(bytes) : readSvgLogo(bytes);
  const logo = { id: await sha256Hex(bytes), mediaType, size: { width, height } };
  const { count } = limits.logo;
  const { workspaceId } = owner;
  // The row comes first: without a row, the sweep would not find the file.
  const outcome = await saveLogoRow(deps.db, workspaceId, logo, bytes.length, deps.now(), count);
  if (outcome === "full") throw invalid("logo", `a workspace has at most ${count} different ones`);
  if (outcome === "removing") throw logoUnavailable("logo: its old copy is just being deleted");
  await writeLogoFile(deps, { workspaceId, id: logo.id }, bytes);
  return { id: logo.id, mediaType, bytes: bytes.length };
}

function readDataUri(dataUri: string): { mediaType: LogoType; bytes: Uint8Array<ArrayBuffer> } {
  const comma = dataUri.indexOf(",");
  const bytes = readBase64(dataUri.slice(comma + 1));
  if (bytes === null) throw invalid("logo", "must be in base64, with its padding");
  if (bytes.length > limits.logo.bytes) {
    throw invalid(
      "logo",
      `must be at most ${limits.logo.bytes / 1024} KiB; this one has ${bytes.length} bytes`,
    );
  }
  return { mediaType: dataUri.startsWith("data:image/png;") ? "image/png" : "image/svg+xml", bytes };
}

async function requirePng(bytes: Uint8Array<ArrayBuffer>): Promise<{ width: number; height: number }> {
  try {
    return await decodePng(bytes, limits.logo.side);
  } catch (error) {
    if (error instanceof PngError) throw invalid("logo", error.message);
    throw error;
  }
}

/** The file of a template's logo. @throws not_found for an unknown template and for one without a logo */
export async function getTemplateLogo(deps: Deps, owner: Owner, templateId: string): Promise<ImageFile> {
  const { workspaceId } = owner;
  const templates = await findTemplates(deps.db, workspaceId, [templateId]);
  const { logoId } = requireFound(templates.get(templateId), "Template");
  const logo = requireFound(
    logoId === null ? undefined : await findLogo(deps.db, workspaceId, logoId),
    "Logo",
  );
  const extension = { "image/png": "png", "image/svg+xml": "svg" }[logo.mediaType];
  return {
    mediaType: logo.mediaType,
    filename: `logo.${extension}`,
    attachment: false,
    tag: `"${logo.id.slice(0, 32)}"`,
    draw: () => readLogoFile(deps, { workspaceId, id: logo.id }),
  };
}
