/** By how much the state of a generator grows with each number. */
const step = 0x6d2b79f5;

/** Returns a generator of numbers from 0 to 1, determined by a seed (mulberry32). Not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + step) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the seed of a generator that continues another one after this many numbers. */
export const seedAfter = (seed: number, numbers: number): number => (seed + Math.imul(step, numbers)) >>> 0;
