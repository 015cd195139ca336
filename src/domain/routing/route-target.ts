import type { QrData } from "../../contract/resources/qr-data.ts";
import type { Route } from "../../protocol/routes.ts";
import {
  appleMapsUrl,
  googleMapsUrl,
  mailtoUri,
  smsUri,
  telegramUrl,
  whatsappUrl,
} from "../../lib/web/app-links.ts";
import { writeVcard } from "../../lib/text/vcard.ts";

/** What a code's data means for a scan, worked out when the code is written, so that a scan need not. */
export function leadsTo(data: QrData): Pick<Route, "destination" | "answer"> {
  switch (data.type) {
    case "url":
      return { destination: data.url };
    case "applink": {
      const { ios, android, fallback } = data;
      const apps = { ...(ios === undefined ? {} : { ios }), ...(android === undefined ? {} : { android }) };
      return { destination: fallback, answer: { as: "choice", ...apps } };
    }
    case "location": {
      const { latitude, longitude, label } = data;
      return {
        destination: googleMapsUrl(latitude, longitude),
        answer: { as: "choice", ios: appleMapsUrl(latitude, longitude, label) },
      };
    }
    case "whatsapp":
      return { destination: whatsappUrl(data.phone, data.message) };
    case "telegram":
      return { destination: telegramUrl(data.username) };
    case "sms":
      return { destination: smsUri(data.phone, data.message), answer: { as: "opener" } };
    case "email":
      return { destination: mailtoUri(data), answer: { as: "opener" } };
    case "vcard":
      return { destination: "", answer: { as: "vcard", text: writeVcard(data) } };
    case "servicepage":
      return { destination: "", answer: { as: "page", pageId: data.pageId } };
  }
}
