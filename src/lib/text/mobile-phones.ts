import { parsePhoneNumberFromString } from "libphonenumber-js/max";

/**
 * Returns whether a number can only be a mobile phone's. In some countries, such as the United States, numbers don't
 * show it. This module contains every country's numbering plan in full, so no scan may load it.
 * @param phone as `readPhone` returns it
 */
export const isMobile = (phone: string): boolean => parsePhoneNumberFromString(phone)?.getType() === "MOBILE";
