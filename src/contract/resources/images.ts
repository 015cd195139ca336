import * as z from "zod";
import { limits } from "../limits.ts";
import { ImageFormat } from "./enums.ts";
import { shownAs } from "../openapi-metadata.ts";

const { size, margin } = limits.image;

/** An integer query parameter with bounds. */
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
      ...shownAs({ type: "integer", minimum: bounds.min, maximum: bounds.max, default: bounds.default }),
    });
};

/** How to render an image. Colours, shape and logo belong to the QR code itself. */
export const ImageQuery = z.object({
  format: ImageFormat.default("svg"),
  size: integer(size, "Width and height in pixels"),
  margin: integer(margin, "Quiet zone around the code, in modules; the standard requires 4"),
  ecc: z.enum(["L", "M", "Q", "H"]).default("M").meta({
    description: "Error correction level: the share of the code that may be damaged, 7, 15, 25 or 30 %",
  }),
  download: z
    .enum(["", "1", "true", "0", "false"])
    .transform((value) => value === "" || value === "1" || value === "true")
    .default(false)
    .meta({
      description: "Send the image as an attachment, so that browsers save it",
      ...shownAs({ type: "boolean", default: false }),
    }),
});
export type ImageQuery = z.output<typeof ImageQuery>;

/** By the format, generated clients know that it is no JSON. */
export const Image = z
  .unknown()
  .meta({ description: "The image", ...shownAs({ type: "string", format: "binary" }) });
