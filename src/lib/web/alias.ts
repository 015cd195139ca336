import { foldHash, readHash } from "../text/hash.ts";

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

/** Another address of a code: a host and a path. */
export interface Alias {
  readonly host: string;
  /** The host and the path as it was given. */
  readonly shown: string;
  /** The host and the path in the form in which requests arrive. */
  readonly address: string;
  /** The hash that the path reads like, folded; null if none. Images have the code's hash in their path, too. */
  readonly folded: string | null;
}

/** Paths that a host answers itself, with everything below them. */
const ownPaths = /^\/(?:report|healthz|\.well-known)(?:\/|$)/;

/** Returns whether a path can't be an alias, because the host answers it itself. */
export const isOwnPath = (path: string): boolean => ownPaths.test(path);

/**
 * Reads an alias as people paste it, with or without `https://`.
 * @param maxBytes of the path in the form in which requests arrive, without its first slash
 * @returns the alias, or the problem, worded to follow a field's name
 */
export function readAlias(text: string, maxBytes: number): Alias | { readonly problem: string } {
  const [, host = "", path = ""] = /^(?:https?:\/\/)?([^/\\?#]+)[/\\](.*)$/is.exec(text.trim()) ?? [];
  if (path === "") return { problem: "must be a host and a path, such as go.example.com/menu" };
  if (/[?#]/.test(path)) return { problem: "can't contain ? or #: aliases are paths" };
  if (!URL.canParse(`http://${host}`)) return { problem: "must begin with a host" };
  const { hostname } = new URL(`http://${host}`);
  const normal = normalPath(path);
  if (normal === "/") return { problem: "must have a path after the host" };
  if (normal.length - 1 > maxBytes) return { problem: `can have a path of at most ${maxBytes} bytes` };
  if (isOwnPath(normal)) return { problem: "begins with a path that every host answers itself" };
  const name = hostname.replace(/\.$/, "");
  const [, segment = ""] = /^\/([^/]+?)(?:\.(?:svg|png))?[/.]?$/i.exec(normal) ?? [];
  const hash = readHash(segment);
  return {
    host: name,
    shown: `${name}/${path}`,
    address: `${name}${normal}`,
    folded: hash === null ? null : foldHash(hash),
  };
}
