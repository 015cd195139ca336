import type { PageContent } from "../../contract/resources/pages.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import * as store from "../../store/page-images.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";

/*
 * Images of hosted pages can be stored here. A page refers to one by its address, like to an image of another host. Its
 * visitors load it by an address of the page, so that it is closed with the page.
 */

/** How long a request waits for a file, milliseconds. */
export const fileTimeout = 5000;

/** Of the endpoint `getPageImage`. Visitors' pages are read here, too, so its schemas aren't loaded for it. */
const path = "/api/v1/developer/page-images/";

/** Returns the address of a stored image. */
export const storedImageAddress = ({ settings }: Pick<Deps, "settings">, id: string): string =>
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
  return id === undefined ? undefined : storedImageAddress(deps, id);
}

/** Returns an image's address for people, such as in a title. That of a stored image would mean nothing to them. */
export const imageInWords = (url: string): string => (url.includes(path) ? "Uploaded image" : url);

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
  return id === undefined ? undefined : openImageFile(deps, { workspaceId, id });
}

/** Opens the file of a stored image by its id; null if there is none. */
export async function openImageFile(deps: Deps, image: store.PageImageId): Promise<ImageFile | null> {
  const { files } = deps;
  if (files === undefined) return null;
  const object = await withTimeout(deps, fileTimeout, () => store.openPageImageFile(files, image));
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
 * Keeps the stored images of a page that is about to be saved, also those of its previous version, since the change can
 * be undone.
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
