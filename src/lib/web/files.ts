import type { ImageFile } from "../../domain/images/images.ts";

/** What every answer with a file says of it, also when its bytes are not sent. An image runs and loads nothing. */
export function fileHeaders(file: ImageFile): Record<string, string> {
  return {
    etag: file.tag,
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    ...(file.attachment ? { "content-disposition": `attachment; filename="${file.filename}"` } : {}),
  };
}

/** Whether the client has kept what has this tag. @param header its `If-None-Match` */
export function isKept(header: string | null | undefined, tag: string): boolean {
  const known = (header ?? "").split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known.includes(tag) || known.includes("*");
}
