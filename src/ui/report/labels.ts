import type { Dimension, DimensionItem } from "../../contract/resources/scans/analytics.ts";
import type { ScanEvent } from "../../contract/resources/scans/scans.ts";
import { countryName } from "../charts/format.ts";
import { dateLocale, instantFormat } from "../values/format.ts";

/** The dimensions shown as lists of bars, in the order of the page, with the headings of their lists. */
export const listed = {
  country: "Countries",
  city: "Cities",
  device: "Devices",
  os: "Systems",
  browser: "Browsers",
  referrer: "Came from",
} as const satisfies Partial<Record<Dimension, string>>;

export type ListedDimension = keyof typeof listed;

const devices: Readonly<Record<string, string>> = {
  mobile: "Phone",
  tablet: "Tablet",
  desktop: "Computer",
  tv: "Television",
};

/** Texts and formats that the script for live scans needs. */
export const scanWords = { devices, locale: dateLocale, timeFormat: instantFormat };
export type ScanWords = typeof scanWords;

/** `Phone` for `mobile`. */
export const deviceName = (device: string): string => devices[device] ?? device;

/** Describes the place, device and address of a scan. */
export function describeScan({ city, country, os, device, via }: ScanEvent): string {
  const parts = [
    city,
    country === null ? null : countryName(country),
    os,
    device === null ? null : deviceName(device),
  ];
  const facts = parts.filter((part) => part !== null).join(", ") || "Unknown device";
  return via ? `${facts}, by ${via}` : facts;
}

/** Describes a dimension's value. */
export function labelOf(dimension: ListedDimension, { value, country }: DimensionItem): string {
  if (value === null) return dimension === "referrer" ? "Camera or direct" : "Unknown";
  if (dimension === "country") return countryName(value);
  if (dimension === "device") return deviceName(value);
  if (dimension === "city" && country) return `${value}, ${countryName(country)}`;
  return value;
}
