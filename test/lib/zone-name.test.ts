import { expect, it } from "vitest";
import { canonicalTimeZone, isTimeZone } from "../../src/lib/time/zone-name.ts";

it.each([
  ["europe/berlin", "Europe/Berlin"],
  ["AMERICA/PORT-AU-PRINCE", "America/Port-au-Prince"],
  ["US/Eastern", "America/New_York"],
  ["utc", "UTC"],
  ["Etc/UTC", "UTC"],
  ["GMT", "UTC"],
  ["Etc/GMT+2", "Etc/GMT+2"],
  ["Japan", "Asia/Tokyo"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["asia/kolkata", "Asia/Kolkata"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
])("the time zone %s is %s", (name, canonical) => {
  expect(canonicalTimeZone(name)).toBe(canonical);
  expect(isTimeZone(name)).toBe(true);
});

it.each([
  "",
  "+02:00",
  "-0800",
  "+02",
  "UTC+2",
  "Z",
  "Europe",
  "Europe/",
  "Europe/Berlin ",
  "Europe/Nowhere",
  "Europe/Berlin\0",
  "BST",
  "pst",
  "IST",
  "SystemV/EST5",
  "local",
  "undefined",
])("%j is not the name of a time zone", (name) => {
  expect(canonicalTimeZone(name)).toBeNull();
  expect(isTimeZone(name)).toBe(false);
});

it("every canonical name is its own", () => {
  for (const name of Intl.supportedValuesOf("timeZone")) {
    const canonical = canonicalTimeZone(name);
    expect(canonical).not.toBeNull();
    expect(canonicalTimeZone(canonical ?? "")).toBe(canonical);
    expect(canonicalTimeZone(name.toLowerCase())).toBe(canonical);
  }
});

it("of all names with three letters that end in T, those of the IANA database are accepted", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const names = letters.flatMap((a) => letters.map((b) => `${a}${b}T`));
  const iana = "CET EET EST GMT HST MET MST UCT WET";
  expect(names.filter(isTimeZone).join(" ")).toBe(iana);
});
