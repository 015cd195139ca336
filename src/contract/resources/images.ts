import * as z from "zod";
import { limits } from "../limits.ts";

const { size, margin } = limits.image;

/** A whole number within bounds, as a query has it. */
const integer = (bounds: { min: number; max: number; default: number }, description: string) => {
  const wrong = `must be a whole number from ${bounds.min} to ${bounds.max}`;
  return z
    .string()
    .regex(/^[0-9]{1,6}$/, wrong)
    .transform(Number)
    .refine((value) => value >= bounds.min && value <= bounds.max, wrong)
    .default(bounds.default)
    .meta({
      description,
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, {
          type: "integer",
          minimum: bounds.min,
          maximum: bounds.max,
          default: bounds.default,
        });
      },
    });
};

export const ImageFormat = z.enum(["svg", "png"]);
export type ImageFormat = z.output<typeof ImageFormat>;

/** How an image is to be made; the code itself says how it looks. */
export const ImageQuery = z.object({
  format: ImageFormat.default("svg"),
  size: integer(size, "Pixels of a side"),
  margin: integer(margin, "Empty modules around the code; readers want 4"),
  ecc: z
    .enum(["L", "M", "Q", "H"])
    .default("M")
    .meta({ description: "Error correction: 7, 15, 25 or 30 % of the code may be lost" }),
  download: z
    .enum(["", "1", "true", "0", "false"])
    .transform((value) => value === "" || value === "1" || value === "true")
    .default(false)
    .meta({
      description: "Makes the image an attachment",
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.enum;
        Object.assign(jsonSchema, { type: "boolean", default: false });
      },
    }),
});
export type ImageQuery = z.output<typeof ImageQuery>;

/** The media type of each format. */
export const imageTypes = { svg: "image/svg+xml", png: "image/png" } as const satisfies Record<
  ImageFormat,
  string
>;

/** Bytes: OpenAPI has no type for them. */
export const Image = z.unknown().meta({ description: "The image" });
