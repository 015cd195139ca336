/** Returns the state of a generator after its next number. @param state a seed, or a state */
export const nextState = (state: number): number => (state + 0x6d2b79f5) | 0;

/** Returns the number from 0 to 1 that belongs to a state (mulberry32). Not for secrets. */
export function numberOf(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) * 2 ** -32;
}

/** Generates numbers that a seed determines. A generator with the state of another one continues it. */
export class SeededRandom {
  state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** Returns a number from 0 to 1. */
  next(): number {
    this.state = nextState(this.state);
    return numberOf(this.state);
  }
}

/** Returns a generator of numbers from 0 to 1. */
export function seededRandom(seed: number): () => number {
  const random = new SeededRandom(seed);
  return () => random.next();
}
