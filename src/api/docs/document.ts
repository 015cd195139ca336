import type { oas32 } from "zod-openapi";

export type Document = oas32.OpenAPIObject;
export type Schema = oas32.SchemaObjectValue;
/** An object of the document, or a reference to one. */
export type Ref<T> = T | oas32.ReferenceObject;

/** One method of one path. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly object: oas32.OperationObject;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** Returns the operations with a tag, in the document's order. */
export function operationsOf(document: Document, tag: string): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const object = item[method];
      if (!object?.tags?.includes(tag)) return [];
      return [{ id: object.operationId ?? `${method} ${path}`, method: method.toUpperCase(), path, object }];
    }),
  );
}

/** Resolves a reference. @throws if there is no such object */
export function resolveSchema<T extends object>(document: Document, thing: Ref<T>): T {
  if (!("$ref" in thing) || typeof thing.$ref !== "string") return thing as T;
  let found: unknown = document;
  for (const step of thing.$ref.split("/").slice(1)) found = (found as Record<string, unknown>)[step];
  if (found === undefined) throw new Error(`The document has no ${thing.$ref}`);
  return found as T;
}

/** Returns the last part of a reference: `Qr` for `#/components/schemas/Qr`. */
export const schemaName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

/** Returns a schema as an object. JSON Schema also allows `true` and `false`, which have nothing to show. */
export const asSchema = (schema: Ref<Schema> | boolean | undefined): Schema =>
  typeof schema === "object" ? schema : {};
