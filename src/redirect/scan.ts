import type { ScanRecord } from "../protocol/messages.ts";
import type { Route } from "../protocol/routes.ts";
import { hex, hmac } from "../lib/crypto/crypto.ts";
import { newId } from "../lib/text/ids.ts";
import { clientAddressOf } from "../lib/web/network.ts";

/** Characters of a user agent that are recorded. */
const maxUserAgent = 400;

/** A scan as it waits in the isolate: still with the address, which leaves the isolate only as a keyed hash. */
export interface PendingScan {
  readonly record: Omit<ScanRecord, "visitor">;
  readonly address: string;
}

/** What a request tells of a scan. Costs no I/O. */
export function readScan(request: Request, route: Route, hash: string, now: number): PendingScan {
  const { headers, cf } = request;
  return {
    address: clientAddressOf(request),
    record: {
      id: newId(now),
      workspaceId: route.workspaceId,
      qrId: route.qrId,
      hash,
      at: now,
      country: text(cf?.country),
      city: text(cf?.city),
      userAgent: headers.get("user-agent")?.slice(0, maxUserAgent) ?? null,
      prefetch: isPrefetch(headers),
    },
  };
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Browsers and link previews that fetch ahead of the person say so in one of these. */
function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz");
  return purpose !== null && /prefetch|prerender|preview/i.test(purpose);
}

/** The scan as it is sent: who came is 8 bytes of a keyed hash over address and user agent. */
export async function sealScan(scan: PendingScan, key: CryptoKey): Promise<ScanRecord> {
  const digest = await hmac(key, `${scan.address}\n${scan.record.userAgent ?? ""}`);
  return { ...scan.record, visitor: hex(digest.subarray(0, 8)) };
}
