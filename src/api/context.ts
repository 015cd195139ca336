import type { Auth } from "../contract/endpoints/endpoint.ts";
import type { Caller, Member } from "../domain/identity/caller.ts";
import type { Deps } from "../domain/deps.ts";

/** Who calls, by what their path asks for. */
export interface Callers {
  readonly key: Caller;
  readonly session: Member;
  /** The operator is nobody's member. */
  readonly operator: null;
}

/** Somebody who has been let in. */
export type Admitted = { [A in Auth]: { readonly auth: A; readonly caller: Callers[A] } }[Auth];

/** What the API's middleware hands on. */
export interface ApiEnv {
  Bindings: Env;
  Variables: {
    deps: Deps;
    requestId: string;
    admitted: Admitted;
  };
}
