/** A JSON text that is not one, or that carries a key no honest client sends. The message is for the client. */
export class JsonProblem extends Error {}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * JSON from the bytes of a request, strictly: valid UTF-8, valid JSON, and no `__proto__` key, which some
 * object code would take as an order to change the prototype.
 * @throws JsonProblem
 */
export function readJson(bytes: ArrayBuffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new JsonProblem("The body is not valid UTF-8");
  }
  // A key can hide behind escapes; a text without "__proto__" and without \u005f cannot hold one.
  const suspicious = text.includes("__proto__") || /\\u005f/i.test(text);
  const refuse = (key: string, value: unknown) => {
    if (key === "__proto__") throw new JsonProblem("__proto__: is not allowed as a field name");
    return value;
  };
  try {
    return suspicious ? JSON.parse(text, refuse) : JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonProblem) throw error;
    throw new JsonProblem("The body is not valid JSON");
  }
}

/** Whether two JSON values are equal; the order of an object's keys does not matter. */
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
