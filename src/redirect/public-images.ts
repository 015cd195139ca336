import { ImageQuery } from "../contract/resources/images.ts";
import { limits } from "../contract/limits.ts";
import type { Deps } from "../domain/deps.ts";
import { invalid, ServiceError } from "../domain/errors.ts";
import { imageByHash } from "../domain/images/images.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import { fileHeaders, isKept } from "../lib/web/files.ts";
import { describe } from "../api/validate.ts";

/** A changed design is seen everywhere after this many seconds. */
const maxAge = 300;

/** Answers GET and HEAD of a code's image at its public address. The path has the format, the query the rest. */
export async function publicImage(
  deps: Deps,
  request: Request,
  hash: string,
  format: "svg" | "png",
): Promise<Response | "unknown" | "throttled"> {
  try {
    const file = await imageByHash(deps, hash, readQuery(request, format), clientAddressOf(request));
    if (file === "unknown" || file === "throttled") return file;
    const headers = { ...fileHeaders(file), "cache-control": `public, max-age=${maxAge}` };
    if (isKept(request.headers.get("if-none-match"), file.tag)) {
      return new Response(null, { status: 304, headers });
    }
    const body = request.method === "HEAD" ? null : await file.draw();
    return new Response(body, { headers: { ...headers, "content-type": file.mediaType } });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, code, status } = error;
    return Response.json({ error: message, code }, { status, headers: { "cache-control": "no-store" } });
  }
}

function readQuery(request: Request, format: "svg" | "png"): ImageQuery {
  const given = new URL(request.url).searchParams;
  // As in the API, what comes twice is a list, which no option is.
  const query = Object.fromEntries(
    [...given].map(([name, value]) => [name, given.getAll(name).length > 1 ? given.getAll(name) : value]),
  );
  const parsed = ImageQuery.safeParse({ ...query, format });
  if (!parsed.success) throw new ServiceError("invalid_input", describe(parsed.error.issues));
  if (format === "png" && parsed.data.size > limits.publicPng) {
    throw invalid(
      "size",
      `must be at most ${limits.publicPng} here; ask the API for a larger PNG, or take the SVG`,
    );
  }
  return parsed.data;
}
