import { asSchema, type Document, type Operation, resolveSchema, type Schema } from "./document.ts";

/** Which optional fields an example includes: those with their own example, or all. */
type Detail = "exemplified" | "all";

const samples: Record<string, string> = {
  uuid: "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71",
  "date-time": "2026-10-05T09:30:00.000Z",
  date: "2026-10-05",
  uri: "https://example.com/",
};

/** The schema's own example, if it gives one. */
const given = (schema: Schema): unknown => schema.example ?? schema.examples?.[0];

/** Returns a value that the schema allows, using its own examples where it has any. */
export function exampleOf(document: Document, from: Schema, detail: Detail): unknown {
  const schema = resolveSchema(document, from);
  const value = given(schema) ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (value !== undefined) return value;
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (choice !== undefined) return exampleOf(document, asSchema(choice), detail);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return exampleObject(document, schema, detail);
    case "array":
      return [exampleOf(document, asSchema(schema.items), detail)];
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "string":
      return samples[schema.format ?? ""] ?? "example";
    default:
      return null;
  }
}

function exampleObject(document: Document, schema: Schema, detail: Detail): Record<string, unknown> {
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) =>
      detail === "all" || schema.required?.includes(name) || hasExample(document, asSchema(property)),
  );
  return Object.fromEntries(
    shown.map(([name, property]) => [name, exampleOf(document, asSchema(property), detail)]),
  );
}

/** Returns whether the schema, or one inside it, has an example. */
function hasExample(document: Document, from: Schema): boolean {
  const schema = resolveSchema(document, from);
  const inside = [
    ...(schema.oneOf ?? schema.anyOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...Object.values(schema.properties ?? {}),
  ];
  return given(schema) !== undefined || inside.some((inner) => hasExample(document, asSchema(inner)));
}

/** Returns a parameter's name as a shell variable: `DELIVERY_ID` for `deliveryId`. */
const shellName = (name: string): string => name.replace(/([A-Z])/g, "_$1").toUpperCase();

const singleQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The shell variable that holds the credential, by security scheme. */
const credentials: Record<string, string> = {
  apiKey: "API_KEY",
  sessionToken: "TOKEN",
  operator: "OPERATOR_SECRET",
};

/** Returns a command that calls the operation, with `$API_KEY` or similar and, for an `{id}` in the path, `$ID`. */
export function curl(document: Document, { method, path, object }: Operation): string {
  const parameters = (object.parameters ?? [])
    .map((parameter) => resolveSchema(document, parameter))
    .map(({ name, in: place, required, schema }) => ({ name, place, required, schema: asSchema(schema) }))
    .filter(({ required, schema }) => required || hasExample(document, schema))
    .map(({ name, place, schema }) => ({
      name,
      place,
      value: String(exampleOf(document, schema, "exemplified")),
    }));

  const query = new URLSearchParams();
  for (const { name, place, value } of parameters) if (place === "query") query.append(name, value);
  const route = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const address = `${document.servers?.[0]?.url ?? ""}${route}${query.size > 0 ? `?${query}` : ""}`;

  const [scheme = ""] = Object.keys(object.security?.[0] ?? {});
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${address}"`,
    `-H "Authorization: Bearer $${credentials[scheme]}"`,
    ...parameters
      .filter(({ place }) => place === "header")
      .map(({ name, value }) => `-H ${singleQuoted(`${name}: ${value}`)}`),
    ...(object.requestBody === undefined ? [] : curlBody(document, object.requestBody)),
  ];
  return lines.join(" \\\n  ");
}

function curlBody(document: Document, body: NonNullable<Operation["object"]["requestBody"]>): string[] {
  const [type, media] = Object.entries(resolveSchema(document, body).content)[0] ?? [];
  if (type === undefined || media === undefined) return [];
  const example: unknown =
    "example" in media
      ? media.example
      : exampleOf(document, asSchema(resolveSchema(document, media).schema), "exemplified");
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return [`-H "Content-Type: ${type}"`, `--data-binary ${singleQuoted(text)}`];
}
