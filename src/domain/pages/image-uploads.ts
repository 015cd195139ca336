import { limits } from "../../contract/limits.ts";
import type { PageImage } from "../../contract/resources/pages.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { imageTypeOf } from "../../lib/image/file-types.ts";
import { describeError, log } from "../../lib/log.ts";
import { readBase64 } from "../../lib/text/base64.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import * as store from "../../store/page-images.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound, ServiceError } from "../errors.ts";
import { requireFiles } from "../files.ts";
import { requirePagesInPlan } from "./plan.ts";
import { fileTimeout, openImageFile, storedImageAddress } from "./stored-images.ts";

/** Returns whether files can be stored here. */
export const canStoreImages = ({ files }: Pick<Deps, "files">): boolean => files !== undefined;

/**
 * Stores an image for the workspace's pages.
 * @param image a data URI
 * @throws as `storePageImage`; invalid_input naming `image`, if it isn't a file of its media type
 */
export async function addPageImage(deps: Deps, context: WorkspaceContext, image: string): Promise<PageImage> {
  const comma = image.indexOf(",");
  const bytes = readBase64(image.slice(comma + 1));
  if (bytes === null) throw invalid("image", "must be encoded in base64 with padding");
  const type = imageTypeOf(bytes);
  if (type !== undefined && !image.startsWith(`data:${type};`)) {
    throw invalid("image", "must be of the type that its media type says");
  }
  return storePageImage(deps, context, bytes);
}

/**
 * Stores an uploaded image for the workspace's pages. Its type is determined by its content, since browsers go by the
 * file's extension.
 * @throws plan_limit on a plan without pages; forbidden for readers and in a suspended workspace; invalid_input naming
 *   `image`, for another or too large a file and at the limits of the workspace; internal (503) if it can't be stored
 */
export async function storePageImage(
  deps: Deps,
  context: WorkspaceContext,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<PageImage> {
  requirePermission(context, "codes.write");
  requirePagesInPlan(context);
  const files = requireFiles(deps, "Images of pages", "Give the address of an image instead.");
  const mediaType = imageTypeOf(bytes);
  if (mediaType === undefined) throw invalid("image", "must be a PNG, JPEG, GIF, WebP or AVIF file");
  if (bytes.length > limits.storedImage.bytes) throw invalid("image", imageTooLarge);
  const { workspaceId } = context;
  const image = { workspaceId, id: await sha256Hex(bytes) };
  const { count, all } = limits.storedImage;
  // The row comes first, because the sweep would not find a file without a row.
  const row = { ...image, mediaType, bytes: bytes.length };
  const stored = await store.savePageImageRow(deps.db, row, deps.now(), { count, bytes: all });
  if (stored === "refused") {
    await requireNotSuspended(deps, context);
    throw invalid("image", noRoom);
  }
  if (stored === "removing") throw unavailable("while its old copy is being deleted");
  try {
    await withTimeout(deps, fileTimeout, () => store.writePageImageFile(files, image, mediaType, bytes));
  } catch (error) {
    log("error", "page image not stored", { ...image, error: describeError(error) });
    throw unavailable("right now");
  }
  return present(deps, stored);
}

/** The problem of a file that exceeds the limit. */
export const imageTooLarge = `can have at most ${limits.storedImage.bytes / 1024} KiB`;

const noRoom =
  `can't be added: a workspace can have at most ${limits.storedImage.count} images of pages, of at most ` +
  `${limits.storedImage.all / 1024 ** 2} MiB together. Those that no page shows are deleted after ${limits.storedImage.days} days.`;

const unavailable = (when: string) =>
  new ServiceError("internal", `The image can't be stored ${when}. Try again in a few seconds.`, {
    status: 503,
    headers: { "retry-after": "5" },
  });

const present = (deps: Deps, { id, mediaType, bytes, createdAt }: store.PageImageRow): PageImage => ({
  id,
  url: storedImageAddress(deps, id),
  mediaType,
  bytes,
  createdAt: new Date(createdAt).toISOString(),
});

/** Returns the file of a stored image. @throws not_found */
export async function getPageImage(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  id: string,
): Promise<DrawnFile> {
  const { mediaType } = requireFound(await store.findPageImage(deps.db, { workspaceId, id }), "Image");
  return {
    mediaType,
    filename: `image.${mediaType.replace("image/", "")}`,
    attachment: false,
    tag: `"${id.slice(0, 32)}"`,
    draw: async () => {
      const file = requireFound((await openImageFile(deps, { workspaceId, id })) ?? undefined, "Image");
      return new Uint8Array(await new Response(file.body).arrayBuffer());
    },
  };
}
