import * as z from "zod";
import { limits } from "./limits.ts";
import { isStrict, type Shape, shapeOf, unwrap } from "./schemas.ts";

/**
 * Returns the paths of a body's fields that its schema doesn't have, and that are therefore ignored, such as
 * `data.colour` or `items[].note`: each path once, and not more than a response names.
 */
export function ignoredFields(schema: z.ZodType, body: unknown): Set<string> {
  const paths = new Set<string>();
  for (const { at, name } of strayFields(schema, body, { strict: false })) {
    paths.add(at === "" ? asciiOf(name) : `${at}.${asciiOf(name)}`);
    if (paths.size === limits.ignoredFields.count) break;
  }
  return paths;
}

/** A field that a schema doesn't have. */
interface StrayField {
  /** The path of its object, such as `items[]`; empty for the whole. */
  readonly at: string;
  readonly name: string;
  /** The fields that its object can have. */
  readonly shape: Shape;
}

/**
 * Yields the fields of a value that its schema doesn't have. The client chooses the fields of a loose object.
 * @param options `strict`: whether those count that an object rejects itself
 */
export function* strayFields(
  schema: z.ZodType,
  value: unknown,
  options: { readonly strict: boolean },
  at = "",
): Generator<StrayField> {
  if (typeof value !== "object" || value === null) return;
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    if (inner instanceof z.ZodArray)
      for (const each of value) yield* strayFields(inner.element as z.ZodType, each, options, `${at}[]`);
    return;
  }
  const isOpen = inner instanceof z.ZodObject && inner.def.catchall !== undefined;
  if (isOpen && !(options.strict && isStrict(inner))) return;
  const shape = shapeOf(inner, value);
  if (shape === undefined) return;
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known === undefined) yield { at, name, shape };
    else yield* strayFields(known, field, options, at === "" ? name : `${at}.${name}`);
  }
}

/** Returns a name as it may stand in a header: cut, with anything but usual characters percent-encoded. */
const asciiOf = (name: string): string =>
  encodeURIComponent(Array.from(name).slice(0, limits.ignoredFields.length).join("").toWellFormed());
