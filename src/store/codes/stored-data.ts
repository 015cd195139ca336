import type { QrData, QrDataVcard } from "../../contract/resources/codes/qr-data.ts";

/**
 * A contact as it is stored: a company has the empty first name, because earlier releases expect a text, and which numbers
 * are mobile is known, because finding out needs every country's numbering plan.
 */
export interface StoredContact extends QrDataVcard {
  readonly firstName: string;
  /** Those of the phones that are mobile. */
  readonly mobilePhones?: readonly string[];
}

/** A code's data as it is stored. */
export type StoredQrData = Exclude<QrData, { readonly type: "vcard" }> | StoredContact;

/** Returns stored data as clients and people see it; of an erased code, nothing. */
export function shownData(data: StoredQrData): QrData {
  if (data.type !== "vcard") return data;
  const { mobilePhones: _, ...contact } = data;
  if (contact.firstName !== "") return contact;
  const { firstName: __, ...company } = contact;
  return company;
}
