import type { QrDataInput } from "../../contract/resources/codes/qr-data.ts";
import { type AddressField, addressFields } from "../../contract/resources/codes/qr-fields.ts";
import { sameJson } from "../../lib/text/json.ts";

/** An address in a code's data, with its field. */
export interface Address {
  readonly field: string;
  readonly address: string;
}

/** The parts of a code that have addresses for people to visit: its data, and the fields that are addresses. */
export type Linked = { readonly [Field in AddressField]?: string | null | undefined } & {
  readonly data?: QrDataInput | undefined;
};

/** Returns all addresses to which scans of a code can lead. */
export const allAddressesOf = (linked: Linked): Address[] => [
  ...(linked.data === undefined ? [] : addressesOf(linked.data)),
  ...addressFields.flatMap((field) => {
    const address = linked[field];
    return address ? [{ field, address }] : [];
  }),
];

/** Returns the addresses in a code's data that people are led to. */
export function addressesOf(data: QrDataInput): Address[] {
  switch (data.type) {
    case "url":
      return [{ field: "data.url", address: data.url }];
    case "applink":
      return (["ios", "android", "fallback"] as const).flatMap((name) => {
        const address = data[name];
        return address === undefined ? [] : [{ field: `data.${name}`, address }];
      });
    case "vcard":
      return (data.urls ?? []).map((address, i) => ({ field: `data.urls.${i}`, address }));
    case "sms":
    case "whatsapp":
    case "email":
    case "location":
    case "telegram":
    case "servicepage":
      return [];
  }
}

/** Returns the links of a code that a replacement changes. */
export function replacedLinks(linked: Required<Linked>, replace: (address: string) => string): Linked {
  const data = linked.data && withAddresses(linked.data, replace);
  const fields = addressFields.flatMap((field) => {
    const address = linked[field];
    const replaced = address && replace(address);
    return replaced === address ? [] : [[field, replaced]];
  });
  return { ...Object.fromEntries(fields), ...(!sameJson(data, linked.data) && { data }) };
}

/** Returns the data with every such address replaced. */
function withAddresses(data: QrDataInput, replace: (address: string) => string): QrDataInput {
  switch (data.type) {
    case "url":
      return { ...data, url: replace(data.url) };
    case "applink":
      return {
        ...data,
        ...(data.ios !== undefined && { ios: replace(data.ios) }),
        ...(data.android !== undefined && { android: replace(data.android) }),
        fallback: replace(data.fallback),
      };
    case "vcard":
      return data.urls === undefined ? data : { ...data, urls: data.urls.map(replace) };
    case "sms":
    case "whatsapp":
    case "email":
    case "location":
    case "telegram":
    case "servicepage":
      return data;
  }
}
