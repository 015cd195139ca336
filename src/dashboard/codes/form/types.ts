import type { QrType } from "../../../contract/resources/enums.ts";
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

/** The status of a code as scans find it. */
export interface ShownStatus {
  readonly text: string;
  readonly kind: "good" | "warn" | "bad";
}

/** @param now epoch milliseconds */
export function statusOfCode(qr: Qr, now: number): ShownStatus {
  if (qr.suspended !== null) return { text: "Suspended", kind: "bad" };
  if (qr.status === "paused") return { text: "Paused", kind: "warn" };
  if (qr.startsAt !== null && Date.parse(qr.startsAt) > now) return { text: "Not started", kind: "warn" };
  if (qr.expiresAt !== null && Date.parse(qr.expiresAt) <= now) return { text: "Expired", kind: "warn" };
  return { text: "Active", kind: "good" };
}

/** The address of a code's image. It changes with the code, so that no cache shows an old one. */
export const codeImageAddress = ({ scanUrl, updatedAt }: Qr): string =>
  `${scanUrl}.svg?margin=2&v=${Date.parse(updatedAt)}`;
