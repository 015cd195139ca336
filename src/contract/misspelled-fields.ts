import * as z from "zod";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { endpoints } from "./endpoints/index.ts";
import { shortened } from "./issues.ts";
import { isStrict, type Shape, shapeOf, unwrap } from "./schemas.ts";

/**
 * Describes the fields of a body that look like typos of a field of its schema: one character inserted, missing,
 * replaced or swapped, or different case, `_` or `-`. Looks at the top level alone, so that its cost is bounded. Ignores
 * fields that another schema or the resource itself has. Each problem names the field that was probably meant.
 * @param body as the client sent it
 * @param resource the schema of the response, whose fields a client may send back
 */
export function misspelledFields(schema: z.ZodType, body: unknown, resource: z.ZodType): string[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  const inner = unwrap(schema);
  // Clients choose the fields of a loose object, or its own check judges them.
  if (inner instanceof z.ZodObject && inner.def.catchall !== undefined && !isStrict(inner)) return [];
  const shape = shapeOf(inner, body) ?? {};
  const names = Object.keys(shape);
  return Object.keys(body).flatMap((name) => {
    if (Object.hasOwn(shape, name) || bodyFields().has(name) || fieldNames(resource).has(name)) return [];
    const meant = meantBy(name, names);
    return meant === undefined ? [] : [`Unknown field \`${name}\`. Did you mean \`${meant}\`?`];
  });
}

const fieldCache = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** Returns the names of a schema's fields at any depth. */
function fieldNames(schema: z.ZodType): ReadonlySet<string> {
  const cached = fieldCache.get(schema);
  if (cached !== undefined) return cached;
  const fields = new Set(listFields(schema));
  fieldCache.set(schema, fields);
  return fields;
}

function listFields(schema: z.ZodType): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return listFields(inner.element as z.ZodType);
  if (inner instanceof z.ZodUnion) return (inner.options as z.ZodType[]).flatMap(listFields);
  // The fields of a strict object don't count for other objects, which would ignore them.
  if (!(inner instanceof z.ZodObject) || isStrict(inner)) return [];
  return Object.entries(inner.shape as Shape).flatMap(([name, field]) => [name, ...listFields(field)]);
}

let allBodyFields: ReadonlySet<string> | undefined;

/** Returns the names of all fields of all request bodies. */
function bodyFields(): ReadonlySet<string> {
  allBodyFields ??= new Set(
    Object.values<Endpoint>(endpoints).flatMap(({ body }) => (body === undefined ? [] : listFields(body))),
  );
  return allBodyFields;
}

/**
 * Describes the parameters of a query that its endpoint doesn't have. If they were ignored, a response would look filtered
 * or sorted without being so. @param schema of the query, if the endpoint takes one
 */
export function unknownParameters(schema: z.ZodType | undefined, given: readonly string[]): string[] {
  const names = Object.keys((schema && shapeOf(unwrap(schema), {})) ?? {});
  const unknown = given.filter((name) => !names.includes(name));
  return unknown.map((name) => {
    // With names as short as `q`, nearly every other name would look like a typo.
    const meant =
      names.find((known) => known.length <= 2 && plain(name) === known) ??
      meantBy(
        name,
        names.filter((known) => known.length > 2),
      );
    const problem = `Unknown parameter \`${shortened(name)}\`.`;
    if (meant !== undefined) return `${problem} Did you mean \`${meant}\`?`;
    if (names.length === 0) return `${problem} This endpoint takes none.`;
    return `${problem} This endpoint takes ${names.map((known) => `\`${known}\``).join(", ")}.`;
  });
}

/** Returns the known name that the given one looks like a typo of. */
export function meantBy(given: string, known: readonly string[]): string | undefined {
  const plainName = plain(given);
  return known.find((each) => given.length <= 2 * each.length && isOneEdit(plainName, plainKnown(each)));
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

const plainNames = new Map<string, string>();

/** Remembers the plain names of our own fields, which every unknown one is compared with. */
function plainKnown(name: string): string {
  const known = plainNames.get(name) ?? plain(name);
  plainNames.set(name, known);
  return known;
}

/**
 * Returns whether two names are equal or one edit apart. Packages that measure edit distance count two edits for
 * swapped characters.
 */
function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  const restsAreEqual = (ofA: number, ofB: number) => a.slice(i + ofA) === b.slice(i + ofB);
  return (
    restsAreEqual(1, 1) ||
    restsAreEqual(1, 0) ||
    restsAreEqual(0, 1) ||
    (a[i] === b[i + 1] && a[i + 1] === b[i] && restsAreEqual(2, 2))
  );
}
