/** Crockford's base 32: 32 characters without the look-alikes i, l, o and u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const length = 8;
const generatedForm = /^[0-9a-hjkmnp-tv-z]{8}$/;

/** The form of every hash: one that was chosen, or a generated one. */
const hashForm = /^[0-9a-z-]{4,32}$/;

/** A new hash: 8 characters, 40 random bits. */
export function newHash(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  let hash = "";
  for (const byte of bytes) hash += alphabet[byte & 31];
  return hash;
}

/** Parses a path segment as a hash, in any case; null if it can't be one. */
export function readHash(segment: string): string | null {
  if (hashForm.test(segment)) return segment;
  const hash = segment.toLowerCase();
  return hashForm.test(hash) ? hash : null;
}

/** The generated hash that people may have misread as this one (o for 0, i and l for 1); null if there is none. */
export function correctedHash(hash: string): string | null {
  if (hash.length !== length) return null;
  const corrected = hash.replace(/o/g, "0").replace(/[il]/g, "1");
  return corrected !== hash && generatedForm.test(corrected) ? corrected : null;
}

/** What a hash may stand for: itself, and the generated hash that it may be a misreading of. */
export function readingsOf(hash: string): string[] {
  const corrected = correctedHash(hash);
  return corrected === null ? [hash] : [hash, corrected];
}

/**
 * Looks up a hash as it was read, and if no code has it, the one that it may be a misreading of. The first goes before
 * the second, because a chosen hash may contain any letter.
 * @param isMiss whether no code has the hash, by default for null and undefined
 * @returns what the last look-up found
 */
export async function lookUpReadings<T>(
  hash: string,
  lookUp: (hash: string) => Promise<T>,
  isMiss: (found: T) => boolean = (found) => found === null || found === undefined,
): Promise<T> {
  const found = await lookUp(hash);
  const corrected = isMiss(found) ? correctedHash(hash) : null;
  return corrected === null ? found : lookUp(corrected);
}
