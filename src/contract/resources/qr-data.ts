import * as z from "zod";
import { limits } from "../limits.ts";
import { address, email, manyLines, oneLine } from "./text.ts";

/** What a code's `data` holds, by its type. What a scan makes of it is said in each shape's description. */

const { list } = limits.data;

const message = manyLines().meta({ example: "Table for two, please" });

const phoneNotes = "With its country code; stored as E.164";
const phone = oneLine().meta({ description: phoneNotes, example: "+49 30 901820" });

const upTo = <Item extends z.ZodType>(item: Item) => z.array(item).max(list, `at most ${list} of them`);

export const QrDataUrl = z
  .object({
    type: z.literal("url"),
    url: address.meta({
      description: "Destination. A bare hostname is accepted; https:// is prepended before storing.",
      example: "example.com/menu",
    }),
  })
  .meta({ id: "QrDataUrl", description: "A scan is redirected." });
export type QrDataUrl = z.output<typeof QrDataUrl>;

export const QrDataApplink = z
  .object({
    type: z.literal("applink"),
    ios: address.optional().meta({
      description: "For iPhones and iPads",
      example: "https://apps.apple.com/app/id1",
    }),
    android: address.optional().meta({
      description: "For Android",
      example: "https://play.google.com/store/apps/details?id=com.example",
    }),
    fallback: address.meta({
      description: "For everything else, and for a platform that is not given",
      example: "example.com/app",
    }),
  })
  .meta({ id: "QrDataApplink", description: "A scan is redirected to the address of its platform." });
export type QrDataApplink = z.output<typeof QrDataApplink>;

const PostalAddress = z
  .object({
    street: oneLine().optional(),
    city: oneLine().optional(),
    region: oneLine().optional(),
    postalCode: oneLine().optional(),
    country: oneLine().optional(),
  })
  .refine((value) => Object.keys(value).length > 0, "must have at least one part, such as city");

export const QrDataVcard = z
  .object({
    type: z.literal("vcard"),
    firstName: oneLine().meta({ example: "Ada" }),
    lastName: oneLine().optional(),
    organization: oneLine().optional(),
    title: oneLine().optional(),
    phones: upTo(phone).optional().meta({ description: phoneNotes }),
    emails: upTo(email).optional(),
    urls: upTo(address).optional().meta({ description: "http or https; a bare hostname is accepted" }),
    address: PostalAddress.optional(),
    note: manyLines().optional(),
  })
  .meta({ id: "QrDataVcard", description: "A scan gets the contact as a vCard to save." });
export type QrDataVcard = z.output<typeof QrDataVcard>;

export const QrDataSms = z
  .object({ type: z.literal("sms"), phone, message: message.optional() })
  .meta({ id: "QrDataSms", description: "A scan opens the messages app, with the text written." });
export type QrDataSms = z.output<typeof QrDataSms>;

export const QrDataWhatsapp = z
  .object({ type: z.literal("whatsapp"), phone, message: message.optional() })
  .meta({ id: "QrDataWhatsapp", description: "A scan opens a WhatsApp chat, with the text written." });
export type QrDataWhatsapp = z.output<typeof QrDataWhatsapp>;

export const QrDataEmail = z
  .object({
    type: z.literal("email"),
    to: email,
    subject: oneLine().optional().meta({ example: "A question" }),
    body: manyLines().optional(),
    cc: email.optional(),
    bcc: email.optional(),
  })
  .meta({ id: "QrDataEmail", description: "A scan opens the mail app, with the mail written." });
export type QrDataEmail = z.output<typeof QrDataEmail>;

const degrees = (most: number) => {
  const problem = `must be a number of degrees from -${most} to ${most}`;
  return z.number(problem).min(-most, problem).max(most, problem);
};

export const QrDataLocation = z
  .object({
    type: z.literal("location"),
    latitude: degrees(90).meta({ description: "Degrees, north positive", example: 52.516275 }),
    longitude: degrees(180).meta({ description: "Degrees, east positive", example: 13.377704 }),
    label: oneLine().optional().meta({ description: "Shown at the pin, where the map can" }),
  })
  .meta({
    id: "QrDataLocation",
    description: "A scan is redirected to the place on a map: Apple's on Apple's devices, else Google's.",
  });
export type QrDataLocation = z.output<typeof QrDataLocation>;

export const QrDataTelegram = z
  .object({
    type: z.literal("telegram"),
    username: z
      .string()
      .trim()
      .transform((value) => value.replace(/^(?:@|(?:https?:\/\/)?t\.me\/)/i, ""))
      .refine(
        (value) => /^[a-z][a-z0-9_]{3,31}$/i.test(value),
        "must be a Telegram username: 4 to 32 letters, digits and underscores, the first a letter",
      )
      .meta({ description: "Of a person, group, channel or bot; `@` may stand before it", example: "durov" }),
  })
  .meta({ id: "QrDataTelegram", description: "A scan opens the chat in Telegram." });
export type QrDataTelegram = z.output<typeof QrDataTelegram>;

export const QrDataServicepage = z
  .object({
    type: z.literal("servicepage"),
    pageId: z.uuid("must be the id of a page").meta({ description: "A hosted page of the workspace" }),
  })
  .meta({ id: "QrDataServicepage", description: "A scan gets the page." });
export type QrDataServicepage = z.output<typeof QrDataServicepage>;

/** Discriminated on `type`, which must equal the code's `qrType`. */
export const QrData = z
  .discriminatedUnion(
    "type",
    [
      QrDataUrl,
      QrDataApplink,
      QrDataVcard,
      QrDataSms,
      QrDataWhatsapp,
      QrDataEmail,
      QrDataLocation,
      QrDataTelegram,
      QrDataServicepage,
    ],
    {
      error: (issue) => {
        if (issue.code !== "invalid_union") return undefined;
        return "must be the type of a data object this service knows";
      },
    },
  )
  .meta({ id: "QrData", description: "What a scan leads to, by the code's type" });
export type QrData = z.output<typeof QrData>;
