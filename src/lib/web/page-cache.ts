/**
 * Returns the Cache-Control of a page for visitors. With an e-mail address in it, Cloudflare's e-mail obfuscation would
 * replace the address by a script, which the page's policy refuses. Nothing else asks for `no-transform`, which would also
 * end compression at the edge.
 */
export const cacheControlOf = (html: string): string =>
  /[^\s@<>"'}]@[\w-]+\.\w/.test(html) ? "no-store, no-transform" : "no-store";
