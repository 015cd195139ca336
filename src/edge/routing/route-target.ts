import type { QrData } from "../../contract/resources/codes/qr-data.ts";
import { writeVcard } from "../../lib/text/vcard.ts";
import {
  appleMapsUrl,
  googleMapsUrl,
  mailtoUri,
  smsUri,
  telegramUrl,
  whatsappUrl,
} from "../../lib/web/app-links.ts";
import type { Route } from "../../protocol/routes.ts";
import type { StoredQrData } from "../../store/codes/stored-data.ts";

/**
 * Returns the effect of scanning a code with this data. Computed when the code is written, so that scans don't have to.
 */
export function routeTarget(data: StoredQrData | QrData): Pick<Route, "destination" | "action"> {
  switch (data.type) {
    case "url":
      return { destination: data.url };
    case "applink": {
      const { ios, android, fallback } = data;
      const apps = { ...(ios === undefined ? {} : { ios }), ...(android === undefined ? {} : { android }) };
      return { destination: fallback, action: { kind: "platform", ...apps } };
    }
    case "location": {
      const { latitude, longitude, label } = data;
      return {
        destination: googleMapsUrl(latitude, longitude),
        action: { kind: "platform", ios: appleMapsUrl(latitude, longitude, label) },
      };
    }
    case "whatsapp":
      return { destination: whatsappUrl(data.phone, data.message) };
    case "telegram":
      return { destination: telegramUrl(data.username) };
    case "sms":
      return { destination: smsUri(data.phone, data.message), action: { kind: "app-launch" } };
    case "email":
      return { destination: mailtoUri(data), action: { kind: "app-launch" } };
    case "vcard":
      return { destination: "", action: { kind: "vcard", text: writeVcard(data) } };
    case "servicepage":
      return { destination: "", action: { kind: "page", pageId: data.pageId } };
  }
}

/** Returns where a code leads, as the operator sees it; null for a contact. */
export const shownTarget = (scanOrigin: string, data: QrData): string | null =>
  data.type === "servicepage" ? pageUrl(scanOrigin, data.pageId) : routeTarget(data).destination || null;

/** Returns the address of a hosted page. */
export const pageUrl = (scanOrigin: string, pageId: string): string => `${scanOrigin}/pages/${pageId}`;
