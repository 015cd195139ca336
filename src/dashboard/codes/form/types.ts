import type { QrType } from "../../../contract/resources/enums.ts";
import type { QrData } from "../../../contract/resources/qr-data.ts";
import type { Qr } from "../../../contract/resources/qr.ts";

/** The name of each type of code, and the effect of a scan. */
export const typeTexts: Readonly<Record<QrType, { readonly name: string; readonly effect: string }>> = {
  url: { name: "Link", effect: "A scan opens a web address." },
  applink: { name: "App", effect: "A scan opens your app's page in the right store." },
  vcard: { name: "Contact", effect: "A scan offers to save a contact." },
  sms: { name: "Text message", effect: "A scan opens a new text message." },
  whatsapp: { name: "WhatsApp", effect: "A scan opens a WhatsApp chat." },
  email: { name: "E-mail", effect: "A scan opens a new e-mail." },
  location: { name: "Place", effect: "A scan shows a place on a map." },
  telegram: { name: "Telegram", effect: "A scan opens a Telegram chat." },
  servicepage: { name: "Hosted page", effect: "A scan shows one of your hosted pages." },
};

/** Where a code leads, in few words. */
export function destinationOf(data: QrData): string {
  switch (data.type) {
    case "url":
      return withoutScheme(data.url);
    case "applink":
      return withoutScheme(data.fallback);
    case "vcard":
      return [data.firstName, data.lastName].filter((part) => part !== undefined).join(" ");
    case "sms":
    case "whatsapp":
      return data.phone;
    case "email":
      return data.to;
    case "location":
      return data.label ?? `${data.latitude}, ${data.longitude}`;
    case "telegram":
      return `@${data.username}`;
    case "servicepage":
      return "A hosted page";
  }
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

/** The title of a code: its name, or where it leads if it has none. */
export const titleOf = ({ name, data }: Qr): string => name ?? destinationOf(data);

/** The state of a code as scans find it. */
export interface CodeState {
  readonly text: string;
  readonly kind: "good" | "warn" | "bad";
}

/** @param now epoch milliseconds */
export function stateOf(qr: Qr, now: number): CodeState {
  if (qr.suspended !== null) return { text: "Suspended", kind: "bad" };
  if (qr.status === "paused") return { text: "Paused", kind: "warn" };
  if (qr.startsAt !== null && Date.parse(qr.startsAt) > now) return { text: "Not started", kind: "warn" };
  if (qr.expiresAt !== null && Date.parse(qr.expiresAt) <= now) return { text: "Expired", kind: "warn" };
  return { text: "Active", kind: "good" };
}

/** The address of a code's image. It changes with the code, so that no cache shows an old one. */
export const imageAddress = ({ scanUrl, updatedAt }: Qr): string =>
  `${scanUrl}.svg?margin=2&v=${Date.parse(updatedAt)}`;
