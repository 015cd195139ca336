import { attachment as attachmentNamed } from "../text/file-name.ts";

/** How a file is sent. */
export interface FileInfo {
  /** The ETag: it changes with the bytes. */
  readonly tag: string;
  readonly filename: string;
  /** Whether browsers save the file instead of showing it. */
  readonly attachment: boolean;
}

/** A file drawn on demand. */
export interface DrawnFile extends FileInfo {
  readonly mediaType: string;
  draw(): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Returns the headers of every response about a file, including a 304. The policy prevents an SVG from running or
 * loading anything.
 */
export function fileHeaders({ tag, filename, attachment }: FileInfo): Record<string, string> {
  return {
    etag: tag,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    ...(attachment ? { "content-disposition": attachmentNamed(filename) } : {}),
  };
}

/** Answers GET and HEAD of a drawn file; it is drawn only for clients that don't have it yet. */
export async function answerDrawn(
  request: Request,
  file: DrawnFile,
  cacheControl: string,
): Promise<Response> {
  const headers = { ...fileHeaders(file), "cache-control": cacheControl };
  if (isCurrent(request.headers.get("if-none-match"), file.tag)) {
    return new Response(null, { status: 304, headers });
  }
  const body = request.method === "HEAD" ? null : await file.draw();
  return new Response(body, { headers: { ...headers, "content-type": file.mediaType } });
}

/**
 * Returns whether the client's copy is current. Hono's etag middleware would draw the whole image to hash it; here the
 * tag is known before anything is drawn.
 * @param ifNoneMatch the request's `If-None-Match` header
 */
export function isCurrent(ifNoneMatch: string | null | undefined, tag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return tags.includes(tag) || tags.includes("*");
}
