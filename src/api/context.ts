import type { Caller } from "../domain/caller.ts";
import type { Deps } from "../deps.ts";

/** What the API's middleware hands on. */
export interface ApiEnv {
  Bindings: Env;
  Variables: {
    deps: Deps;
    requestId: string;
    caller: Caller;
  };
}
