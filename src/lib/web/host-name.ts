import { trimmed } from "../text/invisible.ts";

/** After IDNA. Underscores occur in hosts of some providers. */
const label = /^(?!-)[\da-z_-]{1,63}(?<!-)$/;

/**
 * Returns whether there can be such a host.
 * @param name as the URL parser returns it, which reads `12.50` as the IPv4 address 12.0.0.50; without a dot at its end
 * @param typed as it was written, without port
 */
export function canExist(name: string, typed: string): boolean {
  if (name.startsWith("[")) return true;
  if (isIpAddress(name)) return typed.replace(/\.$/, "") === name;
  return name.length <= 253 && name.split(".").every((each) => label.test(each));
}

/**
 * Parses a host name or IP address as people type it.
 * @returns it as browsers send it (lower case, Punycode, without a trailing dot); null for anything else, such as a
 * URL, a wildcard or a single label
 */
export function readHostName(text: string): string | null {
  const given = trimmed(text);
  if (/[\s/?#@\\*]/.test(given) || !URL.canParse(`http://${given}`)) return null;
  const { hostname, port } = new URL(`http://${given}`);
  if (port !== "" || /:\d*$/.test(given.replace(/^\[.*\]/, ""))) return null;
  const name = hostname.replace(/\.$/, "");
  return (name.startsWith("[") || name.includes(".")) && canExist(name, given) ? name : null;
}

/** Returns a host name and its parent domains, without the top-level domain: `a.b.example` and `b.example`. */
export function domainsOf(name: string): string[] {
  const labels = name.split(".");
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_, i) => labels.slice(i).join("."));
}

/** Returns whether a host name is an IP address. */
export const isIpAddress = (name: string): boolean => name.startsWith("[") || /^\d+(\.\d+){3}$/.test(name);
