/**
 * Parses a web origin to the form that browsers send: lower case, without a default port or a trailing slash.
 * Null for anything that is not exactly an http(s) origin.
 */
export function readOrigin(text: string): string | null {
  // Checked first, because the URL parser silently drops a path of dots, tabs and an empty query.
  if (!/^https?:\/\/[^\s/?#@\\*]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

/** Whether an origin's host is loopback. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Matches the URLs of an origin's host. Ports make no difference, because a host's cookies are sent to all of them; nor do
 * case and a trailing dot.
 */
export function hostPattern(origin: string): RegExp {
  const name = new URL(origin).hostname.replace(/\W/g, "\\$&");
  return new RegExp(`^https?://${name}\\.?(?![^:/?#])`, "i");
}
