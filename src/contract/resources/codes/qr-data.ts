import * as z from "zod";
import { limits } from "../../limits.ts";
import { address, anyLine, email, listOfAtMost, manyLines, oneLine, problems } from "../../text.ts";

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

const phoneLabel = oneLine().nullable().meta({
  description:
    "What kind of number it is: `mobile`, `work`, `home` or `fax`, which phones know in every language, or words of your own. Without one, the number itself decides",
  example: "work",
});

const phoneLabels = z.array(phoneLabel).optional().meta({
  description:
    "The kinds of the `phones`, in the same order; null for none. In requests, a label in `phones` comes before",
});

const LabelledPhone = z
  .object({ number: phone(contactPhoneNotes), label: phoneLabel.optional() })
  .meta({ id: "LabelledPhone", description: "A phone number with its label" });

const phones = <Phone extends z.ZodType>(phone: Phone) =>
  listOfAtMost(phone, list).optional().meta({ description: contactPhoneNotes });

/** The fields of a contact. */
const contact = {
  type: z.literal("vcard"),
  firstName: oneLine().optional().meta({ example: "Ada" }),
  lastName: oneLine().optional(),
  organization: oneLine().optional(),
  title: oneLine().optional(),
  phones: phones(phone(contactPhoneNotes)),
  phoneLabels,
  emails: listOfAtMost(email, list).optional(),
  urls: listOfAtMost(address, list)
    .optional()
    .meta({ description: "http or https; a bare hostname is accepted" }),
  address: PostalAddress.optional(),
  note: manyLines().optional(),
};

const vcardNotes =
  "A scan shows a contact to call, write to and save: of a person, or of a company if it has no first name.";

export const QrDataVcard = z.object(contact).meta({ id: "QrDataVcard", description: vcardNotes });
export type QrDataVcard = z.output<typeof QrDataVcard>;

/** A contact as clients send it: its phones may have their labels with them. */
const QrDataVcardInput = z
  .object({
    ...contact,
    firstName: anyLine().optional().meta({ example: "Ada" }),
    phones: phones(
      z.union(
        [LabelledPhone, phone(contactPhoneNotes)],
        "must be a phone number, or an object with number and label",
      ),
    ),
  })
  .refine(({ firstName, organization }) => Boolean(firstName) || organization !== undefined, {
    path: ["firstName"],
    error: ({ input }) =>
      (input as { firstName?: string }).firstName === "" ? problems.empty : "or organization is required",
  })
  .refine(({ phones = [], phoneLabels = [] }) => phoneLabels.length <= phones.length, {
    path: ["phoneLabels"],
    error: "can't have more entries than phones",
  })
  .meta({
    id: "QrDataVcardInput",
    description: vcardNotes,
    // Same as the refinement above. Client generators ignore `if`.
    if: { properties: { organization: {} }, required: ["organization"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {},
    else: { properties: { firstName: {} }, required: ["firstName"] },
  });
export type QrDataVcardInput = z.output<typeof QrDataVcardInput>;

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

/** The data of every type. @param vcard the schema of a contact */
const dataOf = <Vcard extends typeof QrDataVcard | typeof QrDataVcardInput>(vcard: Vcard) =>
  z.discriminatedUnion(
    "type",
    [
      QrDataUrl,
      QrDataApplink,
      vcard,
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
  );

/** Discriminated by `type`, which must equal the code's `qrType`. */
export const QrData = dataOf(QrDataVcard).meta({
  id: "QrData",
  description: "The content of the QR code, by its type",
});
export type QrData = z.output<typeof QrData>;

/** The data as clients send it. */
export const QrDataInput = dataOf(QrDataVcardInput).meta({
  id: "QrDataInput",
  description: `The content of the QR code, by its type; at most ${limits.data.bytes} bytes of JSON`,
});
export type QrDataInput = z.output<typeof QrDataInput>;
