/** Opaque list cursors: where the page ended, bound to the filters it was made with. */

/** @param filters anything JSON can hold; the same filters must be given to read the cursor back */
export function writeCursor(after: string, filters: unknown): string {
  return btoa(JSON.stringify([after, fingerprint(filters)]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** @returns where to go on after, or null for a cursor that is broken or was made with other filters */
export function readCursor(cursor: string, filters: unknown): string | null {
  try {
    const parsed: unknown = JSON.parse(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")));
    if (!Array.isArray(parsed) || parsed.length !== 2) return null;
    const [after, of] = parsed;
    return typeof after === "string" && of === fingerprint(filters) ? after : null;
  } catch {
    return null;
  }
}

/** FNV-1a over the filters' JSON: tells filters apart, hides nothing. */
function fingerprint(filters: unknown): number {
  let hash = 0x811c9dc5;
  for (const char of JSON.stringify(filters)) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
