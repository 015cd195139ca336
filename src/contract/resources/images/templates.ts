import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";
import { ColorConfig } from "../codes/qr.ts";
import { LogoType, Shape } from "../enums.ts";
import { logoFile } from "./brand.ts";
import { Advanced, AdvancedChanges } from "./design.ts";

const templateName = oneLine(limits.templateName).meta({ example: "House style" });

export const TemplateInput = z
  .object({
    name: templateName,
    colorConfig: ColorConfig.optional(),
    shape: Shape.optional(),
    advanced: Advanced.optional(),
    logo: logoFile.optional(),
  })
  .meta({ id: "TemplateInput" });
export type TemplateInput = z.output<typeof TemplateInput>;

export const TemplateUpdate = z
  .object({
    name: templateName.optional(),
    colorConfig: ColorConfig.nullable().optional(),
    shape: Shape.nullable().optional(),
    advanced: AdvancedChanges.nullable().optional(),
    logo: logoFile.nullable().optional(),
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
