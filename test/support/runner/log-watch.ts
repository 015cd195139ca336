/** The forms of values that a log must never contain. Loopback addresses are those of the tests' own servers. */
const forms: Readonly<Record<string, RegExp>> = {
  "API key": /\b[sp]k_live_[0-9A-Za-z]{32}/,
  "signing secret": /\bwhsec_\w{8}/,
  token: /\beyJ[\w-]{8,}\.[\w-]*\.[\w-]*/,
  // Bounded, because a test may log 100 KB of letters.
  "email address":
    /[\p{L}\p{N}._%+-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,}/u,
  "phone number": /(?:\+|%2B)\d{7,15}\b/i,
  "IPv4 address": /(?<![\d.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/,
  "IPv6 address": /(?<![\w:.])(?:[0-9a-f]{1,4}:){2,7}(?::[0-9a-f]{0,4}|[0-9a-f]{1,4}:[0-9a-f]{1,4})/i,
  "bound parameters": /\\nparams: |\nparams: /,
};

const known = new Map<string, string>();

/** Registers a secret that has no form of its own, so that the log is searched for it. Returns it. */
export function watched(secret: string, name: string): string {
  if (secret.length >= 8) known.set(secret, name);
  return secret;
}

/** Forgets the registered secrets: those of earlier files aren't written any more, and each line is searched for all. */
export function forgetWatched(): void {
  known.clear();
}

/** Returns the lines of a log that contain forbidden values, with the kind of value. */
export function findLeaks(lines: readonly string[]): { leak: string; line: string }[] {
  return lines.flatMap((line) => {
    const byForm = Object.entries(forms).filter(([, form]) => form.test(line));
    const byValue = [...known].filter(([secret]) => line.includes(secret));
    return [...byForm.map(([name]) => name), ...byValue.map(([, name]) => name)].map((leak) => ({
      leak,
      line,
    }));
  });
}

/** @throws if a log contains forbidden values */
export function requireCleanLog(lines: readonly string[]): void {
  const leaks = findLeaks(lines).map(({ leak, line }) => `${leak}: ${line}`);
  if (leaks.length > 0) throw new Error(`the log holds what it must not:\n${leaks.join("\n")}`);
}
