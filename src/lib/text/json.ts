import { Utf8Decoder } from "./utf8.ts";

/** A body that is not acceptable JSON. The message is for the client. */
export class JsonError extends Error {}

/**
 * The key `__proto__` in valid JSON, each of its characters plain or as an escape. A quotation mark after a backslash
 * is inside a string, so it begins no key.
 */
const protoKey = new RegExp(
  `(?<!\\\\)"${[..."__proto__"]
    .map((char) => `(?:${char}|\\\\u00${char.charCodeAt(0).toString(16).replace("f", "[fF]")})`)
    .join("")}"\\s*:`,
);

/**
 * Parses the bytes of a request body: valid UTF-8, valid JSON, and no `__proto__` key, which careless code could use to
 * change an object's prototype. secure-json-parse searches for the key recursively, and its error does not name it.
 * @throws JsonError
 */
export function readJson(bytes: ArrayBuffer): unknown {
  return parseJson(decodeJson(new Utf8Decoder(), new Uint8Array(bytes), true));
}

/** Parses text as `readJson` does. @throws JsonError */
export function parseJson(text: string): unknown {
  const value = parseText(text);
  if (protoKey.test(text)) throw protoKeyError();
  return value;
}

/** The next part of a body's text. @param isLast whether the body ends with it @throws JsonError */
export function decodeJson(decoder: Utf8Decoder, bytes: Uint8Array, isLast: boolean): string {
  try {
    return decoder.decode(bytes, isLast);
  } catch {
    throw new JsonError("The body isn't valid UTF-8.");
  }
}

/** The error of a `__proto__` key. */
export const protoKeyError = () => new JsonError("__proto__ isn't allowed as a field name.");

/** The error of text that is not JSON. */
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
 * An object changed by a JSON merge patch (RFC 7396): properties are set, null removes one, and objects are merged in the
 * same way. Equals SQLite's `json_patch`. Recursive: schemas must have limited the depth.
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
 * Whether two JSON values are equal, in any order of keys. Recursive: schemas must have limited their depth. A
 * general deep-equal package compares far more types.
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
