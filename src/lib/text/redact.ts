/** Credentials and addresses, and their replacements. A match begins where its characters do, so that long text takes linear time. */
const patterns: readonly [RegExp, string][] = [
  // Addresses keep their origin: paths and queries hold ids, codes and tokens.
  [/\b(https?:\/\/)(?:[^\s/?#@"'<>]{1,200}@)?([^\s/?#"'<>)@]{1,300})[/?#][^\s"'<>)]*/gi, "$1$2/…"],
  [/\b(?:[sp]k_live|whsec)_\w+/g, "[key]"],
  // JSON Web Tokens, signed or encrypted.
  [/(?<![\w-])eyJ[\w-]+(?:\.[\w-]*){1,4}/g, "[token]"],
  [/(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu, "[email]"],
  [/\+\d{7,15}\b/g, "[phone]"],
];

/** Text for the log: web addresses without path and query, and no keys, tokens, email addresses or phone numbers. */
export function withoutSecrets(text: string): string {
  return patterns.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
}
