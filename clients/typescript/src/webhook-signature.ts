import { SignatureError } from "./errors.ts";
import type { BatchedEvent, WebhookDelivery, WebhookEvent } from "./types.ts";

/** A request as a server of any kind has it. The body must be as it arrived: text or bytes, not parsed JSON. */
export type WebhookRequest =
  | Request
  | {
      readonly body: string | Uint8Array | ArrayBuffer;
      readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    };

/** How a signature is judged. */
export interface VerifyOptions {
  /** How old a signature may be, in seconds. 300 if you say nothing. */
  tolerance?: number | undefined;
  /** The present time, in milliseconds. The clock's if you say nothing. */
  now?: number | undefined;
}

/**
 * Checks that a webhook's request was signed with its secret, and returns its body: an event, or a batch of them. Use
 * `eventsOf` if you don't mind which.
 * @param secret of the webhook. While you replace it, several: any may have signed
 * @throws SignatureError if it wasn't, or not in the last five minutes
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookDelivery> {
  const header = headerOf(request.headers, "x-service-signature");
  const parts = header.split(",").map((part) => part.split("="));
  const time = parts.find(([name]) => name === "t")?.[1] ?? "";
  const given = parts.flatMap(([name, value]) => (name === "v1" ? (bytesOf(value) ?? []) : []));
  if (!/^\d+$/.test(time) || given.length === 0) {
    throw new SignatureError("The header X-Service-Signature is missing or malformed.");
  }
  if (Math.abs(now / 1_000 - Number(time)) > tolerance) {
    throw new SignatureError(`The signature isn't from the last ${tolerance} seconds.`);
  }
  const body = await rawBody(request);
  const text = signedText(time, body);
  for (const each of typeof secret === "string" ? [secret] : secret) {
    if (await isSigned(each, text, given)) return deliveryOf(body);
  }
  throw new SignatureError("The signature is wrong: another secret, or a body that was changed.");
}

/** Returns the events of a delivery: those of a batch, or the one. */
export function eventsOf(delivery: WebhookDelivery): readonly (WebhookEvent | BatchedEvent)[] {
  return delivery.event === "batch" ? delivery.events : [delivery];
}

/**
 * Returns the header `X-Service-Signature` with which the service would send a body: for tests of a receiver.
 * @param body as it is sent, byte for byte
 * @param secret of the webhook. While you replace it, several: each signs
 * @param now the time of the signature, in milliseconds. The clock's if you say nothing
 */
export async function signWebhook(
  body: string | Uint8Array,
  secret: string | readonly string[],
  now = Date.now(),
): Promise<string> {
  const time = String(Math.floor(now / 1_000));
  const text = signedText(time, typeof body === "string" ? new TextEncoder().encode(body) : body);
  const signatures = await Promise.all(
    (typeof secret === "string" ? [secret] : secret).map(async (each) => {
      const signature = new Uint8Array(await crypto.subtle.sign("HMAC", await keyOf(each), text));
      return `v1=${Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
    }),
  );
  return [`t=${time}`, ...signatures].join(",");
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the text that is signed: the time in seconds, a dot, and the body. */
function signedText(time: string, body: Uint8Array): Bytes {
  const head = new TextEncoder().encode(`${time}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function keyOf(secret: string): Promise<CryptoKey> {
  if (secret === "") throw new TypeError("The webhook's secret is empty.");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

/** Compares in constant time, as WebCrypto does. */
async function isSigned(secret: string, text: Bytes, given: readonly Bytes[]): Promise<boolean> {
  const key = await keyOf(secret);
  const results = await Promise.all(
    given.map((signature) => crypto.subtle.verify("HMAC", key, signature, text)),
  );
  return results.includes(true);
}

function deliveryOf(body: Uint8Array): WebhookDelivery {
  const delivery = JSON.parse(new TextDecoder().decode(body)) as WebhookDelivery;
  return "events" in delivery ? { ...delivery, event: "batch" } : delivery;
}

async function rawBody(request: WebhookRequest): Promise<Uint8Array> {
  const body = "arrayBuffer" in request ? await request.arrayBuffer() : request.body;
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError("verifyWebhook needs the body as it arrived: text or bytes, not parsed JSON.");
}

function headerOf(headers: WebhookRequest["headers"], name: string): string {
  if ("get" in headers && typeof headers.get === "function") return headers.get(name) ?? "";
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return String(entry?.[1] ?? "");
}

/** Returns the bytes of a hexadecimal text; undefined for any other. */
function bytesOf(text: string | undefined): Bytes | undefined {
  if (text === undefined || !/^([0-9a-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
