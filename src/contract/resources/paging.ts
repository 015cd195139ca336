import * as z from "zod";
import { shownAs } from "../openapi-metadata.ts";

/** Cursor pagination. */

/** The `limit` of a list: a positive integer, clamped to the maximum. @param counted the unit it counts, for OpenAPI */
export const pageLimit = (bounds: { default: number; max: number }, counted = "Items per page") =>
  clamped(bounds.max)
    .default(bounds.default)
    .meta({
      description: `${counted}. Numbers above ${bounds.max} are treated as ${bounds.max}`,
      ...shownAs({ type: "integer", minimum: 1, default: bounds.default }),
    });

const clamped = (max: number) =>
  z
    .string()
    .regex(/^[0-9]+$/, "must be a whole number of at least 1")
    .transform(Number)
    .refine((value) => value >= 1, "must be a whole number of at least 1")
    .transform((value) => Math.min(value, max));

/** The `limit` of a list that is complete without it. @param items their name, for OpenAPI */
export const optionalLimit = (max: number, items: string) =>
  clamped(max)
    .optional()
    .meta({
      description: `Returns the ${items} in pages of so many; numbers above ${max} are treated as ${max}. Without it, all are returned`,
      ...shownAs({ type: "integer", minimum: 1 }),
    });

/** The `cursor` of a list. */
export const cursor = z.string().optional().meta({ description: "The `nextCursor` of the previous page" });

/** One page of a list. @param id the schema's name in OpenAPI @param others what the page has besides */
export const listOf = <Item extends z.ZodType, Others extends z.ZodRawShape = Record<never, never>>(
  item: Item,
  id: string,
  others?: Others,
) =>
  z
    .object({
      items: z.array(item),
      nextCursor: z
        .string()
        .nullable()
        .meta({ description: "Pass as `cursor` to get the next page; null on the last page" }),
      ...(others ?? ({} as Others)),
    })
    .meta({ id });
