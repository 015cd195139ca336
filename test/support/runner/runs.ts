import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is a run of `npm run test:all`. */
    longRuns: boolean;
  }
}

/** The size of a loop over random or generated cases: the first for `npm test`, the second for `npm run test:all`. */
export const runs = (short: number, long: number): number => (inject("longRuns") ? long : short);
