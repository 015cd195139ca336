import type { QrData } from "../../src/contract/resources/codes/qr-data.ts";
import type { QrType } from "../../src/contract/resources/enums.ts";

/** The entries in the form of a type, and the resulting data. */
export interface CodeEntry {
  /** By field name, in the form in which the service stores them. */
  readonly fields: Readonly<Record<string, string>>;
  readonly data: QrData;
  /** The response to a scan by an iPhone: its `location` if it is a redirect, otherwise a part of its body. */
  readonly scan: { readonly status: 200 | 302; readonly shows: string };
}

const phone = "+4930901820";
const message = "Two lines:\nTable for two, please & “thanks”";

/** Returns an entry for every field of each type's form. @param pageId of a hosted page with the title "Summer fair" */
export const codeEntries = (pageId: string): Readonly<Record<QrType, CodeEntry>> => ({
  url: {
    fields: { "data.url": "https://example.com/menu?table=5" },
    data: { type: "url", url: "https://example.com/menu?table=5" },
    scan: { status: 302, shows: "https://example.com/menu?table=5" },
  },
  applink: {
    fields: {
      "data.ios": "https://apps.apple.com/app/id1",
      "data.android": "https://play.google.com/store/apps/details?id=com.example",
      "data.fallback": "https://example.com/app",
    },
    data: {
      type: "applink",
      ios: "https://apps.apple.com/app/id1",
      android: "https://play.google.com/store/apps/details?id=com.example",
      fallback: "https://example.com/app",
    },
    scan: { status: 302, shows: "https://apps.apple.com/app/id1" },
  },
  vcard: {
    fields: {
      "data.firstName": "Ada",
      "data.lastName": "Łovelace",
      "data.organization": "Engines Ltd",
      "data.title": "Countess",
      "data.phones": `Front desk: ${phone}\n+12125552368`,
      "data.emails": "ada@example.com",
      "data.urls": "https://example.com/ada\nhttps://example.com/engine",
      "data.address.street": "Hauptstraße 1",
      "data.address.postalCode": "50667",
      "data.address.city": "Köln",
      "data.address.region": "NRW",
      "data.address.country": "Deutschland",
      "data.note": message,
    },
    data: {
      type: "vcard",
      firstName: "Ada",
      lastName: "Łovelace",
      organization: "Engines Ltd",
      title: "Countess",
      phones: [phone, "+12125552368"],
      phoneLabels: ["Front desk", null],
      emails: ["ada@example.com"],
      urls: ["https://example.com/ada", "https://example.com/engine"],
      address: {
        street: "Hauptstraße 1",
        postalCode: "50667",
        city: "Köln",
        region: "NRW",
        country: "Deutschland",
      },
      note: message,
    },
    scan: { status: 200, shows: "FN:Ada Łovelace" },
  },
  sms: {
    fields: { "data.phone": phone, "data.message": message },
    data: { type: "sms", phone, message },
    scan: { status: 200, shows: `sms:${phone}` },
  },
  whatsapp: {
    fields: { "data.phone": phone, "data.message": message },
    data: { type: "whatsapp", phone, message },
    scan: { status: 302, shows: "https://wa.me/4930901820?text=Two%20lines" },
  },
  email: {
    fields: {
      "data.to": "ada@example.com",
      "data.subject": "A question",
      "data.body": message,
      "data.cc": "charles@example.com",
      "data.bcc": "mary@example.com",
    },
    data: {
      type: "email",
      to: "ada@example.com",
      subject: "A question",
      body: message,
      cc: "charles@example.com",
      bcc: "mary@example.com",
    },
    scan: { status: 200, shows: "mailto:ada@example.com?" },
  },
  location: {
    fields: { "data.latitude": "52.516275", "data.longitude": "-13.377704", "data.label": "The gate" },
    data: { type: "location", latitude: 52.516275, longitude: -13.377704, label: "The gate" },
    scan: { status: 302, shows: "https://maps.apple.com/?ll=52.516275%2C-13.377704&q=The%20gate" },
  },
  telegram: {
    fields: { "data.username": "durov" },
    data: { type: "telegram", username: "durov" },
    scan: { status: 302, shows: "https://t.me/durov" },
  },
  servicepage: {
    fields: { "data.pageId": pageId },
    data: { type: "servicepage", pageId },
    scan: { status: 200, shows: "Summer fair" },
  },
});
