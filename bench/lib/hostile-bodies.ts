import type { Document, Schema } from "../../src/api/docs/document.ts";
import { exampleOf } from "../../src/api/docs/example.ts";

/** Texts that careless code reads again and again, by what they consist of. */
export const hostileTexts = {
  repeats: (bytes: number) => "a,;|:".repeat(bytes / 5),
  "long tokens": (bytes: number) => "a".repeat(bytes),
  spaces: (bytes: number) => `a${" ".repeat(bytes - 2)}b`,
} satisfies Record<string, (bytes: number) => string>;

/** A text of words, which nothing reads twice. */
export const harmlessText = (bytes: number): string => "some words, ".repeat(bytes / 12 + 1).slice(0, bytes);

/** Bodies that differ from a valid one in their shape, as texts of JSON; undefined where it can't have the shape. */
export const hostileShapes = {
  nesting: (body, bytes) => withField(body, `"nested":${"[".repeat(bytes / 2)}${"]".repeat(bytes / 2)}`),
  "unknown names": (body, bytes) =>
    withField(body, Array.from({ length: bytes / 16 }, (_, i) => `"unknown${i}":1`).join()),
  "rows of unknown names": (body, bytes) => {
    const whole = JSON.parse(body) as Record<string, unknown>;
    const { items: [item] = [] } = whole as { items?: readonly object[] };
    if (item === undefined) return undefined;
    const unknown = Object.fromEntries(Array.from({ length: 450 }, (_, i) => [`unknown${i}`, 1]));
    const row = { ...item, ...unknown };
    const items = Array.from({ length: bytes / JSON.stringify(row).length }, () => row);
    return JSON.stringify({ ...whole, items });
  },
  duplicates: (body, bytes) =>
    withField(body, `${Array.from({ length: bytes / 9 }, () => '"name":1').join()}`),
} satisfies Record<string, (body: string, bytes: number) => string | undefined>;

/** Adds a field to an object's JSON, in its first list of objects if it has one, as in rows of a bulk request. */
const withField = (body: string, field: string): string => {
  const list = body.indexOf("[{");
  const at = (list === -1 ? body.indexOf("{") : list + 1) + 1;
  const comma = body[at] === "}" ? "" : ",";
  return body.slice(0, at) + field + comma + body.slice(at);
};

/** A body that is valid but for its texts. */
export class SampleBody {
  readonly #body: unknown;
  /** The places of its texts. */
  readonly texts: readonly (readonly (string | number)[])[];

  constructor(document: Document, schema: Schema) {
    this.#body = exampleOf(document, schema, "all");
    this.texts = textsIn(this.#body);
  }

  /** Returns the body as JSON. @param path of the text that is replaced @param text that replaces it */
  json(path: readonly (string | number)[] = [], text = ""): string {
    return JSON.stringify(path.length === 0 ? this.#body : replaced(this.#body, path, text));
  }
}

/** Returns the places of all texts in a value of JSON. */
function textsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value === "string") return [path];
  if (Array.isArray(value)) return value.flatMap((each, i) => textsIn(each, [...path, i]));
  return Object.entries(value ?? {}).flatMap(([name, each]) => textsIn(each, [...path, name]));
}

function replaced(value: unknown, [name, ...rest]: readonly (string | number)[], text: string): unknown {
  if (name === undefined) return text;
  const inner = (value as Record<string | number, unknown>)[name];
  if (Array.isArray(value)) return value.map((each, i) => (i === name ? replaced(inner, rest, text) : each));
  return { ...(value as object), [name]: replaced(inner, rest, text) };
}
