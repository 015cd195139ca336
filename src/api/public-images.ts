import { ImageQuery } from "../contract/images.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../domain/errors.ts";
import { imageByHash } from "../domain/images.ts";
import { fileHeaders, isKept } from "./files.ts";

/** A changed design is seen everywhere after this many seconds. */
const maxAge = 300;

/** Answers GET and HEAD of a code's image at its public address, which says no more than hash, format and `?download`. */
export async function publicImage(
  deps: Deps,
  request: Request,
  hash: string,
  format: "svg" | "png",
): Promise<Response | "unknown" | "barred"> {
  try {
    const address = request.headers.get("cf-connecting-ip") ?? "";
    const download = new URL(request.url).searchParams.has("download") ? "1" : "0";
    const file = await imageByHash(deps, hash, ImageQuery.parse({ format, download }), address);
    if (file === "unknown" || file === "barred") return file;
    const headers = { ...fileHeaders(file), "cache-control": `public, max-age=${maxAge}` };
    if (isKept(request.headers.get("if-none-match"), file.tag)) {
      return new Response(null, { status: 304, headers });
    }
    const body = request.method === "HEAD" ? null : await file.make();
    return new Response(body, { headers: { ...headers, "content-type": file.mediaType } });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, code, status } = error;
    return Response.json({ error: message, code }, { status, headers: { "cache-control": "no-store" } });
  }
}
