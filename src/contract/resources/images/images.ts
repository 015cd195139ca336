import * as z from "zod";
import { limits } from "../../limits.ts";
import { shownAs } from "../../openapi-metadata.ts";
import { ImageFormat } from "../enums.ts";
import { Ecc } from "./design.ts";

const { size, margin } = limits.image;

/** An integer query parameter with bounds. */
const integer = ({ min, max }: { min: number; max: number }) => {
  const wrong = `must be a whole number between ${min} and ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,6}$/, wrong)
    .transform(Number)
    .refine((value) => value >= min && value <= max, wrong);
};

/** How to render an image. The design belongs to the QR code itself. */
export const ImageQuery = z.object({
  format: ImageFormat.default("svg"),
  size: integer(size)
    .default(size.default)
    .meta({
      description: "Width and height in pixels; for an image that isn't square, the larger of the two",
      ...shownAs({ type: "integer", minimum: size.min, maximum: size.max, default: size.default }),
    }),
  margin: integer(margin)
    .optional()
    .meta({
      description:
        "Quiet zone around the code, in modules. Defaults to the design's, or else to the standard's 4",
      ...shownAs({ type: "integer", minimum: margin.min, maximum: margin.max }),
    }),
  ecc: Ecc.optional().meta({
    description:
      "Error correction level: the share of the code that may be damaged, 7, 15, 25 or 30 %. Defaults to the design's",
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

const { width, dpi } = limits.printedImage;

const millimetres = `must be a number of millimetres from ${width.min} to ${width.max}`;

/** How to render an image for the code's owner, who may also print it. */
export const CodeImageQuery = ImageQuery.extend({
  format: z.enum(["svg", "png", "pdf"]).default("svg"),
  mm: z
    .string()
    .regex(/^[0-9]{1,4}(?:\.[0-9]{1,3})?$/, millimetres)
    .transform(Number)
    .refine((value) => value >= width.min && value <= width.max, millimetres)
    .optional()
    .meta({
      description: `Width in print, in millimetres; of an image that is not square, its longer side. A PDF has ${width.default} if omitted. A PNG has as many whole dots for each module as fit into it, instead of \`size\``,
      ...shownAs({ type: "number", minimum: width.min, maximum: width.max }),
    }),
  dpi: integer(dpi)
    .default(dpi.default)
    .meta({
      description: "The printer's dots per inch, for a PNG with `mm`",
      ...shownAs({ type: "integer", minimum: dpi.min, maximum: dpi.max, default: dpi.default }),
    }),
  ink: z.enum(["rgb", "k100"]).default("rgb").meta({
    description: "Of a PDF. `k100` prints greys with black ink alone, over paper that is made white",
  }),
});
export type CodeImageQuery = z.output<typeof CodeImageQuery>;

/** The format tells generated clients that it isn't JSON. */
export const Image = z
  .unknown()
  .meta({ description: "The image", ...shownAs({ type: "string", format: "binary" }) });
