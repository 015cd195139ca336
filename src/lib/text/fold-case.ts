/**
 * Text by which names are compared without regard to case, in every script. Lower case first, because some capitals,
 * such as the Kelvin sign, are their own upper case; then upper case, where ß is SS and both small sigmas are one letter.
 */
export const foldCase = (text: string): string => text.normalize("NFC").toLowerCase().toUpperCase();
