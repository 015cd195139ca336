import { Utf8Decoder } from "./utf8.ts";

/** A body that isn't acceptable JSON. The message is for the client. */
export class JsonError extends Error {
  readonly status: 400 | 413;

  constructor(message: string, status: JsonError["status"] = 400) {
    super(message);
    this.status = status;
  }
}

/**
 * The key `__proto__` in valid JSON, with each character plain or escaped. A quotation mark after a backslash is inside
 * a string, so it doesn't begin a key.
 */
const protoKey = new RegExp(
  `(?<!\\\\)"${[..."__proto__"]
    .map((char) => `(?:${char}|\\\\u00${char.charCodeAt(0).toString(16).replace("f", "[fF]")})`)
    .join("")}"\\s*:`,
);

/**
 * Parses the bytes of a request body: valid UTF-8 and valid JSON, without `__proto__` keys, which careless code could
 * use to change an object's prototype. secure-json-parse searches for the key recursively, and its error doesn't name
 * it.
 * @param check throws for a text that isn't to be parsed
 * @throws JsonError
 */
export function readJson(bytes: Uint8Array, check: (text: string) => void = () => {}): unknown {
  const text = decodeJson(new Utf8Decoder(), bytes, true);
  check(text);
  return parseJson(text);
}

/** Parses text like `readJson`. @throws JsonError */
export function parseJson(text: string): unknown {
  const value = parseText(text);
  if (protoKey.test(text)) throw protoKeyError();
  return value;
}

/** Decodes the next part of a body. @param isLast whether the body ends with it @throws JsonError */
export function decodeJson(decoder: Utf8Decoder, bytes: Uint8Array, isLast: boolean): string {
  try {
    return decoder.decode(bytes, isLast);
  } catch {
    throw new JsonError("The body isn't valid UTF-8.");
  }
}

/** The error for a `__proto__` key. */
export const protoKeyError = () => new JsonError("__proto__ isn't allowed as a field name.");

/** The error for text that isn't JSON. */
export const malformed = () => new JsonError("The body isn't valid JSON.");

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Applies a JSON merge patch (RFC 7396) to an object: sets properties, removes those that are null, and merges objects
 * in the same way. Equals SQLite's `json_patch`. Recursive, so schemas must have limited the depth.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): Record<string, unknown> {
  const properties = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const before = properties.get(key);
    if (value === null) properties.delete(key);
    else properties.set(key, isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(properties);
}

/**
 * Returns whether two JSON values are equal, regardless of the order of keys. Recursive, so schemas must have limited
 * the depth. A general deep-equal package compares far more types.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && sameJson(value, right.get(key)))
  );
}
