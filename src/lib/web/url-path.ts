/**
 * Returns a path in the form in which requests arrive from Cloudflare's network, which normalises every address: one slash
 * for several, `/` for `\`, no dot segments, unreserved characters decoded, other escapes in upper case. Anything that an
 * address can't contain is escaped. Case, `_` and a last `/` stay. The form of a form is itself.
 * @param path without a query
 */
export function normalPath(path: string): string {
  const decoded = path.replaceAll("\\", "/").replace(/%([0-9a-f]{2})/gi, (_, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : `%${digits.toUpperCase()}`;
  });
  // The URL parser removes dot segments and escapes the rest.
  const { pathname } = new URL(`http://host/${decoded.replace(/^\/+/, "").replace(/\/{2,}/g, "/")}`);
  return pathname.replace(/\/{2,}/g, "/");
}
