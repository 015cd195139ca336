/**
 * Parses a host name or IP address as people type it.
 * @returns it as browsers send it (lower case, Punycode, without a trailing dot); null for anything else, such as a
 * URL, a wildcard or a single label
 */
export function readHostName(text: string): string | null {
  const given = text.trim();
  if (/[\s/?#@\\*]/.test(given) || !URL.canParse(`http://${given}`)) return null;
  const { hostname, port } = new URL(`http://${given}`);
  if (port !== "" || /:\d*$/.test(given.replace(/^\[.*\]/, ""))) return null;
  const name = hostname.replace(/\.$/, "");
  return /^\[[\da-f:.]+\]$/.test(name) || /^([\w-]+\.)+[\w-]+$/.test(name) ? name : null;
}

/** Returns a host name and its parent domains, without the top-level domain: `a.b.example` and `b.example`. */
export function domainsOf(name: string): string[] {
  const labels = name.split(".");
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, i) => labels.slice(i).join("."));
}

/** Returns whether a host name is an IP address. */
export const isIpAddress = (name: string): boolean => name.startsWith("[") || /^\d+(\.\d+){3}$/.test(name);
