import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Returns whether a number is one of mobile phones alone: in some countries, such as the United States, numbers don't tell.
 * This module contains every country's numbering plan in full, so no scan may load it.
 * @param phone as `readPhone` returns it
 */
export const isMobile = (phone: string): boolean => parsePhoneNumberFromString(phone)?.getType() === "MOBILE";
