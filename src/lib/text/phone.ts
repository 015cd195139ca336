import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { asciiDigits, withoutDirection } from "./digits.ts";
import { invisibleProblem, trimmed } from "./invisible.ts";

export type Phone =
  | { readonly ok: true; readonly phone: string }
  | { readonly ok: false; readonly problem: string };

interface PhoneOptions {
  /** ISO 3166-1 alpha-2; numbers of this country may lack their country code. */
  readonly country?: string | undefined;
  /** Whether it may have an extension. */
  readonly extension?: boolean;
  /** Whether it may be a short code, which has no country code and works in one country. */
  readonly shortCode?: boolean;
}

/**
 * Parses a phone number to E.164, with an extension as `+12125550123;ext=99`, or a short code to its digits. This module
 * contains every country's numbering plan, so no scan may load it.
 * @returns the number, or the problem, worded to follow a field's name
 */
export function readPhone(input: string, options: PhoneOptions = {}): Phone {
  const text = withoutScheme(asciiDigits(withoutDirection(trimmed(input))).replace(/\p{Zs}/gu, " ")).trim();
  const problem = invisibleProblem(text);
  if (problem !== undefined) return { ok: false, problem };
  const { country, extension = false, shortCode = false } = options;
  const digits = text.replace(/[ .-]/g, "");
  if (shortCode && /^(?!00)\d{3,8}$/.test(digits)) return { ok: true, phone: digits };
  const parsed = spellingsOf(text)
    .map((spelling) => parse(spelling, country))
    .find((each) => each?.isValid() === true);
  if (parsed === undefined) {
    const orShort = shortCode ? ", or a short code of 3 to 8 digits" : "";
    return {
      ok: false,
      problem: `must be a phone number with its country code, such as +49 30 901820${orShort}`,
    };
  }
  const { number, ext } = parsed;
  if (ext === undefined) return { ok: true, phone: number };
  return extension
    ? { ok: true, phone: `${number};ext=${ext}` }
    : { ok: false, problem: "must be a phone number without an extension" };
}

/** The whole input must be a number; the parser doesn't find one inside other text. */
const parse = (text: string, country: string | undefined) =>
  parsePhoneNumberFromString(text, {
    extract: false,
    ...(country !== undefined && isSupportedCountry(country) ? { defaultCountry: country } : {}),
  });

/** Removes the scheme of a link, such as `tel:`, whose signs may be encoded. */
function withoutScheme(text: string): string {
  const rest = /^(?:tel|callto|sms|smsto):(.*)$/is.exec(text)?.[1];
  return rest === undefined ? text : rest.replace(/%20/g, " ").replace(/%2b/gi, "+");
}

/**
 * Returns a number as it was written, and as the parser takes it: with `+` for `00`, with a country code out of its
 * brackets, and without the digits for mobile phones that Mexico gave up in 2020 but contacts and WhatsApp still have.
 */
function spellingsOf(text: string): string[] {
  const international = text
    .replace(/^\(\s*(\+|00)\s*(\d{1,3})\s*\)/, "$1$2")
    .replace(/^\+?\s*00\s*(?=[1-9])/, "+");
  return [text, international, international.replace(/^\+\s*52[\s().-]*(?:1|04[45])/, "+52")];
}

/** Groups the digits of a phone number as its country does, such as +49 30 901820. @param phone as `readPhone` returns it */
export const formatPhone = (phone: string): string =>
  parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
