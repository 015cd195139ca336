import { readsAsValue } from "./spreadsheets.ts";

/** Crockford's base 32: 32 characters without the look-alikes i, l, o and u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const length = 8;

/** The form of every hash, chosen or generated. */
const hashForm = /^[0-9a-z-]{4,32}$/;

/** Generates a hash: 8 characters, nearly 40 random bits. Tables of hashes pass through spreadsheets unharmed. */
export function newHash(): string {
  for (;;) {
    let hash = "";
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) hash += alphabet[byte & 31];
    if (!readsAsValue(hash)) return hash;
  }
}

/** Parses a path segment as a hash, in any case; null if it can't be one. */
export function readHash(segment: string): string | null {
  if (hashForm.test(segment)) return segment;
  const hash = segment.toLowerCase();
  return hashForm.test(hash) ? hash : null;
}

/** A hash and what may follow it. */
const longestScanned = 64;

/** Characters that follow a link where it is copied or typed: spaces, closing punctuation, quotes and marks of emphasis. */
const tail = /[\s.,;:!?…*_~`'"<>\p{Pe}\p{Pf}\p{Pi}。、，．！？；：]{1,64}$/u;

/**
 * Parses a path segment as a hash, also with what often comes along with a link: a tail, invisible characters, or another
 * dash for a hyphen. Null if it can't be one.
 */
export function readScannedHash(segment: string): string | null {
  const exact = readHash(segment);
  if (exact !== null || segment.length > longestScanned) return exact;
  const visible = segment.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/[\p{Pd}−]/gu, "-");
  return readHash(visible.replace(tail, ""));
}

/**
 * Returns the form that a hash shares with its misreadings: o becomes 0, i and l become 1. A generated hash is its own.
 */
export const foldHash = (hash: string): string => hash.replace(/o/g, "0").replace(/[il]/g, "1");
