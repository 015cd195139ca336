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

/**
 * Redacts text for the log: web addresses lose path and query; keys, tokens, email addresses and phone numbers are
 * removed.
 */
export function withoutSecrets(text: string): string {
  return patterns.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
}
