import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

export type Phone =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly problem: string };

/**
 * A phone number as E.164. Load this module only where a phone is to be read: it carries every country's
 * numbering plan.
 * @param country ISO 3166-1 alpha-2, whose numbers may be written without their country code
 * @returns the number, or the problem in words that follow a field's name
 */
export function readPhone(input: string, country?: string): Phone {
  // Not to be found in other words: what is given must be a number, and nothing else.
  const parsed = parsePhoneNumberFromString(input, {
    extract: false,
    ...(country !== undefined && isSupportedCountry(country) ? { defaultCountry: country } : {}),
  });
  if (!parsed?.isValid()) {
    return { ok: false, problem: "must be a phone number with its country code, such as +49 30 901820" };
  }
  if (parsed.ext !== undefined) return { ok: false, problem: "must be a phone number without an extension" };
  return { ok: true, e164: parsed.number };
}
