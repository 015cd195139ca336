import type { Deps } from "../deps.ts";

/** Lets the isolate serve its other requests. A loop whose awaits never wait would hold them up until it ends. */
export const takeTurns = (deps: Deps): Promise<void> => deps.pause(0);
