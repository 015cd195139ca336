import { invisibleProblem, trimmed } from "../text/invisible.ts";
import { canExist, isIpAddress } from "./host-name.ts";
import { hasTopLevelDomain } from "./top-level-domains.ts";

/** A parsed destination, or the problem, worded to follow a field's name. */
export type Destination =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly problem: string };

const notAnAddress = "isn't a web address. Try example.com/menu.";

const refused = (problem: string): Destination => ({ ok: false, problem });

/** Returns the scheme of an address: `host:8080` has none, `javascript:alert(1)` and `tel:112` have one. */
export const schemeOf = (text: string): string | undefined =>
  /^((?:tel|sms)(?=:)|[a-z][a-z0-9+.-]*(?=:(?![0-9]+(?:[/?#]|$)))):/i.exec(text)?.[1]?.toLowerCase();

/**
 * Parses an http(s) URL as people type it, for a Location header. A bare host gets `https://` if it ends in a top-level
 * domain. A plain ASCII URL is kept unchanged, except for a dot at the end of its host; any other is percent-encoded.
 * @param maxLength characters after normalisation
 * @returns the URL and its host (lower case, with port), or the problem
 */
export function readDestination(input: string, maxLength: number): Destination {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(input))
    return refused("can't contain line breaks or control characters");
  const text = trimmed(input).replaceAll("\u00a0", " ");
  if (text === "") return refused("can't be empty");
  const invisible = invisibleProblem(text);
  if (invisible !== undefined) return refused(invisible);

  const scheme = schemeOf(text);
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    return refused(`must be an http or https address, not ${scheme}:`);
  }
  if (scheme === undefined && /^[/\\]/.test(text))
    return refused("must be a complete address such as example.com/menu");
  const given = scheme === undefined ? `https://${text}` : text;
  if (/^https?:[/\\]*https?(?:[:/\\]|$)/i.test(given)) return refused("has its https:// twice");

  const parsed = URL.parse(given);
  if (parsed === null) return refused(notAnAddress);
  const [authority = ""] = /^https?:[/\\]*([^/\\?#]*)/i.exec(given)?.slice(1) ?? [];
  if (parsed.username !== "" || parsed.password !== "" || authority.includes("@")) {
    return refused(
      scheme === undefined && /^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(text)
        ? "must be a web address, not an email address"
        : "can't contain a username or password",
    );
  }
  const name = parsed.hostname.replace(/\.$/, "");
  const typed = authority.replace(/:\d*$/, "");
  if (!canExist(name, typed)) return refused(notAnAddress);
  if (parsed.port === "0") return refused("can't have the port 0");
  if (scheme === undefined) {
    if (!name.includes(".") && name !== "localhost")
      return refused("must be a complete address such as example.com/menu");
    if (!isIpAddress(name) && !hasTopLevelDomain(name)) return refused(unknownEnd(name));
  }
  const candidate = typed.endsWith(".") ? given.replace(typed, typed.slice(0, -1)) : given;
  const plain =
    /^https?:\/\/[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x5b\x5d-\x7e]*$/i.test(candidate) &&
    !/["<>`{}|^]/.test(candidate);
  const { href, host } = candidate === given ? parsed : new URL(candidate);
  const url = plain ? candidate : href;
  if (url.length <= maxLength) return { ok: true, url, host };
  return refused(
    candidate.length > maxLength
      ? `can have at most ${maxLength} characters`
      : `has ${url.length} characters with letters such as ü encoded, and can have at most ${maxLength}`,
  );
}

/** The problem of an address without a scheme that may be anything else: a file's name, or words with a dot between them. */
const unknownEnd = (name: string): string =>
  `isn't a web address, because .${name.slice(name.lastIndexOf(".") + 1)} isn't a top-level domain. Write https:// before it to use it all the same.`;

const loopback = /^(localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

/**
 * Returns whether a host is this service's own, on any port. All services of a machine share the loopback names, so
 * those only match on the same port. Ignores case and a trailing dot.
 * @param host, own with their ports, if any
 */
export function isOwnHost(host: string, own: string): boolean {
  const [theirs, ours] = [splitHost(host), splitHost(own)];
  if (theirs.name === ours.name) return true;
  return loopback.test(theirs.name) && loopback.test(ours.name) && theirs.port === ours.port;
}

/** Returns the name of a host, in lower case, without port and trailing dot. */
export const hostNameOf = (host: string): string => splitHost(host).name;

function splitHost(host: string): { name: string; port: string } {
  const [, name = "", port = ""] = /^(.*?)\.?(:\d+)?$/.exec(host.toLowerCase()) ?? [];
  return { name, port };
}
