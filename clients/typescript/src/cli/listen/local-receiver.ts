import { lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { DeliveryWithAttempts } from "../../index.ts";
import { signWebhook } from "../../webhook-signature.ts";
import { UsageError } from "../exit-codes.ts";

/** As the service waits for receivers. Milliseconds. */
const timeout = 10_000;
/** How many bytes of an answer are read, and how many characters of it are shown. */
const readBytes = 4096;
const shownCharacters = 80;

/** Addresses of this machine, and of private networks. Not of the link, where clouds keep machines' own credentials. */
const nearby = new BlockList();
nearby.addSubnet("127.0.0.0", 8);
nearby.addSubnet("10.0.0.0", 8);
nearby.addSubnet("172.16.0.0", 12);
nearby.addSubnet("192.168.0.0", 16);
nearby.addAddress("::1", "ipv6");
nearby.addSubnet("fc00::", 7, "ipv6");

/** Returns whether an IP address is on this machine, or in a private network. */
export const isNearby = (address: string): boolean =>
  nearby.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** Looks a host up, and refuses addresses that aren't nearby: at each connection, since names change. */
const lookupNearby: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const far = addresses?.find(({ address }) => !isNearby(address));
    if (error !== null) callback(error, "");
    else if (far !== undefined) callback(new Error(`${host} is ${far.address}: ${notNearby}`), "");
    else if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? "", addresses[0]?.family);
  });
};

const notNearby = "neither this machine nor a private network. Add --public to send there.";

/** How deliveries are sent to an address. */
export interface LocalReceiver {
  readonly url: URL;
  /** Sign each delivery: several while a secret is replaced. */
  readonly secrets: readonly string[];
  /** Sent beside those of the service. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the address may be a public one. */
  readonly isPublic: boolean;
}

/** Reads the address of a receiver. @throws UsageError for what can't be one, or isn't nearby */
export function receiverUrl(given: string, isPublic: boolean): URL {
  const text = /^\w+:\/\//.test(given) ? given : `http://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${given} isn't an address such as http://localhost:9000/hook`);
  }
  const host = hostOf(url);
  if (!isPublic && isIP(host) !== 0 && !isNearby(host)) throw new UsageError(`${host} is ${notNearby}`);
  return url;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** How a receiver took a delivery. */
export interface Outcome {
  /** The HTTP status; null if no answer came in time. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** Why it failed; null for a 2xx. */
  readonly error: string | null;
}

/** Sends a delivery as the service does: the same bytes and headers, with a fresh signature. Its status decides. */
export async function sendTo(
  receiver: LocalReceiver,
  delivery: Pick<DeliveryWithAttempts, "id" | "event">,
  payload: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Outcome> {
  // As it was written by the service: reading JSON and writing it changes nothing of what JSON.stringify wrote.
  const body = Buffer.from(JSON.stringify(payload));
  const headers = {
    ...receiver.headers,
    "content-type": "application/json",
    "content-length": body.length,
    "user-agent": "qr-service-webhooks/1",
    "x-service-event": delivery.event,
    "x-service-delivery": delivery.id,
    "x-service-signature": await signWebhook(body, receiver.secrets),
  };
  const began = performance.now();
  const ended = () => Math.round(performance.now() - began);
  try {
    const { status, text } = await post(receiver, headers, body, signal);
    const isTaken = status >= 200 && status < 300;
    return { status, milliseconds: ended(), error: isTaken ? null : `HTTP ${status}${text}` };
  } catch (error) {
    signal.throwIfAborted();
    return { status: null, milliseconds: ended(), error: reasonOf(error) };
  }
}

function post(
  { url, isPublic }: LocalReceiver,
  headers: Readonly<Record<string, string | number>>,
  body: Buffer,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      headers,
      // A kept connection may have been closed when the receiver started anew.
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      ...(isPublic ? {} : { lookup: lookupNearby }),
    });
    sent.on("error", reject);
    sent.on("response", async (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      let length = 0;
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          chunks.push(chunk);
          length += chunk.length;
          if (length >= readBytes) break;
        }
      } catch {
        // Only the status counts.
      }
      const [line = ""] = Buffer.concat(chunks).toString("utf8").trim().split("\n");
      resolve({ status, text: line === "" ? "" : `: ${line.slice(0, shownCharacters)}` });
    });
    sent.end(body);
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "AbortError" || error.name === "TimeoutError")
    return `no answer within ${timeout / 1_000} s`;
  // Of a host with several addresses, there is an error for each.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error.message;
}
