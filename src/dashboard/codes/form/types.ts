import { type QrType, qrTypeNames } from "../../../contract/resources/enums.ts";
import type { IconName } from "../../../ui/icon.tsx";

interface TypeTexts {
  readonly name: string;
  /** The effect of a scan. */
  readonly effect: string;
  readonly icon: IconName;
}

const of = (type: QrType, icon: IconName, effect: string): TypeTexts => ({
  name: qrTypeNames[type].name,
  icon,
  effect,
});

/** How each type of code is presented. */
export const typeTexts: Readonly<Record<QrType, TypeTexts>> = {
  url: of("url", "link", "A scan opens a web address."),
  applink: of("applink", "smartphone", "A scan opens your app's page in the right store."),
  vcard: of("vcard", "contact", "A scan offers to save a contact."),
  sms: of("sms", "message-square", "A scan opens a new text message."),
  whatsapp: of("whatsapp", "message-circle", "A scan opens a WhatsApp chat."),
  email: of("email", "mail", "A scan opens a new email."),
  location: of("location", "map-pin", "A scan shows a place on a map."),
  telegram: of("telegram", "send", "A scan opens a Telegram chat."),
  servicepage: of("servicepage", "panels-top-left", "A scan shows one of your hosted pages."),
};
