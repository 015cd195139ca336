import { crc32 } from "../crc32.ts";

/**
 * Patterns of credentials and addresses, with replacements. Matches can only begin at their first character, so that
 * long text takes linear time.
 */
const patterns: readonly [RegExp, string][] = [
  // Addresses keep their origin; paths and queries contain ids, codes and tokens.
  [/\b(https?:\/\/)(?:[^\s/?#@"'<>]{1,200}@)?([^\s/?#"'<>)@]{1,300})[/?#][^\s"'<>)]*/gi, "$1$2/…"],
  [/\b(?:[sp]k_live|whsec)_\w+/g, "[key]"],
  // JSON Web Tokens, signed or encrypted.
  [/(?<![\w-])eyJ[\w-]+(?:\.[\w-]*){1,4}/g, "[token]"],
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu, "[email]"],
  [/\+\d{7,15}\b/g, "[phone]"],
];

/** Keys of aliases in the route cache, whose paths people chose or visitors tried. */
const aliasKey = /\balias:([\w-]{1,40}:[^\s/":]{1,253})\/([^\s"]*)/g;

/** A digest distinguishes paths without showing them. */
const digestOf = (path: string): string =>
  crc32(new TextEncoder().encode(path)).toString(16).padStart(8, "0");

/**
 * Redacts text for the log: web addresses lose path and query; keys, tokens, email addresses and phone numbers are
 * removed; paths of aliases become digests.
 */
export function withoutSecrets(text: string): string {
  const known = text.replace(aliasKey, (_, site: string, path: string) => `alias:${site}/#${digestOf(path)}`);
  return patterns.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), known);
}
