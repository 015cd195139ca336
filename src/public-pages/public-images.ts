import { describeQueryIssues } from "../contract/issues.ts";
import { limits } from "../contract/limits.ts";
import { ImageQuery } from "../contract/resources/images/images.ts";
import type { Deps } from "../domain/deps.ts";
import { invalid, requireFewParameters, ServiceError } from "../domain/errors.ts";
import { findImageByHash } from "../domain/images/images.ts";
import { codeNotFound, codeUnavailable } from "../edge/redirect/closed-codes.ts";
import { methodNotAllowed, tooManyMisses } from "../edge/redirect/pages.ts";
import type { ImageAddress } from "../edge/routing/paths.ts";
import { describeError, log } from "../lib/log.ts";
import { answerDrawn } from "../lib/web/file-response.ts";
import { clientAddressOf } from "../lib/web/network.ts";

/** Seconds for which browsers and proxies may show an image after its design has changed. */
const maxAge = 300;

/**
 * Answers GET and HEAD of a code's public image. The path gives the format, the query everything else. Web pages on any
 * origin may read the response.
 * @param workspaceId of the codes that have images here; all if omitted
 */
export async function publicImage(
  deps: Deps,
  request: Request,
  address: ImageAddress,
  workspaceId?: string,
): Promise<Response> {
  const response = await imageResponse(deps, request, address, workspaceId);
  response.headers.set("access-control-allow-origin", "*");
  return response;
}

async function imageResponse(
  deps: Deps,
  request: Request,
  { hash, format }: ImageAddress,
  workspaceId: string | undefined,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return methodNotAllowed();
  try {
    const query = readQuery(request, format);
    const file = await findImageByHash(deps, hash, query, clientAddressOf(request), workspaceId);
    if (file === "unknown") return codeNotFound(request, hash);
    if (file === "throttled") return tooManyMisses();
    if (file === "busy") return codeUnavailable(request);
    return await answerDrawn(request, file, `public, max-age=${maxAge}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) {
      log("error", "public image failed", { hash, error: describeError(error) });
      return codeUnavailable(request);
    }
    const { message, code, status } = error;
    const headers = { ...error.headers, "cache-control": "no-store" };
    return Response.json({ error: message, code }, { status, headers });
  }
}

function readQuery(request: Request, format: ImageAddress["format"]): ImageQuery {
  requireFewParameters(request.url);
  const given = [...new URL(request.url).searchParams];
  // As in the API, a repeated option becomes a list, which no option accepts.
  const query = Object.fromEntries(
    [...Map.groupBy(given, ([name]) => name)].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
  const parsed = ImageQuery.safeParse({ ...query, format });
  if (!parsed.success) {
    throw new ServiceError("invalid_input", describeQueryIssues(parsed.error.issues, query));
  }
  if (format === "png" && parsed.data.size > limits.publicPng) {
    throw invalid(
      "size",
      `must be at most ${limits.publicPng} here. For a larger image, use the SVG, or the PNG of the API.`,
    );
  }
  return parsed.data;
}
