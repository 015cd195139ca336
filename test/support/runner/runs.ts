import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is a run of `npm run test:all`. */
    longRuns: boolean;
  }
}

/** The size of a loop over random or generated cases: the first for `npm test`, the second for `npm run test:all`. */
export const runs = (short: number, long: number): number => (inject("longRuns") ? long : short);

/**
 * The cases of a list that are tried: each nth in `npm test`, all in `npm run test:all`.
 * @param from the first one of them, so that several samples of one list can have every case between them
 */
export const sample = <Case>(cases: readonly Case[], nth: number, from = 0): readonly Case[] =>
  inject("longRuns") ? cases : cases.filter((_, i) => i % nth === from % nth);
