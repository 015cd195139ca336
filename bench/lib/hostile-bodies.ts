/** A value of JSON. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The part of JSON Schema that the service's OpenAPI document uses for bodies. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly example?: Json;
  readonly examples?: readonly Json[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Texts that careless code reads again and again, by what they consist of. */
export const hostileTexts = {
  repeats: (bytes: number) => "a,;|:".repeat(bytes / 5),
  "long tokens": (bytes: number) => "a".repeat(bytes),
  spaces: (bytes: number) => `a${" ".repeat(bytes - 2)}b`,
} satisfies Record<string, (bytes: number) => string>;

/** A text of words, which nothing reads twice. */
export const harmlessText = (bytes: number): string => "some words, ".repeat(bytes / 12 + 1).slice(0, bytes);

/** Bodies that differ from a valid one in their shape, as texts of JSON. */
export const hostileShapes = {
  nesting: (body, bytes) => withField(body, `"nested":${"[".repeat(bytes / 2)}${"]".repeat(bytes / 2)}`),
  "unknown names": (body, bytes) =>
    withField(body, Array.from({ length: bytes / 16 }, (_, i) => `"unknown${i}":1`).join()),
  duplicates: (body, bytes) =>
    withField(body, `${Array.from({ length: bytes / 9 }, () => '"name":1').join()}`),
} satisfies Record<string, (body: string, bytes: number) => string>;

/** Adds a field to an object's JSON, in its first list of objects if it has one, as in rows of a bulk request. */
const withField = (body: string, field: string): string => {
  const list = body.indexOf("[{");
  const at = (list === -1 ? body.indexOf("{") : list + 1) + 1;
  const comma = body[at] === "}" ? "" : ",";
  return body.slice(0, at) + field + comma + body.slice(at);
};

/** A body that is valid but for its texts, and the places of the texts that a client chooses. */
export class SampleBody {
  readonly #body: Json;
  readonly texts: readonly (readonly (string | number)[])[];

  constructor(schema: Schema, definitions: Readonly<Record<string, Schema>>) {
    const texts: (string | number)[][] = [];
    this.#body = sample(schema, definitions, [], texts);
    this.texts = texts;
  }

  /** Returns the body as JSON. @param path of the text that is replaced @param text that replaces it */
  json(path: readonly (string | number)[] = [], text = ""): string {
    return JSON.stringify(path.length === 0 ? this.#body : replaced(this.#body, path, text));
  }
}

function sample(
  schema: Schema,
  definitions: Readonly<Record<string, Schema>>,
  path: readonly (string | number)[],
  texts: (string | number)[][],
): Json {
  // Nothing that the service takes is nested deeper, but for free-form objects.
  if (path.length > 8) return null;
  const inner = (part: Schema, name?: string | number) =>
    sample(part, definitions, name === undefined ? path : [...path, name], texts);
  if (schema.$ref !== undefined) return inner(definitions[schema.$ref.split("/").pop() ?? ""] ?? {});
  const [chosen] = schema.anyOf ?? schema.oneOf ?? [];
  if (chosen !== undefined) return inner(chosen);
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => inner(part))) as Json;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(([name, part]) => [name, inner(part, name)]);
    return Object.fromEntries(fields) as Json;
  }
  if (type === "array") return [inner(schema.items ?? {}, 0)];
  const example = schema.example ?? schema.examples?.[0];
  if (type === "string") {
    texts.push([...path]);
    return typeof example === "string" ? example : "text";
  }
  if (example !== undefined) return example;
  return type === "integer" || type === "number" ? 1 : type === "boolean" ? true : {};
}

function replaced(value: Json, [name, ...rest]: readonly (string | number)[], text: string): Json {
  if (name === undefined) return text;
  const inner = (value as Record<string | number, Json>)[name] ?? null;
  if (Array.isArray(value)) return value.map((each, i) => (i === name ? replaced(inner, rest, text) : each));
  return { ...(value as object), [name]: replaced(inner, rest, text) };
}
