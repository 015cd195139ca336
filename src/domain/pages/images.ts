import { limits } from "../../contract/limits.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { describeError, log } from "../../lib/log.ts";
import { byteLimit } from "../../lib/web/byte-limit.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { PageRoute } from "../../protocol/routes.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireAllowedHosts } from "../destinations/blocked-hosts.ts";
import { invalid } from "../errors.ts";
import { readImageUrl } from "./content.ts";
import { type ImageFile, openStoredImage, storedImageUrl } from "./stored-images.ts";

/** How long the image's host may take to send headers. */
const headerTimeoutMilliseconds = 10_000;

/** How many redirects are followed. */
const maxRedirects = 3;

/** Returns the last part of an image's path on this service, derived from its original address. */
export const imageKey = async (url: string): Promise<string> => (await sha256Hex(url)).slice(0, 16);

/** Media types that are served. */
const servedTypes = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/;

/**
 * Opens a page's image: a stored one, or one that is fetched from its host, so that the page's visitors only send requests
 * to this service.
 * @returns `unknown` if the page has no such image, `unavailable` if its host doesn't serve it
 */
export async function openPageImage(
  deps: Deps,
  { workspaceId, content }: Pick<PageRoute, "workspaceId" | "content">,
  key: string,
): Promise<ImageFile | "unknown" | "unavailable"> {
  const { header, blocks } = content;
  const images = [...(header === null ? [] : [header]), ...blocks.filter((block) => block.type === "image")];
  for (const { url } of images) {
    if ((await imageKey(url)) === key) return open(deps, workspaceId, url);
  }
  return "unknown";
}

/**
 * Opens an image of an unsaved page.
 * @returns `unavailable` if its host doesn't serve it
 * @throws invalid_input for an address that is not allowed
 */
export async function openPreviewImage(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  url: string,
): Promise<ImageFile | "unavailable"> {
  const stored = storedImageUrl(deps, url);
  if (stored !== undefined) return open(deps, workspaceId, stored);
  const read = readImageUrl(deps, url);
  if (!read.ok) throw invalid("url", read.problem);
  await requireAllowedHosts(deps, { url: read.url });
  return open(deps, workspaceId, read.url);
}

async function open(deps: Deps, workspaceId: string, url: string): Promise<ImageFile | "unavailable"> {
  try {
    const stored = await openStoredImage(deps, workspaceId, url);
    return stored === undefined ? await fetchImage(deps, url) : (stored ?? "unavailable");
  } catch (error) {
    log("warn", "page image not loaded", { host: new URL(url).host, error: describeError(error) });
    return "unavailable";
  }
}

/**
 * Returns an image's headers. An SVG opened directly is downloaded, and can't run scripts or load anything; browsers
 * still show it in an <img>.
 */
export const imageHeaders = ({ mediaType }: ImageFile): Record<string, string> => ({
  "content-type": mediaType,
  ...(mediaType === "image/svg+xml" ? { "content-disposition": "attachment" } : {}),
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
});

/** Images are cached for a day. To show a changed image sooner, a page must link to a new address. */
const cacheOptions = { cacheEverything: true, cacheTtlByStatus: { "200-299": 86_400, "300-599": 0 } };

async function fetchImage(deps: Deps, from: string): Promise<ImageFile> {
  let url = from;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const init = {
      headers: { accept: "image/*", "user-agent": "qr-service-images/1" },
      cf: cacheOptions,
      redirect: "manual",
    } as const;
    // The timeout only covers the headers. The body may take as long as the visitor's connection needs.
    const response = await withTimeout(deps, headerTimeoutMilliseconds, (signal) =>
      deps.fetch(url, { ...init, signal }),
    );
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      url = await redirectTarget(deps, location, url);
      continue;
    }
    const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    const length = Number(response.headers.get("content-length") ?? 0);
    const fits = length <= limits.pageImage.bytes;
    if (response.status !== 200 || response.body === null || !servedTypes.test(mediaType) || !fits) {
      await response.body?.cancel();
      throw new Error(`answered ${response.status}, ${mediaType || "without a type"}, ${length} bytes`);
    }
    return { mediaType, body: response.body.pipeThrough(byteLimit(limits.pageImage.bytes)) };
  }
  throw new Error(`redirected more than ${maxRedirects} times`);
}

/** Returns a redirect's target, checked by the same rules as the image's address. */
async function redirectTarget(deps: Deps, location: string, from: string): Promise<string> {
  const read = readImageUrl(deps, new URL(location, from).href);
  if (!read.ok) throw new Error(`redirected to an address that ${read.problem}`);
  await requireAllowedHosts(deps, { "redirected to": read.url });
  return read.url;
}
