/** Opaque list cursors: the last item of a page, bound to the filters of the list. */

const encoder = new TextEncoder();
const alphabet = "base64url";

/** @param filters any JSON value; the same filters must be given to read the cursor */
export function writeCursor(after: string, filters: unknown): string {
  const json = JSON.stringify([after, fingerprint(filters)]);
  return encoder.encode(json).toBase64({ alphabet, omitPadding: true });
}

/** @returns the item to continue after, or null if the cursor is malformed or was made with other filters */
export function readCursor(cursor: string, filters: unknown): string | null {
  try {
    const json = new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet }));
    const parsed: unknown = JSON.parse(json);
    if (!Array.isArray(parsed) || parsed.length !== 2) return null;
    const [after, filtersOfCursor] = parsed;
    return typeof after === "string" && filtersOfCursor === fingerprint(filters) ? after : null;
  } catch {
    return null;
  }
}

/** FNV-1a over the filters' JSON. Detects a mistake and is no secret, so it need not be an asynchronous digest. */
function fingerprint(filters: unknown): number {
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify(filters)) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
