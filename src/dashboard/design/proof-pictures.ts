import { type DrawnFile, fileHeaders } from "../../lib/web/file-response.ts";

/**
 * Answers with the pictures of a proof. Browsers keep them if their address says which they are.
 * @param query of the address, with their tag as `of`
 */
export async function proofPicturesResponse(file: DrawnFile, query: URLSearchParams): Promise<Response> {
  const isNamed = file.tag === `"${query.get("of")}"`;
  return new Response(await file.draw(), {
    headers: {
      ...fileHeaders(file),
      "content-type": file.mediaType,
      "cache-control": isNamed ? "private, max-age=31536000, immutable" : "no-store",
    },
  });
}
