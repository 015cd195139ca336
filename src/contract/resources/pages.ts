import * as z from "zod";
import { limits } from "../limits.ts";
import { address, listOfAtMost, manyLines, oneLine } from "../text.ts";
import { ExportFormat, PageImageType, PageLook, PageScheme } from "./enums.ts";
import { onePixel } from "./images/one-pixel.ts";
import { suspended } from "./operations/suspension.ts";
import { cursor, listOf, pageLimit } from "./paging.ts";

/** Hosted pages and the submissions of their forms. */

const size = limits.page;

const title = oneLine(size.title).meta({
  description: "Heading of the page and title of the tab",
  example: "Summer fair",
});
const intro = manyLines(size.text).meta({ description: "Introduction below the title" });

const TextBlock = z
  .object({
    type: z.literal("text"),
    text: manyLines(size.text).meta({ description: "Paragraphs are separated by an empty line" }),
  })
  .meta({ id: "TextBlock" });

const LinkBlock = z
  .object({
    type: z.literal("link"),
    label: oneLine(size.label).meta({ example: "See the programme" }),
    url: address.meta({
      description:
        "http or https; a bare hostname is accepted. Or `tel:`, `sms:` or `mailto:` with a phone number or an email address",
      example: "example.com/programme",
    }),
  })
  .meta({ id: "LinkBlock", description: "Shown as a button" });

const image = {
  url: address.meta({
    description:
      "https, a public host name, or the `url` of an image that was added. Visitors load the image through this service",
    example: "https://example.com/fair.jpg",
  }),
  alt: z
    .union([z.literal(""), oneLine(size.text)])
    .default("")
    .meta({
      description: "Alternative text for people who cannot see the image; empty if it is decorative",
    }),
};

const ImageBlock = z.object({ type: z.literal("image"), ...image }).meta({ id: "ImageBlock" });

const HeaderImage = z
  .object(image)
  .meta({ id: "HeaderImage", description: "An image across the top of the page" });

const Block = z.discriminatedUnion("type", [TextBlock, LinkBlock, ImageBlock]);
export type Block = z.output<typeof Block>;

const field = {
  name: z
    .string()
    .regex(
      /^[A-Za-z]\w{0,49}$/,
      "must begin with a letter and have at most 50 letters, digits and underscores",
    )
    .refine(
      (name) => name !== "id" && name !== "submittedAt",
      "can't be id or submittedAt: the export has columns of these names",
    )
    .meta({
      description:
        "The property in the `fields` of a submission, different in each field of the form. Not `id` or `submittedAt`",
      example: "email",
    }),
  label: oneLine(size.label).meta({ example: "Your email address" }),
  required: z.boolean().default(false).meta({ description: "A required checkbox must be checked" }),
};

const option = oneLine(size.label);

const FormField = z
  .discriminatedUnion("type", [
    z
      .object({
        type: z.literal("text"),
        ...field,
        multiline: z.boolean().default(false).meta({ description: "Whether the field has several lines" }),
      })
      .meta({ id: "TextField" }),
    z.object({ type: z.literal("email"), ...field }).meta({ id: "EmailField" }),
    z.object({ type: z.literal("phone"), ...field }).meta({ id: "PhoneField" }),
    z
      .object({
        type: z.literal("choice"),
        ...field,
        options: listOfAtMost(option, size.options)
          .min(2, "must have at least two entries")
          .refine((list) => new Set(list).size === list.length, "can't contain duplicates")
          .meta({ description: "The visitor chooses one. No duplicates", example: ["Yes", "No"] }),
      })
      .meta({ id: "ChoiceField" }),
    z.object({ type: z.literal("checkbox"), ...field }).meta({ id: "CheckboxField" }),
  ])
  .meta({ id: "FormField" });
export type FormField = z.output<typeof FormField>;

const Form = z
  .object({
    fields: listOfAtMost(FormField, size.fields)
      .min(1, "must have at least one entry")
      .superRefine((fields, ctx) => {
        const names = new Set<string>();
        fields.forEach(({ name }, at) => {
          if (names.has(name)) {
            ctx.addIssue({
              code: "custom",
              path: [at, "name"],
              message: "is already used by another field",
            });
          }
          names.add(name);
        });
      }),
    button: oneLine(size.label)
      .nullable()
      .default(null)
      .meta({ description: "Label of the submit button; null for “Send” in the page's language" }),
    thanks: manyLines(size.text).nullable().default(null).meta({
      description: "Shown after the form was submitted; null for a thank-you message in the page's language",
    }),
  })
  .meta({ id: "Form" });
export type Form = z.output<typeof Form>;

const color = z.string().meta({ description: "A CSS color: a name, hex, rgb() or hsl()" });

const PageColors = z
  .object({ background: color.optional(), text: color.optional(), accent: color.optional() })
  .meta({
    id: "PageColors",
    description:
      "Contrast with `background` must be at least 4.5:1 for `text` and 3:1 for `accent`, the color of buttons",
  });
export type PageColors = z.output<typeof PageColors>;

const look = PageLook.meta({
  description:
    "`plain` has everything on the background, `card` on a card of its own, and `bold` a band in the accent color " +
    "behind the title",
});

const scheme = PageScheme.meta({
  description:
    "`light` always has `colors`, `dark` always dark colors derived from them, and `auto` one of the two, as the " +
    "reader's device prefers. With a `background` that is darker than `text`, the page has `colors` in every scheme",
});

const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language tag such as en or pt-BR")
  .meta({
    description:
      "The language of the page's text, for screen readers and translation. The service's own texts on the page " +
      "are in it, too, if it is one of English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, " +
      "Turkish, Japanese, Simplified Chinese (`zh`), Traditional Chinese (`zh-Hant`, and `zh` with TW, HK or MO) and " +
      "Arabic, else in English",
    example: "en",
  });

const blocks = listOfAtMost(Block, size.blocks);

export const PageInput = z
  .object({
    title,
    intro: intro.nullable().default(null),
    blocks: blocks.default([]),
    form: Form.nullable().default(null),
    header: HeaderImage.nullable().default(null),
    colors: PageColors.nullable().default(null),
    look: look.default("plain"),
    scheme: scheme.default("auto"),
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
/** The content of a page. */
export type PageContent = z.output<typeof PageInput>;

export const PageUpdate = z
  .object({
    title: title.optional(),
    intro: intro.nullable().optional(),
    blocks: blocks.optional(),
    form: Form.nullable().optional(),
    header: HeaderImage.nullable().optional(),
    colors: PageColors.nullable().optional(),
    look: look.optional(),
    scheme: scheme.optional(),
    language: language.optional(),
  })
  .meta({ id: "PageUpdate", description: "Fields that are omitted stay unchanged; null removes a value" });
export type PageUpdate = z.output<typeof PageUpdate>;

export const Page = z
  .object({
    id: z.uuid(),
    title: z.string(),
    intro: z.string().nullable(),
    blocks: z.array(Block),
    form: Form.nullable(),
    formClosed: z.boolean().meta({
      description:
        "Whether the form accepts no more submissions because the page has reached its limit; erasing some reopens it",
    }),
    header: HeaderImage.nullable(),
    colors: PageColors.nullable(),
    look: PageLook,
    scheme: PageScheme,
    language: z.string(),
    url: z.url().meta({ description: "The public URL of the page. Opening it doesn't count as a scan" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    suspended,
  })
  .meta({ id: "Page" });
export type Page = z.output<typeof Page>;

export const PageListQuery = z.object({ cursor, limit: pageLimit(limits.pageList) });
export type PageListQuery = z.output<typeof PageListQuery>;

export const PageList = listOf(Page, "PageList");
export type PageList = z.output<typeof PageList>;

const imageTypes = PageImageType.options.map((type) => type.replace("image/", ""));

export const PageImageInput = z
  .object({
    image: z
      .string()
      .regex(
        new RegExp(`^data:image/(?:${imageTypes.join("|")});base64,`),
        "must be a data URI of a PNG, JPEG, GIF, WebP or AVIF file, such as data:image/png;base64,…",
      )
      .meta({
        description: `A PNG, JPEG, GIF, WebP or AVIF file of at most ${limits.storedImage.bytes / 1024} KiB, as a data URI. It is served as it is, with its metadata`,
        example: onePixel,
      }),
  })
  .meta({ id: "PageImageInput" });
export type PageImageInput = z.output<typeof PageImageInput>;

export const PageImage = z
  .object({
    id: z.string().meta({ description: "SHA-256 of the file" }),
    url: z.url().meta({
      description:
        "For `url` of an image block or a header. Only keys and members of the workspace can open it; visitors get the image with the page",
    }),
    mediaType: PageImageType,
    bytes: z.int().meta({ description: "File size in bytes" }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "PageImage" });
export type PageImage = z.output<typeof PageImage>;

/** The answers by field name. Empty fields are omitted; a checkbox is always present. */
export const Answers = z.record(z.string(), z.union([z.string(), z.boolean()]));
export type Answers = z.output<typeof Answers>;

export const Submission = z
  .object({ id: z.uuid(), submittedAt: z.iso.datetime(), fields: Answers })
  .meta({ id: "Submission" });
export type Submission = z.output<typeof Submission>;

const q = z
  .string()
  .max(limits.submission.line)
  .optional()
  .meta({ description: "Only submissions with an answer that contains this, ignoring case" });

export const SubmissionListQuery = z.object({ q, cursor, limit: pageLimit(limits.submissionList) });
export type SubmissionListQuery = z.output<typeof SubmissionListQuery>;

export const SubmissionExportQuery = z.object({ format: ExportFormat.default("csv"), q });
export type SubmissionExportQuery = z.output<typeof SubmissionExportQuery>;

export const SubmissionList = listOf(Submission, "SubmissionList");
export type SubmissionList = z.output<typeof SubmissionList>;
