import { utf8Length } from "./utf8.ts";

/** A person or company for a phone's contacts. Phone numbers are E.164, with `;ext=` and digits for an extension; lines of the note end with a line feed. */
export interface Contact {
  /** Missing or empty for a company. */
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly organization?: string | undefined;
  readonly title?: string | undefined;
  readonly phones?: readonly string[] | undefined;
  /** The kinds of the phones, in the same order; null for none. */
  readonly phoneLabels?: readonly (string | null)[] | undefined;
  /** Those of the phones that are mobile. */
  readonly mobilePhones?: readonly string[] | undefined;
  readonly emails?: readonly string[] | undefined;
  readonly urls?: readonly string[] | undefined;
  readonly address?: PostalAddress | undefined;
  readonly note?: string | undefined;
}

interface PostalAddress {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly region?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly country?: string | undefined;
}

/** Returns the name of a contact: of the person, or else of the company. */
export const contactName = (contact: Contact): string => personName(contact) || (contact.organization ?? "");

const personName = ({ firstName, lastName }: Contact): string =>
  [firstName, lastName].filter(Boolean).join(" ");

/**
 * Formats a vCard 3.0 (RFC 2426), the version that every phone reads. Lines end with CRLF and are folded at 75 octets.
 * Written by hand, because escaping and folding are the whole format; a test reads the result with a vCard parser.
 */
export function writeVcard(contact: Contact): string {
  const { firstName = "", lastName = "", organization, title, address, note } = contact;
  const property = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}:${escapedText(value)}`];
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:${structured(lastName, firstName, "", "", "")}`,
    ...property("FN", contactName(contact)),
    ...property("ORG", organization),
    // Apple's contacts would show a company as a person.
    ...(personName(contact) === "" ? ["X-ABShowAs:COMPANY"] : []),
    ...property("TITLE", title),
    ...(contact.phones ?? []).flatMap((phone, i) => telephone(contact, phone, i)),
    ...(contact.emails ?? []).flatMap((email) => property("EMAIL;TYPE=INTERNET", email)),
    // A URL has the value type URI, which isn't escaped.
    ...(contact.urls ?? []).map((url) => `URL:${url}`),
    ...(address === undefined ? [] : [`ADR:${postal(address)}`]),
    ...property("NOTE", note),
    "END:VCARD",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/** The types of numbers, by the labels for them. */
const phoneTypes: ReadonlyMap<string, string> = new Map([
  ["mobile", "CELL"],
  ["cell", "CELL"],
  ["work", "WORK,VOICE"],
  ["home", "HOME,VOICE"],
  ["fax", "FAX"],
]);

/** Returns the lines of a number. A label in other words is a line of its own, in a group with the number. */
function telephone({ phoneLabels, mobilePhones }: Contact, phone: string, index: number): string[] {
  const label = phoneLabels?.[index] ?? null;
  const own = mobilePhones?.includes(phone) ? "CELL" : "VOICE";
  const type = label === null ? own : phoneTypes.get(label.toLowerCase());
  const value = escapedText(dialled(phone));
  if (label === null || type !== undefined) return [`TEL;TYPE=${type}:${value}`];
  const group = `item${index + 1}`;
  return [`${group}.TEL;TYPE=${own}:${value}`, `${group}.X-ABLabel:${escapedText(label)}`];
}

/** Returns a number as phones dial it: after a pause, the extension. They don't know `;ext=` (RFC 3966). */
const dialled = (phone: string): string => phone.replace(";ext=", ",");

/** Returns the ADR value. Its first two parts, post office box and extended address, are obsolete and stay empty. */
const postal = ({ street, city, region, postalCode, country }: PostalAddress): string =>
  structured("", "", street, city, region, postalCode, country);

const structured = (...parts: (string | undefined)[]): string =>
  parts.map((part) => escapedText(part ?? "")).join(";");

const escapedText = (text: string): string => text.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");

/** Folds a line at 75 octets, never within a character. */
function fold(line: string): string {
  let folded = "";
  let octets = 0;
  for (const char of line) {
    const size = utf8Length(char);
    if (octets + size > 75) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += char;
    octets += size;
  }
  return folded;
}
