import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is a run of `npm run test:all`. */
    longRuns: boolean;
  }
}

/** The size of a loop over random or generated cases: the first for `npm test`, the second for `npm run test:all`. */
export const runs = (short: number, long: number): number => (inject("longRuns") ? long : short);

/** The cases of a list that are tried: each nth in `npm test`, beginning with the first; all in `npm run test:all`. */
export const sample = <Case>(cases: readonly Case[], nth: number): readonly Case[] =>
  inject("longRuns") ? cases : cases.filter((_, i) => i % nth === 0);
