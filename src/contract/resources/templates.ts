import * as z from "zod";
import { Advanced, AdvancedChanges } from "./design.ts";
import { LogoType, Shape } from "./enums.ts";
import { limits } from "../limits.ts";
import { ColorConfig } from "./qr.ts";
import { oneLine } from "../text.ts";

const templateName = oneLine(limits.templateName).meta({ example: "House style" });

/** A single black pixel. */
const exampleLogo =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==";

const logo = z
  .string()
  .regex(
    /^data:image\/(?:png|jpeg|svg\+xml);base64,/,
    "must be a data URI: data:image/png;base64,…, data:image/jpeg;base64,… or data:image/svg+xml;base64,…",
  )
  .meta({
    description: `A PNG, JPEG or SVG of at most ${limits.logo.bytes / 1024} KiB, as a data URI; a JPEG is converted to PNG. It is placed in the centre of the code`,
    example: exampleLogo,
  });

export const TemplateInput = z
  .object({
    name: templateName,
    colorConfig: ColorConfig.optional(),
    shape: Shape.optional(),
    advanced: Advanced.optional(),
    logo: logo.optional(),
  })
  .meta({ id: "TemplateInput" });
export type TemplateInput = z.output<typeof TemplateInput>;

export const TemplateUpdate = z
  .object({
    name: templateName.optional(),
    colorConfig: ColorConfig.nullable().optional(),
    shape: Shape.nullable().optional(),
    advanced: AdvancedChanges.nullable().optional(),
    logo: logo.nullable().optional(),
  })
  .meta({
    id: "TemplateUpdate",
    description: "Fields that are omitted stay unchanged; null removes a value",
  });
export type TemplateUpdate = z.output<typeof TemplateUpdate>;

export const Template = z
  .object({
    id: z.uuid(),
    name: z.string(),
    colorConfig: ColorConfig.nullable(),
    shape: Shape.nullable(),
    advanced: Advanced.nullable(),
    logo: z
      .object({
        id: z.string().meta({ description: "SHA-256 of the file, for `advanced.logo.id`" }),
        mediaType: LogoType,
        bytes: z.int().meta({ description: "File size in bytes" }),
      })
      .nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Template" });
export type Template = z.output<typeof Template>;

export const TemplateList = z.object({ templates: z.array(Template) }).meta({ id: "TemplateList" });
