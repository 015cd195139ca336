/** A parsed destination, or the problem, worded to follow a field's name. */
export type Destination =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly problem: string };

const notAnAddress = "isn't a web address. Try example.com/menu.";

const refused = (problem: string): Destination => ({ ok: false, problem });

/**
 * Parses an http(s) URL as people type it, for a Location header. A bare hostname gets `https://`. A plain ASCII URL is
 * kept unchanged; any other is percent-encoded.
 * @param maxLength characters after normalisation
 * @returns the URL and its host (lower case, with port), or the problem
 */
export function readDestination(input: string, maxLength: number): Destination {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(input))
    return refused("can't contain line breaks or control characters");
  const text = input.trim();
  if (text === "") return refused("can't be empty");

  // `host:8080` has no scheme, `javascript:alert(1)` has one.
  const scheme = /^([a-z][a-z0-9+.-]*):(?![0-9]+(?:[/?#]|$))/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    return refused(`must be an http or https address, not ${scheme}:`);
  }
  if (scheme === undefined && /^[/\\]/.test(text))
    return refused("must be a complete address such as example.com/menu");
  const candidate = scheme === undefined ? `https://${text}` : text;

  let parsed: URL;
  try {
    parsed = new URL(candidate);
  } catch {
    return refused(notAnAddress);
  }
  // The standard allows commas in hosts, but no host name contains one.
  if (parsed.hostname.includes(",")) return refused(notAnAddress);
  if (parsed.username !== "" || parsed.password !== "" || /^https?:[/\\]*[^/\\?#]*@/i.test(candidate)) {
    return refused(
      scheme === undefined && /^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(text)
        ? "must be a web address, not an email address"
        : "can't contain a username or password",
    );
  }
  if (scheme === undefined && !parsed.hostname.includes(".") && parsed.hostname !== "localhost") {
    return refused("must be a complete address such as example.com/menu");
  }
  const plain =
    /^https?:\/\/[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x5b\x5d-\x7e]*$/i.test(candidate) &&
    !/["<>`{}|^]/.test(candidate);
  const url = plain ? candidate : parsed.href;
  if (url.length > maxLength) return refused(`can have at most ${maxLength} characters`);
  return { ok: true, url, host: parsed.host };
}

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
