import * as z from "zod";

/** Reads the parts of schemas. */

export type Shape = Readonly<Record<string, z.ZodType>>;

/** Returns the fields of an object schema, or of the alternative that the value was meant for. */
export function shapeOf(schema: z.ZodType, value: object): Shape | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const options = schema.options as z.ZodType[];
  // Of texts and objects, the value was meant for the object.
  if (!(schema instanceof z.ZodDiscriminatedUnion)) {
    const [object, ...others] = options.filter((option) => option instanceof z.ZodObject);
    return others.length === 0 ? object?.shape : undefined;
  }
  const { discriminator } = schema.def;
  const given = new Map(Object.entries(value)).get(discriminator);
  const shapes = options.flatMap((option) => (option instanceof z.ZodObject ? [option.shape as Shape] : []));
  return shapes.find((shape) => isLiteral(shape[discriminator], given)) ?? Object.assign({}, ...shapes);
}

/** Returns whether an object schema rejects unknown fields. */
export const isStrict = (schema: z.ZodObject): boolean => schema.def.catchall instanceof z.ZodNever;

const isLiteral = (schema: z.ZodType | undefined, value: unknown): boolean =>
  schema instanceof z.ZodLiteral && new Set<unknown>(schema.values).has(value);

/** Returns the schema of the client's input. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    // A preprocessing step says nothing about its input, which mostly is what comes after it.
    return unwrap((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
