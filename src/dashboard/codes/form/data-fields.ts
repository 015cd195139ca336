import type { QrType } from "../../../contract/resources/enums.ts";

/** A field of a code's data. */
export interface DataField {
  /** Its path in the code, such as `data.url`. */
  readonly name: `data.${string}`;
  readonly label: string;
  readonly hint?: string;
  /**
   * `lines` is a list with one entry per line, `phones` one of phone numbers with labels, `page` one of the workspace's hosted
   * pages.
   */
  readonly kind:
    | "text"
    | "address"
    | "email"
    | "phone"
    | "number"
    | "paragraph"
    | "lines"
    | "phones"
    | "page";
  readonly required?: true;
  /** Rarely needed, so it is shown on demand. */
  readonly rare?: true;
  /** Changed on the code's page itself. Every type has one; of a place, that is its map link. */
  readonly main?: true;
}

const phone: DataField = {
  name: "data.phone",
  label: "Phone number",
  hint: "With country code, such as +49 30 901820",
  kind: "phone",
  required: true,
  main: true,
};
const message: DataField = { name: "data.message", label: "Message", kind: "paragraph" };

/** The fields of each type of code, in the order of its form. */
export const dataFields: Readonly<Record<QrType, readonly DataField[]>> = {
  url: [
    {
      name: "data.url",
      label: "Destination",
      hint: "Where a scan leads, such as example.com/menu. You can change it after printing.",
      kind: "address",
      required: true,
      main: true,
    },
  ],
  applink: [
    {
      name: "data.ios",
      label: "iPhone and iPad",
      hint: "Such as your page in the App Store",
      kind: "address",
    },
    { name: "data.android", label: "On Android", hint: "Such as your page on Google Play", kind: "address" },
    { name: "data.fallback", label: "All other devices", kind: "address", required: true, main: true },
  ],
  vcard: [
    { name: "data.firstName", label: "First name", hint: "Leave it empty for a company", kind: "text" },
    { name: "data.lastName", label: "Last name", kind: "text" },
    { name: "data.organization", label: "Organisation", kind: "text" },
    { name: "data.title", label: "Job title", kind: "text" },
    {
      name: "data.phones",
      label: "Phone numbers",
      hint: "One per line, with country code, such as +1 212 555 0123 ext. 99 or Work: +49 30 901820",
      kind: "phones",
      main: true,
    },
    { name: "data.emails", label: "Email addresses", hint: "One per line", kind: "lines" },
    { name: "data.urls", label: "Web addresses", hint: "One per line", kind: "lines", rare: true },
    { name: "data.address.street", label: "Street", kind: "text", rare: true },
    { name: "data.address.postalCode", label: "Postal code", kind: "text", rare: true },
    { name: "data.address.city", label: "City", kind: "text", rare: true },
    { name: "data.address.region", label: "Region", kind: "text", rare: true },
    { name: "data.address.country", label: "Country", kind: "text", rare: true },
    { name: "data.note", label: "Note", kind: "paragraph", rare: true },
  ],
  sms: [
    {
      ...phone,
      hint: "With country code, such as +49 30 901820, or a short code such as 83339, which works in one country only",
    },
    message,
  ],
  whatsapp: [phone, message],
  email: [
    { name: "data.to", label: "To", kind: "email", required: true, main: true },
    { name: "data.subject", label: "Subject", kind: "text" },
    { name: "data.body", label: "Text", kind: "paragraph" },
    { name: "data.cc", label: "CC", kind: "email", rare: true },
    { name: "data.bcc", label: "BCC", kind: "email", rare: true },
  ],
  location: [
    {
      name: "data.latitude",
      label: "Latitude",
      hint: "Degrees north, such as 52.516275",
      kind: "number",
      required: true,
    },
    {
      name: "data.longitude",
      label: "Longitude",
      hint: "Degrees east, such as 13.377704",
      kind: "number",
      required: true,
    },
    { name: "data.label", label: "Name of the place", kind: "text" },
  ],
  telegram: [
    {
      name: "data.username",
      label: "Username",
      hint: "Of a person, group, channel or bot, such as @durov",
      kind: "text",
      required: true,
      main: true,
    },
  ],
  servicepage: [{ name: "data.pageId", label: "Page", kind: "page", required: true, main: true }],
};
