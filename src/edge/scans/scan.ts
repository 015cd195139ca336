import { hmac } from "../../lib/crypto/digest.ts";
import { newId } from "../../lib/text/ids.ts";
import { clientAddressOf, visitorNetworkOf } from "../../lib/web/network.ts";
import type { Route } from "../../protocol/routes.ts";
import { mailNetworks } from "./mail-networks.ts";
import type { ScanFacts } from "./pack.ts";

/** How many characters of a user agent are recorded. */
const maxUserAgent = 400;

/** How many characters of a city's name are recorded. */
const maxCity = 100;

/** A scan in the isolate's buffer. The visitor's address leaves the isolate only as a keyed hash. */
export interface PendingScan extends ScanFacts {
  readonly address: string;
}

/** Reads a scan at the scan origin from its request, without I/O. @param now epoch milliseconds */
export function readScan(request: Request, route: Route, hash: string, now: number): PendingScan {
  const { headers, cf } = request;
  return {
    id: newId(now),
    workspaceId: route.workspaceId,
    qrId: route.qrId,
    hash,
    address: clientAddressOf(request),
    userAgent: userAgentOf(headers),
    country: textOrNull(cf?.country),
    city: textOrNull(cf?.city)?.slice(0, maxCity) ?? null,
    isMailNetwork: typeof cf?.asn === "number" && mailNetworks.has(cf.asn),
    referrer: referrerHost(headers.get("referer")),
    prefetch: isPrefetch(headers),
    via: null,
  };
}

/** Returns the user agent as it is recorded; null if there is none. */
export const userAgentOf = (headers: Headers): string | null =>
  headers.get("user-agent")?.slice(0, maxUserAgent) ?? null;

/** The longest host name in DNS. */
const maxHost = 253;

/** Returns the host of a Referer header, without its port. Camera apps send none. */
function referrerHost(referrer: string | null): string | null {
  if (referrer === null || !/^https?:/i.test(referrer)) return null;
  const host = URL.parse(referrer)?.hostname ?? "";
  return host === "" || host.length > maxHost ? null : host;
}

const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** Browsers and link previews announce a prefetch in one of these headers. */
export function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz");
  return purpose !== null && /prefetch|prerender|preview/i.test(purpose);
}

/**
 * Identifies a scan's visitor: 8 bytes of a keyed hash of user agent and address, of IPv6 its network, in hex. Not an
 * async function, because its extra promises would cost as much as the hash.
 */
export function pseudonymise({ address, userAgent }: PendingScan, key: CryptoKey): Promise<string> {
  return hmac(key, `${visitorNetworkOf(address)}\n${userAgent ?? ""}`).then((digest) =>
    new Uint8Array(digest, 0, 8).toHex(),
  );
}
