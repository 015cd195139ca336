/** 32 characters without look-alikes (Crockford's base 32): no i, l, o, u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const length = 8;
const wellFormed = /^[0-9a-hjkmnp-tv-z]{8}$/;

/** A new hash: 8 characters, 40 bits from the system's random source. */
export function newHash(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  let hash = "";
  for (const byte of bytes) hash += alphabet[byte & 31];
  return hash;
}

/**
 * The hash a path segment means, or null if it can't be one. Any case, and what people misread when they
 * type (o for 0, i and l for 1), leads to the same code.
 */
export function readHash(segment: string): string | null {
  if (segment.length !== length) return null;
  if (wellFormed.test(segment)) return segment;
  const hash = segment.toLowerCase().replace(/o/g, "0").replace(/[il]/g, "1");
  return wellFormed.test(hash) ? hash : null;
}
