/** Who can change something: a signed-in person, an API key, the operator, a bulk job, or the service by itself. */
type ActorKind = "person" | "key" | "operator" | "job" | "service";

/** Who makes a change, and by which request. */
export interface Actor {
  readonly kind: ActorKind;
  /** The id of the person, key or job; null for the operator and the service. */
  readonly id: string | null;
  /** The name at the time of the change. */
  readonly name: string;
  readonly via: "dashboard" | "api" | "embed" | "service";
  /** The `x-request-id` of the response. For a bulk job, that of the request that began it. Null without a request. */
  readonly requestId: string | null;
}

/** A change, as the history tells it. Values are those of the API's resources. */
export interface HistoryEntry {
  /** The version of this shape. */
  readonly v: 1;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Such as `code.updated`. */
  readonly action: string;
  readonly actor: Actor;
  /** What was changed, with the name it had then. */
  readonly object: { readonly kind: string; readonly id: string; readonly name: string | null };
  /** The fields that changed: their values before and after. */
  readonly changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** The bulk job that made the change. */
  readonly jobId?: string;
  /** The entry that this change reverted. */
  readonly revertOf?: string;
}

/** The part of an actor that its request determines. */
export type ActorRequest = Pick<Actor, "via" | "requestId">;
