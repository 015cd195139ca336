import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";
import { LogoType } from "../enums.ts";
import { onePixel } from "./one-pixel.ts";

const { colors, name: nameLength } = limits.brand;

const name = oneLine(nameLength);
const colorName = name.nullable().meta({ description: "null for none", example: "Forest" });
const logoName = name.meta({ example: "Wordmark" });

const hex = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "must be a color in hex, such as #14532d")
  .toLowerCase()
  .meta({ example: "#14532d" });

const BrandColor = z.object({ hex, name: colorName });
export type BrandColor = z.output<typeof BrandColor>;

export const BrandColorInput = z.object({ hex, name: colorName.optional() });
export type BrandColorInput = z.output<typeof BrandColorInput>;

/** A logo's file as sent by a client. */
export const logoFile = z
  .string()
  .regex(
    /^data:image\/(?:png|jpeg|svg\+xml);base64,/,
    "must be a data URI: data:image/png;base64,…, data:image/jpeg;base64,… or data:image/svg+xml;base64,…",
  )
  .meta({
    description: `A PNG, JPEG or SVG of at most ${limits.logo.bytes / 1024} KiB, as a data URI; a JPEG is converted to PNG. It is placed in the center of the code`,
    example: onePixel,
  });

export const BrandLogoInput = z.object({ name: logoName, logo: logoFile }).meta({ id: "BrandLogoInput" });
export type BrandLogoInput = z.output<typeof BrandLogoInput>;

export const BrandLogoUpdate = z.object({ name: logoName }).meta({ id: "BrandLogoUpdate" });
export type BrandLogoUpdate = z.output<typeof BrandLogoUpdate>;

export const BrandLogo = z
  .object({
    id: z.string().meta({ description: "SHA-256 of the file, for `advanced.logo.id`" }),
    name: z.string(),
    mediaType: LogoType,
    bytes: z.int().meta({ description: "File size in bytes" }),
    width: z.number().meta({ description: "For a PNG in pixels, for an SVG in its own unit" }),
    height: z.number(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "BrandLogo" });
export type BrandLogo = z.output<typeof BrandLogo>;

export const BrandUpdate = z
  .object({
    colors: z
      .array(BrandColorInput)
      .max(colors, `can have at most ${colors} colors`)
      .refine(
        (list) => new Set(list.map((color) => color.hex)).size === list.length,
        "can't contain a color twice",
      )
      .optional()
      .meta({ description: "All colors in order, replacing the current ones" }),
  })
  .meta({ id: "BrandUpdate" });
export type BrandUpdate = z.output<typeof BrandUpdate>;

export const Brand = z
  .object({
    colors: z.array(BrandColor),
    logos: z.array(BrandLogo).meta({ description: "Oldest first" }),
  })
  .meta({ id: "Brand" });
export type Brand = z.output<typeof Brand>;
