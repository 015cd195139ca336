import * as z from "zod";

/** Lists that come in pages. */

/** `limit` of a list: a positive integer; more than the maximum is clamped to it. */
export const pageLimit = (bounds: { default: number; max: number }) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, "must be a positive integer")
    .transform(Number)
    .refine((value) => value >= 1, "must be a positive integer")
    .transform((value) => Math.min(value, bounds.max))
    .default(bounds.default)
    .meta({
      description: `At most ${bounds.max}; more is taken as ${bounds.max}`,
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: "integer", minimum: 1, default: bounds.default });
      },
    });

/** `cursor` of a list. */
export const cursor = z.string().optional().meta({ description: "Opaque cursor from a previous response" });

/** A page of a list, and the way to the next. @param id the schema's name in OpenAPI */
export const listOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .object({
      items: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: "Pass as `cursor` for the next page; null means the end of the list" }),
    })
    .meta({ id });
