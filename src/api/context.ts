import type { Auth } from "../contract/endpoints/endpoint.ts";
import type { Caller, Member, Operator, Person } from "../domain/context/context.ts";
import type { Deps } from "../domain/deps.ts";

/** The caller, by the kind of authentication its path requires. */
export interface Callers {
  readonly key: Caller;
  readonly session: Member;
  readonly person: Person;
  readonly operator: Operator;
}

/** An authenticated caller. */
export type Authenticated = { [A in Auth]: { readonly auth: A; readonly caller: Callers[A] } }[Auth];

/** Passed to the handlers by the API's middleware. */
export interface ApiEnv {
  Bindings: { deps: Deps };
  Variables: {
    deps: Deps;
    requestId: string;
    /** The JSON body as sent by the client. */
    sentBody?: unknown;
    /** The fields of the body that are ignored. */
    ignoredFields?: ReadonlySet<string>;
    /** Unset until the request is authenticated. */
    authenticated?: Authenticated;
  };
}
