import { describe, expect, it } from "vitest";
import { formatPhone, readPhone } from "../../../src/lib/text/phone.ts";

const phoneOf = (input: string, options?: Parameters<typeof readPhone>[1]) => {
  const read = readPhone(input, options);
  return read.ok ? read.phone : read.problem;
};
const needsCountry = "must be a phone number with its country code, such as +49 30 901820";

describe("a number as people write and copy it", () => {
  it.each([
    ["0049 30 901820", "+4930901820"],
    ["00 49 30/901820", "+4930901820"],
    ["+0049 30 901820", "+4930901820"],
    ["(0049) 30 901820", "+4930901820"],
    ["(+49) 30 901820", "+4930901820"],
    ["+49 (0)30 901820", "+4930901820"],
    ["001 212 555 0123", "+12125550123"],
    ["tel:+49 30 901820", "+4930901820"],
    ["TEL:+49-30-901820", "+4930901820"],
    ["tel:+49%2030%20901820", "+4930901820"],
    ["tel:%2B4930901820", "+4930901820"],
    ["tel:0049 30 901820", "+4930901820"],
    ["tel: +49 30 901820", "+4930901820"],
    ["tel:030-901820;phone-context=+49", "+4930901820"],
    ["sms:+4930901820", "+4930901820"],
    ["callto:+4930901820", "+4930901820"],
    ["\u202a+49 30 901820\u202c", "+4930901820"],
    ["\u2066+49 30 901820\u2069", "+4930901820"],
    ["+49\u200e 30\u200f 901820", "+4930901820"],
    ["tel:\u202a+49 30 901820\u202c", "+4930901820"],
    ["\u061c+49 30 901820", "+4930901820"],
    ["+49\u00a030\u202f901820", "+4930901820"],
    ["+49\u201030\u2011901820", "+4930901820"],
    ["\uff0b\uff14\uff19 \uff13\uff10 \uff19\uff10\uff11\uff18\uff12\uff10", "+4930901820"],
    ["\u0660\u0660\u0664\u0669\u0663\u0660\u0669\u0660\u0661\u0668\u0662\u0660", "+4930901820"],
  ])("%j is %s", (input, phone) => {
    expect([phoneOf(input), phoneOf(input, { country: "US" })]).toEqual([phone, phone]);
  });

  it.each([
    "+52 1 55 1234 5678",
    "+5215512345678",
    "+52 (1) 55 1234 5678",
    "+52-1-55-1234-5678",
    "+52 044 55 1234 5678",
    "+52 045 55 1234 5678",
    "+52 55 1234 5678",
    "0052 1 55 1234 5678",
    "tel:+52 1 55 1234 5678",
    "\u202a+52 1 55 1234 5678\u202c",
    "(+52) 1 55 1234 5678",
  ])("%j is a Mexican number without what came before mobile phones", (input) => {
    expect(phoneOf(input)).toBe("+525512345678");
  });

  it.each([
    ["030 901820", needsCountry],
    ["4930901820", needsCountry],
    ["00", needsCountry],
    ["000049 30 901820", needsCountry],
    ["+52 1 55 1234", needsCountry],
    ["tel:", needsCountry],
    ["tel:tel:+4930901820", needsCountry],
    ["mailto:+4930901820", needsCountry],
    ["call me: +49 30 901820", needsCountry],
    ["+49 30\u200b901820", "has an invisible character (zero-width space, U+200B) after “+49 30”"],
    ["83339", needsCountry],
  ])("%j is refused: %s", (input, problem) => {
    expect(phoneOf(input)).toBe(problem);
  });
});

describe("an extension", () => {
  it.each([
    ["+1 212-555-0123 x99", "99"],
    ["+1 212 555 0123 X 99", "99"],
    ["+1 212 555 0123 ext. 99", "99"],
    ["+1 212 555 0123 extension 099", "099"],
    ["+12125550123;ext=99", "99"],
    ["tel:+1-212-555-0123;ext=99", "99"],
    ["+12125550123,99", "99"],
    ["+12125550123,,99#", "99"],
    ["+12125550123;99", "99"],
    ["+1 212 555 0123 #99", "99"],
    ["001 212 555 0123 x99", "99"],
    ["\u202a+1 212 555 0123\u202c ext. 99", "99"],
  ])("of %j is kept where it may have one, and named elsewhere", (input, extension) => {
    const phone = `+12125550123;ext=${extension}`;
    expect(phoneOf(input, { extension: true })).toBe(phone);
    expect(phoneOf(phone, { extension: true })).toBe(phone);
    expect(phoneOf(input)).toBe("must be a phone number without an extension");
    expect(formatPhone(phone)).toBe(`+1 212 555 0123 ext. ${extension}`);
  });
});

describe("a short code", () => {
  it.each([
    ["83339", "83339"],
    ["110", "110"],
    ["12345678", "12345678"],
    [" 83339 ", "83339"],
    ["833 39", "83339"],
    ["833-39", "83339"],
    ["tel:83339", "83339"],
    ["sms:83339", "83339"],
    ["\u202a83339\u202c", "83339"],
    ["\uff18\uff13\uff13\uff13\uff19", "83339"],
    ["\u0668\u0663\u0663\u0663\u0669", "83339"],
  ])("%j is stored as it stands where it may be one", (input, phone) => {
    expect(phoneOf(input, { shortCode: true })).toBe(phone);
    expect(phoneOf(input)).toBe(needsCountry);
    expect(formatPhone(phone)).toBe(phone);
  });

  it.each(["12", "123456789", "0049301", "8333a", "*100#", "+83339", "833 39 x1"])("isn't %j", (input) => {
    expect(phoneOf(input, { shortCode: true })).toBe(`${needsCountry}, or a short code of 3 to 8 digits`);
  });
});
