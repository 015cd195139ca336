import { limits } from "../../contract/limits.ts";
import type { PageContent } from "../../contract/resources/pages.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../../lib/crypto/crypto.ts";
import { limitBytes } from "../../lib/web/limit-bytes.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { readImageUrl } from "./content.ts";

/** How long the image's host has to send its headers. */
const headerTimeoutMilliseconds = 10_000;

/** Redirects followed on the way to an image. */
const maxRedirects = 3;

/** What an image's address on this service ends in: another image has another one. */
export const imageKey = async (url: string): Promise<string> => (await sha256(url)).slice(0, 16);

/** Kinds of images that are passed on. */
const imageType = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/;

export interface PageImage {
  readonly mediaType: string;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * An image that a page shows, from wherever its address leads: whoever reads the page asks nobody but this service.
 * @returns `unknown` when the page shows no such image, `unavailable` when its host does not give it
 */
export async function fetchPageImage(
  deps: Deps,
  { blocks }: PageContent,
  key: string,
): Promise<PageImage | "unknown" | "unavailable"> {
  for (const block of blocks) {
    if (block.type !== "image" || (await imageKey(block.url)) !== key) continue;
    try {
      return await fetchImage(deps, block.url);
    } catch (error) {
      log("warn", "image of a page not fetched", { url: block.url, error: describeError(error) });
      return "unavailable";
    }
  }
  return "unknown";
}

/** A day: an image that changes there gets another address here only when the page says so. */
const cached = { cacheEverything: true, cacheTtlByStatus: { "200-299": 86_400, "300-599": 0 } };

async function fetchImage(deps: Deps, from: string): Promise<PageImage> {
  let url = from;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const init = { headers: { accept: "image/*", "user-agent": "qr-service-images/1" }, cf: cached };
    // For the head alone: how long the body takes is up to the reader's connection.
    const response = await withTimeout(
      headerTimeoutMilliseconds,
      deps.fetch(url, { ...init, redirect: "manual" }),
    );
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      url = nextHop(deps, location, url);
      continue;
    }
    const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    const length = Number(response.headers.get("content-length") ?? 0);
    const fits = length <= limits.pageImage.bytes;
    if (response.status !== 200 || response.body === null || !imageType.test(mediaType) || !fits) {
      await response.body?.cancel();
      throw new Error(`answered ${response.status}, ${mediaType || "without a type"}, ${length} bytes`);
    }
    return { mediaType, body: response.body.pipeThrough(limitBytes(limits.pageImage.bytes)) };
  }
  throw new Error("redirected too often");
}

/** Where a redirect leads: held to the rules that the image's own address was held to. */
function nextHop(deps: Deps, location: string, from: string): string {
  const read = readImageUrl(deps, new URL(location, from).href);
  if (!read.ok) throw new Error(`redirected to an address that ${read.problem}`);
  return read.url;
}
