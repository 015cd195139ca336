import { isLoopback } from "./origin.ts";

/** A receiver's address as it is stored, or the problem in words that follow a field's name. */
export type Receiver =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string };

const bad = (problem: string): Receiver => ({ ok: false, problem });

/** Names that are only ever resolved inside a network. */
const privateName =
  /^(localhost|local|internal|intranet|lan|home|corp|private|test|invalid|onion|home\.arpa|in-addr\.arpa)$/;
const ports = ["", "443", "8443"];

/**
 * The address of a webhook's receiver: https, a public host name, no credentials, port 443 or 8443.
 * @param options.maxLength characters
 * @param options.ownHost this service's host, which must not be called by itself
 * @param options.loopback whether plain http to this machine is allowed too, as in local development
 */
export function readReceiver(
  input: string,
  options: { maxLength: number; ownHost: string; loopback: boolean },
): Receiver {
  if (input.length > options.maxLength) return bad(`must be at most ${options.maxLength} characters`);
  if (!/^https?:\/\/[^/\\]/i.test(input) || !URL.canParse(input)) return bad("must be an https address");
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") return bad("must not contain a user name or password");
  // The parser has turned every spelling of an IPv4 address into four numbers by now.
  const host = url.hostname.replace(/\.$/, "");
  if (options.loopback && isLoopback(`http://${host}`)) {
    return url.host === options.ownHost
      ? bad("must not be this service itself")
      : { ok: true, url: url.href };
  }
  if (url.protocol !== "https:") return bad("must be an https address");
  if (host.startsWith("[") || /^\d+(\.\d+){3}$/.test(host))
    return bad("must be a host name, not an IP address");
  if (isPrivate(host)) return bad("must be a public host name");
  if (host === options.ownHost.replace(/:\d+$/, "")) return bad("must not be this service itself");
  if (!ports.includes(url.port)) return bad("must use port 443 or 8443");
  return { ok: true, url: url.href };
}

function isPrivate(host: string): boolean {
  const labels = host.split(".");
  return (
    labels.length < 2 || privateName.test(labels.at(-1) ?? "") || privateName.test(labels.slice(-2).join("."))
  );
}
