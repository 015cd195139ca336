/** Crockford's base 32: 32 characters without the look-alikes i, l, o and u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const length = 8;
const wellFormed = /^[0-9a-hjkmnp-tv-z]{8}$/;

/** A new hash: 8 characters, 40 random bits. */
export function newHash(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  let hash = "";
  for (const byte of bytes) hash += alphabet[byte & 31];
  return hash;
}

/**
 * Parses a path segment as a hash; null if it can't be one. Case and common misreadings (o for 0, i and l for 1) make no
 * difference.
 */
export function readHash(segment: string): string | null {
  if (segment.length !== length) return null;
  if (wellFormed.test(segment)) return segment;
  const hash = segment.toLowerCase().replace(/o/g, "0").replace(/[il]/g, "1");
  return wellFormed.test(hash) ? hash : null;
}
