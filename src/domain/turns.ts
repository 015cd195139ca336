import type { Deps } from "./deps.ts";

/** Lets the isolate serve other requests. A loop whose awaits resolve at once would block them until it ends. */
export const takeTurns = (deps: Deps): Promise<void> => deps.pause(0);
