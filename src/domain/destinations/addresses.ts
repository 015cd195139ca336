import type { QrData } from "../../contract/resources/codes/qr-data.ts";

/** An address in a code's data, with its field. */
export interface Address {
  readonly field: string;
  readonly address: string;
}

/** The parts of a code that have addresses for people to visit: its data and its fallback. */
export interface Linked {
  readonly data?: QrData | undefined;
  readonly fallbackUrl?: string | null | undefined;
}

/** Returns all addresses to which scans of a code can lead. */
export const allAddressesOf = ({ data, fallbackUrl }: Linked): Address[] => [
  ...(data === undefined ? [] : addressesOf(data)),
  ...(fallbackUrl ? [{ field: "fallbackUrl", address: fallbackUrl }] : []),
];

/** Returns the addresses in a code's data that people are led to. */
export function addressesOf(data: QrData): Address[] {
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
export function replacedLinks(
  { data, fallbackUrl }: Required<Linked>,
  replace: (address: string) => string,
): Linked {
  const newData = data && withAddresses(data, replace);
  const newFallback = fallbackUrl && replace(fallbackUrl);
  return {
    ...(JSON.stringify(newData) !== JSON.stringify(data) && { data: newData }),
    ...(newFallback !== fallbackUrl && { fallbackUrl: newFallback }),
  };
}

/** Returns the data with every such address replaced. */
function withAddresses(data: QrData, replace: (address: string) => string): QrData {
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
