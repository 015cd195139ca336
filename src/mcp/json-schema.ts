import * as z from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Keywords that a model needn't know: errors say them where they matter. */
const leftOut = ["minLength", "maxLength", "minProperties", "maxProperties", "example"] as const;

/** Writes a schema for the list of tools, in short, since the list takes up room in every conversation. */
export function jsonOf(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  });
  return json;
}

function tidy(schema: JsonSchema, io: "input" | "output"): void {
  for (const keyword of leftOut) delete schema[keyword];
  if (schema.format !== undefined || schema.enum !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // An answer may get further properties, and none is missed.
  if (io === "output") delete schema.required;
  if (io === "output" || schema.additionalProperties !== false) delete schema.additionalProperties;
}

/** Returns fields without their descriptions, which are read elsewhere. */
export const brief = <Shape extends z.core.$ZodLooseShape>(shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      (field as z.ZodType).meta({ description: undefined }),
    ]),
  ) as Shape;
