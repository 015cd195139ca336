/**
 * The web origin a text means, as browsers send it: lower case, without a default port or a slash at its end.
 * Null for anything that is not exactly an http(s) origin.
 */
export function readOrigin(text: string): string | null {
  // The parser would quietly drop a path of dots, tabs, or an empty query.
  if (!/^https?:\/\/[^\s/?#@\\*]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

/** Whether an origin's host is this very machine. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
