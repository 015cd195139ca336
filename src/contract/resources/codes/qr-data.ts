import * as z from "zod";
import { limits } from "../../limits.ts";
import { address, email, listOfAtMost, manyLines, oneLine } from "../../text.ts";

/** The `data` of a QR code, by its type. */

const { list } = limits.data;

const message = manyLines().meta({ example: "Table for two, please" });

const phoneNotes = "With country code; stored as E.164";
const phone = (notes: string) => oneLine().meta({ description: notes, example: "+49 30 901820" });
const contactPhoneNotes = `${phoneNotes}, with an extension as \`+12125550123;ext=99\``;

export const QrDataUrl = z
  .object({
    type: z.literal("url"),
    url: address.meta({
      description: "The destination. A bare hostname is accepted and stored with https://.",
      example: "example.com/menu",
    }),
  })
  .meta({ id: "QrDataUrl", description: "A scan is redirected to a URL." });
export type QrDataUrl = z.output<typeof QrDataUrl>;

const QrDataApplink = z
  .object({
    type: z.literal("applink"),
    ios: address.optional().meta({
      description: "Destination for iPhones and iPads",
      example: "https://apps.apple.com/app/id1",
    }),
    android: address.optional().meta({
      description: "Destination for Android",
      example: "https://play.google.com/store/apps/details?id=com.example",
    }),
    fallback: address.meta({
      description: "Destination for other devices, and for a platform without its own",
      example: "example.com/app",
    }),
  })
  .meta({ id: "QrDataApplink", description: "A scan is redirected to the URL for their platform." });

const PostalAddress = z
  .object({
    street: oneLine().optional(),
    city: oneLine().optional(),
    region: oneLine().optional(),
    postalCode: oneLine().optional(),
    country: oneLine().optional(),
  })
  .refine((value) => Object.keys(value).length > 0, "must have at least one property, such as city")
  .meta({ minProperties: 1 });

export const QrDataVcard = z
  .object({
    type: z.literal("vcard"),
    firstName: oneLine().meta({ example: "Ada" }),
    lastName: oneLine().optional(),
    organization: oneLine().optional(),
    title: oneLine().optional(),
    phones: listOfAtMost(phone(contactPhoneNotes), list).optional().meta({ description: contactPhoneNotes }),
    emails: listOfAtMost(email, list).optional(),
    urls: listOfAtMost(address, list)
      .optional()
      .meta({ description: "http or https; a bare hostname is accepted" }),
    address: PostalAddress.optional(),
    note: manyLines().optional(),
  })
  .meta({ id: "QrDataVcard", description: "A scan opens a vCard, which phones offer to save." });
export type QrDataVcard = z.output<typeof QrDataVcard>;

const QrDataSms = z
  .object({
    type: z.literal("sms"),
    phone: phone(
      `${phoneNotes}. Or a short code of 3 to 8 digits, stored as it stands, which works in one country only`,
    ),
    message: message.optional(),
  })
  .meta({ id: "QrDataSms", description: "A scan opens the messages app with a prefilled text." });

const QrDataWhatsapp = z
  .object({ type: z.literal("whatsapp"), phone: phone(phoneNotes), message: message.optional() })
  .meta({ id: "QrDataWhatsapp", description: "A scan opens a WhatsApp chat with a prefilled text." });

const QrDataEmail = z
  .object({
    type: z.literal("email"),
    to: email,
    subject: oneLine().optional().meta({ example: "A question" }),
    body: manyLines().optional(),
    cc: email.optional(),
    bcc: email.optional(),
  })
  .meta({ id: "QrDataEmail", description: "A scan opens the mail app with a prefilled message." });

const degrees = (most: number) => {
  const problem = `must be a number of degrees between -${most} and ${most}`;
  return z.number(problem).min(-most, problem).max(most, problem);
};

const QrDataLocation = z
  .object({
    type: z.literal("location"),
    latitude: degrees(90).meta({ description: "Degrees north", example: 52.516275 }),
    longitude: degrees(180).meta({ description: "Degrees east", example: 13.377704 }),
    label: oneLine().optional().meta({ description: "Label of the pin, if the map supports it" }),
  })
  .meta({
    id: "QrDataLocation",
    description: "A scan opens the location in Apple Maps on Apple devices and in Google Maps on others.",
  });

const QrDataTelegram = z
  .object({
    type: z.literal("telegram"),
    username: z
      .string()
      .trim()
      .overwrite((value) => value.replace(/^(?:@|(?:https?:\/\/)?t\.me\/)/i, ""))
      .refine(
        (value) => /^[a-z][a-z0-9_]{3,31}$/i.test(value),
        "must be a Telegram username: 4 to 32 letters, digits and underscores, beginning with a letter",
      )
      .meta({
        description:
          "A user, group, channel or bot, with or without a leading `@`: 4 to 32 letters, digits and underscores, the first a letter",
        example: "durov",
      }),
  })
  .meta({ id: "QrDataTelegram", description: "A scan opens a chat in Telegram." });

const QrDataServicepage = z
  .object({
    type: z.literal("servicepage"),
    pageId: z.uuid("must be the id of a page").meta({ description: "A hosted page of the workspace" }),
  })
  .meta({ id: "QrDataServicepage", description: "A scan shows a hosted page." });

/** Discriminated by `type`, which must equal the code's `qrType`. */
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
        return "must be a supported type";
      },
    },
  )
  .meta({
    id: "QrData",
    description: `The content of the QR code, by its type; at most ${limits.data.bytes} bytes of JSON`,
  });
export type QrData = z.output<typeof QrData>;
