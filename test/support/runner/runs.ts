import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is a run of `npm run test:all`. */
    longRuns: boolean;
    /** Whether services have the edge Worker in front, unless a test says otherwise. */
    edge: boolean;
  }
}

/**
 * Returns the size of a loop over random or generated cases: the first for `npm test`, the second for `npm run
 * test:all`.
 */
export const runs = (short: number, long: number): number => (inject("longRuns") ? long : short);

/**
 * Returns the cases for a rule that one piece of code keeps for all of them: one of each class in `npm test`, all in `npm
 * run test:all`.
 */
export const oneOfEach = <Case>(cases: readonly Case[], classOf: (each: Case) => string): readonly Case[] =>
  inject("longRuns")
    ? cases
    : [...Map.groupBy(cases, classOf).values()].flatMap(([first]) => (first === undefined ? [] : [first]));

/**
 * Returns the cases of a list to try: every nth in `npm test`, all in `npm run test:all`.
 * @param from the first one, so that several samples can cover the whole list between them
 */
export const sample = <Case>(cases: readonly Case[], nth: number, from = 0): readonly Case[] =>
  inject("longRuns") ? cases : cases.filter((_, i) => i % nth === from % nth);
