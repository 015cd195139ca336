import * as z from "zod";
import { Shape } from "./enums.ts";
import { limits } from "./limits.ts";
import { ColorConfig } from "./qr.ts";

const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(limits.templateName, `must be at most ${limits.templateName} characters`)
  .meta({ example: "House style" });

export const TemplateInput = z
  .object({ name, colorConfig: ColorConfig.optional(), shape: Shape.optional() })
  .meta({ id: "TemplateInput" });
export type TemplateInput = z.output<typeof TemplateInput>;

export const TemplateUpdate = z
  .object({
    name: name.optional(),
    colorConfig: ColorConfig.nullable().optional(),
    shape: Shape.nullable().optional(),
  })
  .meta({
    id: "TemplateUpdate",
    description: "Only the fields provided are changed; null takes a value away",
  });
export type TemplateUpdate = z.output<typeof TemplateUpdate>;

export const Template = z
  .object({
    id: z.uuid(),
    name: z.string(),
    colorConfig: ColorConfig.nullable(),
    shape: Shape.nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Template" });
export type Template = z.output<typeof Template>;

export const TemplateList = z.object({ templates: z.array(Template) }).meta({ id: "TemplateList" });
