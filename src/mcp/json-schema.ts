import * as z from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Keywords that a model needn't know: errors say them where they matter. */
const leftOut = ["minLength", "maxLength", "minProperties", "maxProperties", "example"] as const;

/** Objects with too many properties to list. Errors name those that are wrong. */
const inShort = "#/$defs/AdvancedChanges";

/** Writes a schema for the list of tools, in short, since the list takes up room in every conversation. */
export function jsonOf(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  });
  if (io === "output") return json;
  const { $defs = {}, ...input } = json;
  return plain(input, $defs);
}

/**
 * Writes an input without what some clients refuse: `$ref`, `anyOf`, `const` and lists of types. Null is allowed by
 * `nullable`, which those clients know and others ignore.
 * @throws for alternatives of several types, which can't be written so
 */
function plain(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { $ref, anyOf, const: constant, type, properties, items, ...others } = schema;
  if ($ref === inShort) return { type: "object" };
  if ($ref !== undefined) return plain({ ...named[$ref.replace("#/$defs/", "")], ...others }, named);
  if (anyOf !== undefined) {
    const choices = anyOf.filter((choice) => choice.type !== "null");
    const nullable = choices.length < anyOf.length && { nullable: true };
    const [choice = {}, ...rest] = choices.map((each) => plain(each, named));
    if (rest.some((other) => other.type !== choice.type)) throw new Error("alternatives of several types");
    const same = choice.type === undefined ? {} : { type: choice.type };
    return { ...(rest.length === 0 ? choice : same), ...nullable, ...others };
  }
  const [only, ...more] = [type ?? []].flat().filter((each) => each !== "null");
  if (more.length > 0) throw new Error("values of several types");
  return {
    ...(only !== undefined && { type: only }),
    ...(Array.isArray(type) && { nullable: true }),
    ...(typeof constant === "string" && { enum: [constant] }),
    ...others,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, plain(property as JsonSchema, named)]),
      ),
    }),
    ...(items !== undefined && { items: plain(items as JsonSchema, named) }),
  };
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
