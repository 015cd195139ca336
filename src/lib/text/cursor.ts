/** Opaque list cursors: the last item of a page, bound to the list's filters. */

const encoder = new TextEncoder();
const alphabet = "base64url";

/** @param filters any JSON value; reading the cursor requires the same filters */
export function writeCursor(after: string, filters: unknown): string {
  const json = JSON.stringify([after, fingerprint(filters)]);
  return encoder.encode(json).toBase64({ alphabet, omitPadding: true });
}

/** @returns the item to continue after; null if the cursor is malformed or was made with other filters */
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

/**
 * Hashes the filters' JSON with FNV-1a. This detects mistakes and protects nothing, so it needn't be an asynchronous
 * digest.
 */
function fingerprint(filters: unknown): number {
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify(filters)) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
