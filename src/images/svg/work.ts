/** The problem of a logo, in words that follow the field's name. */
export class LogoProblem extends Error {}

/** Steps for each character of a file. Reading takes about ten, and a file of nothing but classes about fifty. */
const stepsPerCharacter = 100;

/**
 * Counts the steps of reading a file, mostly one per character. Their bound is proportional to its length, so reading
 * takes linear time whatever the file contains.
 */
export class Work {
  steps = 0;
  readonly #most: number;

  constructor(length: number) {
    this.#most = 100_000 + length * stepsPerCharacter;
  }

  add(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#most) throw new LogoProblem("is too complex. Simplify it.");
  }
}
