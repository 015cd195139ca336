/** A body that is not acceptable JSON. The message is for the client. */
export class JsonError extends Error {}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Parses the bytes of a request body: valid UTF-8, valid JSON, and no `__proto__` key, which careless code could use to
 * change an object's prototype. secure-json-parse checks only the last, and its error does not name the key.
 * @throws JsonError
 */
export function readJson(bytes: ArrayBuffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new JsonError("The body is not valid UTF-8");
  }
  // The key may be written with escapes; a text without "__proto__" and \u005f can't contain it.
  const suspicious = text.includes("__proto__") || /\\u005f/i.test(text);
  const refuse = (key: string, value: unknown) => {
    if (key === "__proto__") throw new JsonError("__proto__: is not allowed as a field name");
    return value;
  };
  try {
    return suspicious ? JSON.parse(text, refuse) : JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonError) throw error;
    throw new JsonError("The body is not valid JSON");
  }
}

/** Whether two JSON values are equal, whatever the order of keys. A general deep-equal package compares far more types. */
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
