import * as z from "zod";
import { limits } from "../../limits.ts";
import { ColorConfig, templateId } from "../codes/qr.ts";
import { Shape } from "../enums.ts";
import { Advanced } from "./design.ts";

/** The kinds of damage that a code suffers between the screen and the camera. */
export const DisturbanceName = z.enum([
  "perspective",
  "blur",
  "noise",
  "lowResolution",
  "dimLight",
  "printGrowth",
  "darkSurroundings",
  "brightSurroundings",
]);
export type DisturbanceName = z.output<typeof DisturbanceName>;

const { hashLength, floor } = limits.scannability;

/** An unsaved design. */
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
  dpi: z.int().meta({ description: "The printer's dots per inch", example: 300 }),
  moduleMillimeters: millimeters("The width of a module: 4 dots, or more if 4 could not be read"),
  widthMillimeters: millimeters("The smallest width of the image in print, with its quiet zone and frame"),
  distanceMillimeters: millimeters(
    "The distance from which it can be scanned, as a rule of thumb ten times the width",
  ),
});

export const Scannability = z
  .object({
    verdict: z.string().meta({
      description:
        "Score and smallest width in print in one sentence: a code of many modules can have a score of 100 and still be too small",
      example: "Scans well from 26 mm",
    }),
    score: z.int().min(0).max(100).meta({
      description:
        "The percentage of disturbed pictures that could be read, for the address that was hardest to read. Not an ISO/IEC 15415 grade",
    }),
    isReadable: z
      .boolean()
      .meta({ description: `Whether the score is at least ${floor}, which a design needs to be saved` }),
    addresses: z.int().meta({ description: "How many addresses of this length were drawn and read" }),
    modules: z
      .number()
      .meta({ description: "The width of the image in modules, with its quiet zone and frame" }),
    disturbances: z
      .array(
        z.object({
          name: DisturbanceName,
          read: z
            .number()
            .min(0)
            .max(1)
            .meta({ description: "The share of its pictures that could be read" }),
        }),
      )
      .meta({ description: "How the pictures were disturbed" }),
    reasons: z.array(z.string()).meta({ description: "What lowers the score, in words" }),
    changes: z.array(z.string()).meta({ description: "What would raise it, most effective first" }),
    print: z
      .array(Print)
      .meta({ description: "The smallest sizes in print; empty for a code that can't be read" }),
  })
  .meta({ id: "Scannability" });
export type Scannability = z.output<typeof Scannability>;
