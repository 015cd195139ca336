import * as z from "zod";
import { type Shape, shapeOf, unwrap } from "./schemas.ts";

/** A schema for creating something: null in an optional field counts as omitting it. */
export const nullsAbsent = <S extends z.ZodType>(schema: S) =>
  z.preprocess((input) => withoutAbsent(schema, input), schema);

/** Returns a copy without the nulls of optional fields, at any depth, unless the field's schema accepts null. */
function withoutAbsent(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    return inner instanceof z.ZodArray
      ? value.map((entry) => withoutAbsent(inner.element as z.ZodType, entry))
      : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const shape: Shape = shapeOf(inner, value) ?? {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) return [[name, each]];
      return each === null && mayBeAbsentOnly(field) ? [] : [[name, withoutAbsent(field, each)]];
    }),
  );
}

/** Returns whether a field may be omitted but not null. */
export const mayBeAbsentOnly = (field: z.ZodType): boolean =>
  field.safeParse(undefined).success && !field.safeParse(null).success;
