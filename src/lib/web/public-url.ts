import { invisibleProblem, trimmed } from "../text/invisible.ts";
import { canExist } from "./host-name.ts";
import { isLoopback } from "./origin.ts";

/** A normalised URL, or the problem, worded to follow a field's name. */
export type PublicUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string };

const rejected = (problem: string): PublicUrl => ({ ok: false, problem });

/** Top-level names that only resolve inside a private network. */
const privateName =
  /^(localhost|local|internal|intranet|lan|home|corp|private|test|invalid|onion|home\.arpa|in-addr\.arpa)$/;
const ports = ["", "443", "8443"];

/**
 * Parses a URL that this service may request: https, a public host name, no credentials, port 443 or 8443.
 * @param options.maxLength characters
 * @param options.ownHosts this service's hosts with their ports, because it must not call itself
 * @param options.loopback whether plain http to loopback is also allowed, as in local development
 */
export function readPublicUrl(
  input: string,
  options: { maxLength: number; ownHosts: readonly string[]; loopback: boolean },
): PublicUrl {
  const text = trimmed(input);
  if (text.length > options.maxLength) return rejected(`can have at most ${options.maxLength} characters`);
  const invisible = invisibleProblem(text);
  if (invisible !== undefined) return rejected(invisible);
  const [, typed] = /^https?:\/\/([^/\\?#]+)/i.exec(text) ?? [];
  const url = URL.parse(text);
  if (typed === undefined || url === null) return rejected("must be an https address");
  if (url.username !== "" || url.password !== "") return rejected("can't contain a username or password");
  // The URL parser has already normalised every notation of an IPv4 address to four decimal numbers.
  const host = url.hostname.replace(/\.$/, "");
  if (!canExist(host, typed.replace(/:\d*$/, ""))) return rejected("must have a host that can exist");
  url.hostname = host;
  if (options.loopback && isLoopback(`http://${host}`)) {
    return options.ownHosts.includes(url.host)
      ? rejected("can't be on this service itself")
      : { ok: true, url: url.href };
  }
  if (url.protocol !== "https:") return rejected("must be an https address");
  if (host.startsWith("[") || /^\d+(\.\d+){3}$/.test(host))
    return rejected("must be a host name, not an IP address");
  if (isPrivate(host)) return rejected("must be a public host name");
  if (options.ownHosts.some((own) => host === own.replace(/:\d+$/, ""))) {
    return rejected("can't be on this service itself");
  }
  if (!ports.includes(url.port)) return rejected("must use port 443 or 8443");
  return { ok: true, url: url.href };
}

function isPrivate(host: string): boolean {
  const labels = host.split(".");
  return (
    labels.length < 2 || privateName.test(labels.at(-1) ?? "") || privateName.test(labels.slice(-2).join("."))
  );
}
