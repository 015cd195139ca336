import * as z from "zod";
import { limits } from "../limits.ts";
import { Advanced } from "./design.ts";
import { Shape } from "./enums.ts";
import { ColorConfig, templateId } from "./qr.ts";

/** Kinds of harm to a code between the screen and the camera. */
export const DisturbanceName = z.enum([
  "perspective",
  "blur",
  "noise",
  "lowResolution",
  "dimLight",
  "printGrowth",
]);
export type DisturbanceName = z.output<typeof DisturbanceName>;

const { hashLength, floor } = limits.scannability;

/** A design that is not saved. */
export const ScannabilityInput = z
  .object({
    templateId: templateId
      .nullable()
      .optional()
      .meta({ description: "A template, whose design the other fields change" }),
    colorConfig: ColorConfig.optional(),
    shape: Shape.optional(),
    advanced: Advanced.optional(),
    hashLength: z
      .int()
      .min(hashLength.min)
      .max(hashLength.max)
      .default(hashLength.default)
      .meta({ description: "Characters of the code's hash: a longer address makes a larger code" }),
  })
  .meta({ id: "ScannabilityInput" });
export type ScannabilityInput = z.output<typeof ScannabilityInput>;

const millimeters = (description: string) => z.number().meta({ description, example: 21.2 });

const Print = z.object({
  dpi: z.int().meta({ description: "Dots per inch of the printer", example: 300 }),
  moduleMillimeters: millimeters("The width of a module: 4 dots, or more where fewer could not be read"),
  widthMillimeters: millimeters("The smallest width of the image in print, with its quiet zone and frame"),
  distanceMillimeters: millimeters("From how far that is read, as a rule of thumb: ten times the width"),
});

export const Scannability = z
  .object({
    score: z.int().min(0).max(100).meta({
      description:
        "The share of disturbed pictures that were read, in percent, of the address that was read worst. It is not a grade of ISO/IEC 15415",
    }),
    isReadable: z
      .boolean()
      .meta({ description: `Whether the score is at least ${floor}: below, a design can't be saved` }),
    addresses: z.int().meta({ description: "How many addresses of this length were drawn and read" }),
    modules: z
      .number()
      .meta({ description: "The width of the image in modules, with its quiet zone and frame" }),
    disturbances: z
      .array(
        z.object({
          name: DisturbanceName,
          read: z.number().min(0).max(1).meta({ description: "The share of its pictures that were read" }),
        }),
      )
      .meta({ description: "What was done to the pictures" }),
    reasons: z.array(z.string()).meta({ description: "What lowers the score, in words" }),
    changes: z.array(z.string()).meta({ description: "What would raise it, the most likely first" }),
    print: z
      .array(Print)
      .meta({ description: "The smallest sizes in print; none for a code that can't be read" }),
  })
  .meta({ id: "Scannability" });
export type Scannability = z.output<typeof Scannability>;
