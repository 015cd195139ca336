import type { Dimension, DimensionItem } from "../../contract/resources/analytics.ts";
import { countryName } from "../charts/format.ts";
import { dateLocale, instantFormat } from "../components/values/format.ts";

/** The dimensions that are lists of bars, in the order of the page, with the head of their list. */
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

/** The words for scans that the script of live scans needs. */
export const scanWords = { devices, locale: dateLocale, timeFormat: instantFormat };
export type ScanWords = typeof scanWords;

/** `Phone` for `mobile`. */
export const deviceName = (device: string): string => devices[device] ?? device;

/** A value of a dimension in words. */
export function labelOf(dimension: ListedDimension, { value, country }: DimensionItem): string {
  if (value === null) return dimension === "referrer" ? "Camera or typed address" : "Unknown";
  if (dimension === "country") return countryName(value);
  if (dimension === "device") return deviceName(value);
  if (dimension === "city" && country) return `${value}, ${countryName(country)}`;
  return value;
}
