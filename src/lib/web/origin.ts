/**
 * Parses a web origin to the form that browsers send: lower case, without a default port or a trailing slash. Null if
 * the text isn't exactly an http(s) origin.
 */
export function readOrigin(text: string): string | null {
  // Checked first, because the URL parser silently drops a path of dots, tabs and an empty query.
  if (!/^https?:\/\/[^\s/?#@\\*]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

/** Returns whether an origin's host is loopback. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/**
 * Returns a pattern for the URLs of an origin's host. Ignores ports, because a host's cookies are sent to all of them,
 * and also case and a trailing dot.
 */
export function hostPattern(origin: string): RegExp {
  const name = new URL(origin).hostname.replace(/\W/g, "\\$&");
  return new RegExp(`^https?://${name}\\.?(?![^:/?#])`, "i");
}

/** A pattern for the URLs of this machine's own hosts. */
export const loopbackHost = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])\.?(?![^:/?#])/i;

/** Returns the origin of a host with the scheme and port of another origin. */
export function originAt(host: string, origin: string): string {
  const { protocol, port } = new URL(origin);
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}`;
}
