import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";
import { freeForm, mixedObject } from "../free-form.ts";

/** How the modules of a code are drawn. */
const ModuleStyle = z.enum(["square", "rounded", "dots", "diamond", "connected", "vertical", "horizontal"]);

/** The shape of a code's three eyes, by which phones find it: of their rings, and of their centers. */
const EyeForm = z.enum(["square", "rounded", "circle", "leaf", "cut", "drop"]);

const Cutout = z.enum(["square", "circle", "none"]);

const FrameStyle = z.enum(["line", "label", "solid", "round"]);

/** The level of error correction. */
export const Ecc = z.enum(["L", "M", "Q", "H"]);

const { frameText, backgroundRadius, logoSize, logoPadding } = limits.design;

const color = z.string().meta({ description: "A CSS color: a name, hex, rgb() or hsl()" });

/** @param from names the property with the first color */
const gradient = (from: string) =>
  mixedObject({
    type: z.enum(["linear", "radial"]),
    to: color.meta({ description: `The last color; the first is ${from}` }),
    angle: z.int().min(0).max(359).optional().meta({
      description:
        "Of a linear gradient, degrees clockwise: 0 runs from left to right, 90 from top to bottom. 0 if omitted",
    }),
  });

const logo = mixedObject({
  id: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be the id of a logo")
    .optional()
    .meta({ description: "A logo of the workspace, by the `id` that the brand or a template shows" }),
  size: z.number().min(logoSize.min).max(logoSize.max).optional().meta({
    description:
      "The longer side of the logo, as a share of the code's. As large as an eighth of the code's area allows if omitted",
  }),
  padding: z
    .number()
    .min(0)
    .max(logoPadding)
    .optional()
    .meta({ description: "Space around the logo, in modules; 1 if omitted" }),
  cutout: Cutout.optional().meta({
    description:
      "The area around the logo that has no modules. `circle` also cuts the logo; `none` draws it over the modules. `square` if omitted",
  }),
});

const frame = mixedObject({
  style: FrameStyle.optional().meta({
    description:
      "`line`: a line around the code, with the text below. `label`: a line, with the text on a label below. `solid`: a filled frame. `round`: a line with round corners, and a pill. `label` if omitted",
  }),
  text: oneLine(frameText)
    .optional()
    .meta({ description: "Drawn as outlines, so that no font is needed", example: "Scan me" }),
  color: color.optional().meta({ description: "The color of the modules if omitted" }),
  textColor: color.optional().meta({ description: "What is read best on the frame if omitted" }),
});

/** The properties of a design beyond shape and colors. */
const design = {
  modules: ModuleStyle.meta({ description: "The style of the modules; follows `shape` if omitted" }),
  eyeFrame: EyeForm.meta({ description: "The rings of the eyes; `square` if omitted" }),
  eyeCenter: EyeForm.meta({ description: "The centers of the eyes; `square` if omitted" }),
  gradient: gradient("`dotsColor`").meta({ description: "A gradient across the modules" }),
  eyeGradient: gradient("`cornerColor`").meta({
    description: "A gradient across the eyes, which otherwise have that of the modules, or `cornerColor`",
  }),
  backgroundRadius: z.number().min(0).max(backgroundRadius).meta({
    description: "Rounds the background's corners, in modules. The quiet zone stays whole: the image grows",
  }),
  logo: logo.meta({ description: "The logo of the code, and how it is placed" }),
  frame: frame.meta({ description: "A frame around the code and its quiet zone" }),
  quietZone: z
    .int()
    .min(limits.image.margin.min)
    .max(limits.image.margin.max)
    .meta({
      description: `Empty modules around the code; ${limits.image.margin.default} if omitted, as the standard requires`,
    }),
  ecc: Ecc.meta({
    description:
      "Error correction level: the share of the code that may be damaged, 7, 15, 25 or 30 %. If omitted, the highest level that needs no larger code than M; higher where a logo needs it",
  }),
  compact: z.boolean().meta({
    description:
      "Encodes the code's address in upper case but for `https`, which can make a smaller code. It leads to the same place; only programs that compare the text notice",
  }),
};

type Properties = typeof design;

const optional = Object.fromEntries(
  Object.entries(design).map(([name, property]) => [name, property.optional()]),
) as { [Name in keyof Properties]: z.ZodOptional<Properties[Name]> };

export const Advanced = freeForm(mixedObject(optional)).meta({
  id: "Advanced",
  description: `The design beyond shape and colors, and any other properties of your own. At most ${limits.freeForm.bytes} bytes of JSON`,
});
export type Advanced = z.output<typeof Advanced>;

/** The properties included in every plan: they affect scanning, not looks. */
const plainProperties: ReadonlySet<string> = new Set(["quietZone", "ecc", "compact"] satisfies DesignName[]);

export type DesignName = keyof Properties;

/** The properties of a design, each with whether every plan includes it. */
export const designProperties = Object.keys(design).map((name) => ({
  name: name as DesignName,
  isPlain: plainProperties.has(name),
}));

/** A patch of an object: every property is optional, and null removes it. */
const changesOf = (properties: Readonly<Record<string, z.ZodType>>): z.ZodObject =>
  mixedObject(
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const inner = property instanceof z.ZodOptional ? (property.unwrap() as z.ZodType) : property;
        const changed =
          inner instanceof z.ZodObject
            ? changesOf(inner.shape).meta({ description: inner.description ?? "" })
            : inner;
        return [name, changed.nullable().optional()];
      }),
    ),
  );

export const AdvancedChanges = freeForm(changesOf(design)).meta({
  id: "AdvancedChanges",
  description: "Properties that are omitted stay unchanged; null removes one. Objects are merged, too",
});
export type AdvancedChanges = Readonly<Record<string, unknown>>;
