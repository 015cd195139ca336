import * as z from "zod";
import { limits } from "../limits.ts";
import { cursor, listOf, pageLimit } from "./paging.ts";
import { address, manyLines, oneLine } from "./text.ts";

/** Hosted pages and what their forms bring in. */

const size = limits.page;
const upTo = (count: number) => `at most ${count} of them`;

const title = oneLine(size.title).meta({
  description: "Heading, and name of the tab",
  example: "Summer fair",
});
const intro = manyLines(size.text).meta({ description: "Stands below the title" });

const TextBlock = z
  .object({
    type: z.literal("text"),
    text: manyLines(size.text).meta({ description: "An empty line parts paragraphs" }),
  })
  .meta({ id: "TextBlock" });

const LinkBlock = z
  .object({
    type: z.literal("link"),
    label: oneLine(size.label).meta({ example: "See the programme" }),
    url: address.meta({
      description: "http or https; a bare hostname is accepted",
      example: "example.com/programme",
    }),
  })
  .meta({ id: "LinkBlock", description: "Shown as a button" });

const ImageBlock = z
  .object({
    type: z.literal("image"),
    url: address.meta({
      description: "https, a public host name. Readers get it from this service, not from there",
      example: "https://example.com/fair.jpg",
    }),
    alt: z
      .union([z.literal(""), oneLine(size.text)])
      .default("")
      .meta({ description: "What it shows, for those who can't see it; empty for mere decoration" }),
  })
  .meta({ id: "ImageBlock" });

const Block = z.discriminatedUnion("type", [TextBlock, LinkBlock, ImageBlock], {
  error: ({ code }) => (code === "invalid_union" ? "must be text, link or image" : undefined),
});
export type Block = z.output<typeof Block>;

const field = {
  name: z
    .string()
    .regex(/^[A-Za-z]\w{0,49}$/, "must be a letter and then at most 49 letters, digits and underscores")
    .refine(
      (name) => name !== "id" && name !== "submittedAt",
      "must not be id or submittedAt, which the export has",
    )
    .meta({ description: "Its key in a submission's `fields`", example: "email" }),
  label: oneLine(size.label).meta({ example: "Your e-mail address" }),
  required: z.boolean().default(false).meta({ description: "Of a checkbox: must be ticked" }),
};

const option = oneLine(size.label);

const FormField = z
  .discriminatedUnion(
    "type",
    [
      z
        .object({
          type: z.literal("text"),
          ...field,
          multiline: z
            .boolean()
            .default(false)
            .meta({ description: "Whether there is room for several lines" }),
        })
        .meta({ id: "TextField" }),
      z.object({ type: z.literal("email"), ...field }).meta({ id: "EmailField" }),
      z.object({ type: z.literal("phone"), ...field }).meta({ id: "PhoneField" }),
      z
        .object({
          type: z.literal("choice"),
          ...field,
          options: z
            .array(option)
            .min(2, "must have at least two")
            .max(size.options, upTo(size.options))
            .refine((list) => new Set(list).size === list.length, "must differ from each other")
            .meta({ description: "One of them is chosen", example: ["Yes", "No"] }),
        })
        .meta({ id: "ChoiceField" }),
      z.object({ type: z.literal("checkbox"), ...field }).meta({ id: "CheckboxField" }),
    ],
    {
      error: ({ code }) =>
        code === "invalid_union" ? "must be text, email, phone, choice or checkbox" : undefined,
    },
  )
  .meta({ id: "FormField" });
export type FormField = z.output<typeof FormField>;

const Form = z
  .object({
    fields: z
      .array(FormField)
      .min(1, "must have at least one")
      .max(size.fields, upTo(size.fields))
      .superRefine((fields, ctx) => {
        fields.forEach(({ name }, at) => {
          if (fields.findIndex((other) => other.name === name) < at) {
            ctx.addIssue({ code: "custom", path: [at, "name"], message: "is another field's already" });
          }
        });
      }),
    button: oneLine(size.label).default("Send").meta({ description: "On the button that sends it" }),
    thanks: manyLines(size.text)
      .default("Thank you. Your answers have been sent.")
      .meta({ description: "Shown once it is sent" }),
  })
  .meta({ id: "Form" });
export type Form = z.output<typeof Form>;

const color = z.string().meta({ description: "A CSS color: a name, hex, rgb() or hsl()" });

const PageColors = z
  .object({ background: color.optional(), text: color.optional(), accent: color.optional() })
  .meta({
    id: "PageColors",
    description: "`accent` is the buttons'. Text must stand out by 4.5:1, buttons by 3:1",
  });
export type PageColors = z.output<typeof PageColors>;

const language = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, "must be a language such as en or pt-BR")
  .meta({ description: "Of the page's texts, so that they are read aloud well", example: "en" });

const blocks = z.array(Block).max(size.blocks, upTo(size.blocks));

export const PageInput = z
  .object({
    title,
    intro: intro.nullable().default(null),
    blocks: blocks.default([]),
    form: Form.nullable().default(null),
    colors: PageColors.nullable().default(null),
    language: language.default("en"),
  })
  .meta({
    id: "PageInput",
    example: {
      title: "Summer fair",
      intro: "Saturday, from noon.",
      blocks: [{ type: "link", label: "See the programme", url: "example.com/programme" }],
      form: {
        fields: [
          { type: "text", name: "name", label: "Your name", required: true },
          { type: "choice", name: "cake", label: "Will you bring a cake?", options: ["Yes", "No"] },
        ],
        button: "Sign up",
        thanks: "See you there!",
      },
    },
  });
/** What a page shows. */
export type PageContent = z.output<typeof PageInput>;

export const PageUpdate = z
  .object({
    title: title.optional(),
    intro: intro.nullable().optional(),
    blocks: blocks.optional(),
    form: Form.nullable().optional(),
    colors: PageColors.nullable().optional(),
    language: language.optional(),
  })
  .meta({ id: "PageUpdate", description: "Only the fields provided are changed; null takes a value away" });
export type PageUpdate = z.output<typeof PageUpdate>;

export const Page = z
  .object({
    id: z.uuid(),
    title: z.string(),
    intro: z.string().nullable(),
    blocks: z.array(Block),
    form: Form.nullable(),
    colors: PageColors.nullable(),
    language: z.string(),
    url: z.url().meta({ description: "Its own address. Opening it is no scan" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Page" });
export type Page = z.output<typeof Page>;

export const PageListQuery = z.object({ cursor, limit: pageLimit(limits.pageList) });
export type PageListQuery = z.output<typeof PageListQuery>;

export const PageList = listOf(Page, "PageList");
export type PageList = z.output<typeof PageList>;

/** What a person entered, by the fields' names. A field that was left empty is not there; a checkbox always is. */
const Answers = z.record(z.string(), z.union([z.string(), z.boolean()]));
export type Answers = z.output<typeof Answers>;

export const Submission = z
  .object({ id: z.uuid(), submittedAt: z.iso.datetime(), fields: Answers })
  .meta({ id: "Submission" });
export type Submission = z.output<typeof Submission>;

export const SubmissionListQuery = z.object({ cursor, limit: pageLimit(limits.submissionList) });
export type SubmissionListQuery = z.output<typeof SubmissionListQuery>;

export const SubmissionList = listOf(Submission, "SubmissionList");
export type SubmissionList = z.output<typeof SubmissionList>;
