import { concat } from "../../src/lib/concat.ts";
import { sha256Bytes } from "../../src/lib/crypto/digest.ts";

/** A form that a passkey signs, as a page has it. */
export interface PasskeyRequest {
  readonly challenge: string;
  /** For a new passkey. */
  readonly user?: { readonly id: string };
  readonly sealed: string | undefined;
}

/** Reads the form of a page that a passkey signs. */
export function passkeyRequestOf(page: string): PasskeyRequest {
  const attribute = (name: string) =>
    new RegExp(` ${name}="([^"]*)"`).exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "{}";
  const options = JSON.parse(attribute("data-options")) as Omit<PasskeyRequest, "sealed">;
  return { ...options, sealed: /name="sealed" value="([^"]+)"/.exec(page)?.[1] };
}

interface Key {
  readonly id: Uint8Array<ArrayBuffer>;
  readonly keys: CryptoKeyPair;
  readonly userHandle: string;
}

/** Deviations of a dishonest or old authenticator. */
export interface Deviation {
  readonly origin?: string;
  readonly type?: string;
  readonly rpId?: string;
  /** User present, user verified, with a credential. */
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  /** The statement of the attestation, as CBOR, and its format. */
  readonly attestation?: { readonly format: string; readonly statement: Uint8Array<ArrayBuffer> };
}

const encode = (bytes: Uint8Array): string => bytes.toBase64({ alphabet: "base64url", omitPadding: true });
const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...values: number[]) => new Uint8Array(values);

const presentAndVerified = 0x05;
const withCredential = 0x40;

/** An authenticator in software, which makes ES256 passkeys and answers as a browser sends it. */
export class Authenticator {
  readonly origin: string;
  /** Counts signatures; many real ones always send 0. */
  counter = 0;
  #passkey: Key | undefined;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** The id of the passkey, base64url. */
  get credentialId(): string {
    return encode(this.#key.id);
  }

  get #key(): Key {
    if (this.#passkey === undefined) throw new Error("the authenticator has no passkey");
    return this.#passkey;
  }

  /** Makes a passkey. @returns the browser's answer, as JSON */
  async create({ challenge, user }: PasskeyRequest, deviation: Deviation = {}): Promise<string> {
    const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])) as CryptoKeyPair;
    this.#passkey = { id: crypto.getRandomValues(new Uint8Array(16)), keys, userHandle: user?.id ?? "" };
    const { id } = this.#passkey;
    const data = await this.#data({ flags: presentAndVerified | withCredential, ...deviation });
    const credential = concat([new Uint8Array(16), bytes(0, id.length), id, await coseKey(keys.publicKey)]);
    const { format, statement } = deviation.attestation ?? { format: "none", statement: bytes(0xa0) };
    const attestationObject = concat([
      bytes(0xa3),
      ...[cborText("fmt"), cborText(format), cborText("attStmt"), statement],
      ...[cborText("authData"), cborBytes(concat([data, credential]))],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData("webauthn.create", challenge, deviation),
      attestationObject: encode(attestationObject),
      transports: ["internal"],
    });
  }

  /** Signs a challenge. @returns the browser's answer, as JSON */
  async sign({ challenge }: PasskeyRequest, deviation: Deviation = {}): Promise<string> {
    const { keys, userHandle } = this.#key;
    const data = await this.#data(deviation);
    const clientDataJSON = this.#clientData("webauthn.get", challenge, deviation);
    const digest = await sha256Bytes(Uint8Array.fromBase64(clientDataJSON, { alphabet: "base64url" }));
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const raw = await crypto.subtle.sign(algorithm, keys.privateKey, concat([data, digest]));
    return this.#answer({
      clientDataJSON,
      authenticatorData: encode(data),
      signature: encode(derSignature(new Uint8Array(raw))),
      userHandle: deviation.userHandle ?? userHandle,
    });
  }

  async #data({ rpId, flags = presentAndVerified, counter = this.counter }: Deviation) {
    const party = await sha256Bytes(rpId ?? new URL(this.origin).hostname);
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, counter);
    return concat([party, bytes(flags), count]);
  }

  #clientData(type: string, challenge: string, deviation: Deviation): string {
    const { origin } = this;
    return encode(utf8(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...deviation })));
  }

  #answer(response: object): string {
    const id = this.credentialId;
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} });
  }
}

const cborText = (text: string) => concat([bytes(0x60 + text.length), utf8(text)]);
const cborBytes = (value: Uint8Array<ArrayBuffer>) =>
  concat([
    value.length < 256 ? bytes(0x58, value.length) : bytes(0x59, value.length >> 8, value.length & 255),
    value,
  ]);

/** An ES256 key as COSE: type 2, algorithm -7, curve 1, x and y. */
async function coseKey(key: CryptoKey): Promise<Uint8Array<ArrayBuffer>> {
  const point = new Uint8Array((await crypto.subtle.exportKey("raw", key)) as ArrayBuffer);
  const [x, y] = [point.slice(1, 33), point.slice(33)];
  const head = bytes(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21);
  return concat([head, cborBytes(x), bytes(0x22), cborBytes(y)]);
}

/** A signature as authenticators send it: two integers in DER. */
function derSignature(raw: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const integers = [raw.slice(0, 32), raw.slice(32)].map((half) => {
    const start = half.findIndex((byte) => byte !== 0);
    const digits = half.slice(start);
    const positive = (digits[0] ?? 0) > 127 ? concat([bytes(0), digits]) : digits;
    return concat([bytes(0x02, positive.length), positive]);
  });
  const body = concat(integers);
  return concat([bytes(0x30, body.length), body]);
}
