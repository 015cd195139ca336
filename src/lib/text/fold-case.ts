/**
 * Folds text for comparing names without regard to case, in every script. To lower case first, because some capitals,
 * such as the Kelvin sign, are their own upper case; then to upper case, where ß becomes SS and both small sigmas are
 * the same letter.
 */
export const foldCase = (text: string): string => text.normalize("NFC").toLowerCase().toUpperCase();
