import * as z from "zod";
import { shapeOf, unwrap } from "./schemas.ts";
import { limits } from "./limits.ts";

/**
 * Returns the paths of a body's fields that its schema doesn't have, and that are therefore ignored, such as
 * `data.colour` or `items[].note`: each path once, and not more than a response names.
 */
export function ignoredFields(schema: z.ZodType, body: unknown): Set<string> {
  const paths = new Set<string>();
  collect(paths, schema, body, "");
  return paths;
}

function collect(paths: Set<string>, schema: z.ZodType, value: unknown, at: string): void {
  if (typeof value !== "object" || value === null || paths.size === limits.ignoredFields.count) return;
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    if (inner instanceof z.ZodArray)
      for (const each of value) collect(paths, inner.element as z.ZodType, each, `${at}[]`);
    return;
  }
  // The client chooses the fields of a loose object.
  if (inner instanceof z.ZodObject && inner.def.catchall !== undefined) return;
  const shape = shapeOf(inner, value);
  if (shape === undefined) return;
  for (const [name, field] of Object.entries(value)) {
    const path = at === "" ? asciiOf(name) : `${at}.${asciiOf(name)}`;
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (known !== undefined) collect(paths, known, field, path);
    else if (paths.size < limits.ignoredFields.count) paths.add(path);
  }
}

/** Returns a name as it may stand in a header: cut, with anything but usual characters percent-encoded. */
const asciiOf = (name: string): string =>
  encodeURIComponent(Array.from(name).slice(0, limits.ignoredFields.length).join("").toWellFormed());
