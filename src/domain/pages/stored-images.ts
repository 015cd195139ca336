import { pageEndpoints } from "../../contract/endpoints/pages.ts";
import { limits } from "../../contract/limits.ts";
import type { PageContent, PageImage } from "../../contract/resources/pages.ts";
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

/*
 * Images of hosted pages can be stored here. A page refers to one by its address, like to an image of another host. Its
 * visitors load it by an address of the page, so that it is closed with the page.
 */

/** How long a request waits for a file, milliseconds. */
const timeoutMilliseconds = 5000;

const path = `/api/v1${pageEndpoints.getPageImage.path.replace("{id}", "")}`;

const addressOf = ({ settings }: Pick<Deps, "settings">, id: string): string =>
  `${settings.appOrigin}${path}${id}`;

/** Returns the id in the address of a stored image; undefined for another address. */
function storedImageId({ settings }: Pick<Deps, "settings">, url: string): string | undefined {
  const read = URL.parse(url);
  if (read === null || !settings.ownHosts.includes(read.host) || !read.pathname.startsWith(path)) {
    return undefined;
  }
  return /^[0-9a-f]{64}$/.exec(read.pathname.slice(path.length))?.[0];
}

/** Returns the normalised address of a stored image; undefined for another address. */
export function storedImageUrl(deps: Pick<Deps, "settings">, url: string): string | undefined {
  const id = storedImageId(deps, url);
  return id === undefined ? undefined : addressOf(deps, id);
}

/** Returns an image's address in words, such as for a title: those of stored ones say nothing. */
export const imageInWords = (url: string): string => (url.includes(path) ? "Uploaded image" : url);

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
 * The same for an uploaded file. Its type is determined by its content, since browsers go by the file's extension.
 * @throws plan_limit on a plan without pages; forbidden for readers and in a suspended workspace; invalid_input naming
 * `image`, for another or too large a file and at the limits of the workspace; internal (503) if it can't be stored
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
    await withTimeout(deps, timeoutMilliseconds, () =>
      store.writePageImageFile(files, image, mediaType, bytes),
    );
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
  url: addressOf(deps, id),
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
      const file = requireFound(
        (await openStoredImage(deps, workspaceId, addressOf(deps, id))) ?? undefined,
        "Image",
      );
      return new Uint8Array(await new Response(file.body).arrayBuffer());
    },
  };
}

/** A file of an image. */
export interface ImageFile {
  readonly mediaType: string;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Opens the file of a stored image.
 * @param url as a page refers to it
 * @returns undefined for the address of another image; null if the workspace has no such image
 * @throws if the files can't be read
 */
export async function openStoredImage(
  deps: Deps,
  workspaceId: string,
  url: string,
): Promise<ImageFile | null | undefined> {
  const id = storedImageId(deps, url);
  if (id === undefined) return undefined;
  const { files } = deps;
  if (files === undefined) return null;
  const object = await withTimeout(deps, timeoutMilliseconds, () =>
    store.openPageImageFile(files, { workspaceId, id }),
  );
  return object && { mediaType: object.httpMetadata?.contentType ?? "", body: object.body };
}

/** The parts of a page that have images; those of a draft may be unfinished. */
interface WithImages {
  readonly header?: { readonly url: string } | null | undefined;
  readonly blocks?: readonly { readonly type: string; readonly url?: unknown }[] | undefined;
}

/** Returns the stored images of a page, each with the name of its field. */
function storedImagesOf(deps: Deps, { header, blocks = [] }: WithImages) {
  const images = [
    ...(header == null ? [] : [{ field: "header.url", url: header.url }]),
    ...blocks.flatMap(({ type, url }, i) =>
      type === "image" && typeof url === "string" ? [{ field: `blocks.${i}.url`, url }] : [],
    ),
  ];
  return images.flatMap(({ field, url }) => {
    const id = storedImageId(deps, url);
    return id === undefined ? [] : [{ field, id }];
  });
}

/**
 * Keeps the stored images of a page that is about to be saved, and those that it had before, to which it can be put back.
 * @param content what changes
 * @throws invalid_input naming the field of an image that the workspace doesn't have
 */
export async function requireStoredImages(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  content: Pick<Partial<PageContent>, "header" | "blocks">,
  before?: PageContent,
): Promise<void> {
  const shown = storedImagesOf(deps, content);
  const kept = [...shown, ...(before === undefined ? [] : storedImagesOf(deps, before))];
  const ids = [...new Set(kept.map(({ id }) => id))];
  const stored = await store.keepPageImages(deps.db, workspaceId, ids, deps.now());
  const missing = shown.find(({ id }) => !stored.has(id));
  if (missing !== undefined) {
    throw invalid(missing.field, "isn't an image of this workspace any more. Upload it again.");
  }
}

/** Keeps the stored images of a draft that is about to be saved. */
export async function keepImagesOfDraft(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  content: WithImages,
): Promise<void> {
  const ids = new Set(storedImagesOf(deps, content).map(({ id }) => id));
  await store.keepPageImages(deps.db, workspaceId, [...ids], deps.now());
}
