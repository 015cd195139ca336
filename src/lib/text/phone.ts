import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { invisibleProblem, trimmed } from "./invisible.ts";

export type Phone =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses a phone number to E.164. This module contains every country's numbering plan, so no scan may load it.
 * @param country ISO 3166-1 alpha-2; numbers of this country may lack their country code
 * @returns the number, or the problem, worded to follow a field's name
 */
export function readPhone(input: string, country?: string): Phone {
  const text = trimmed(input).replace(/\p{Zs}/gu, " ");
  const problem = invisibleProblem(text);
  if (problem !== undefined) return { ok: false, problem };
  // The whole input must be a number; don't let the parser find one inside other text.
  const parsed = parsePhoneNumberFromString(text, {
    extract: false,
    ...(country !== undefined && isSupportedCountry(country) ? { defaultCountry: country } : {}),
  });
  if (!parsed?.isValid()) {
    return { ok: false, problem: "must be a phone number with its country code, such as +49 30 901820" };
  }
  if (parsed.ext !== undefined) return { ok: false, problem: "must be a phone number without an extension" };
  return { ok: true, e164: parsed.number };
}

/** Groups the digits of a phone number as its country does, such as +49 30 901820. @param e164 with country code */
export const formatPhone = (e164: string): string =>
  parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
