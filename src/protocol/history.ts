import type { HistoryAction, HistoryKind } from "../contract/resources/history/history.ts";

/** Who can change something: a signed-in person, an API key, the operator, a bulk job, or the service by itself. */
type ActorKind = "person" | "key" | "operator" | "job" | "service";

/** Who makes a change, and by which request. */
export interface Actor {
  readonly kind: ActorKind;
  /** The id of the person, key or job; null for the operator and the service. */
  readonly id: string | null;
  /** The name at the time of the change. */
  readonly name: string;
  readonly via: "dashboard" | "api" | "mcp" | "embed" | "service";
  /** The `x-request-id` of the response. For a bulk job, that of the request that began it. Null without a request. */
  readonly requestId: string | null;
  /** The name of the agent's program, as it gives it. */
  readonly client?: string;
}

/** The actor of changes that the service makes by itself, or for a Worker that names no actor. */
export const serviceActor: Actor = {
  kind: "service",
  id: null,
  name: "Service",
  via: "service",
  requestId: null,
};

/** Who changes something of the workspace, and the workspace's name, which its ledger doesn't know. */
export interface WorkspaceActor {
  readonly actor: Actor;
  readonly workspaceName: string | null;
}

/** The part of an actor that its request determines. */
export type ActorRequest = Pick<Actor, "via" | "requestId" | "client">;

/**
 * The kinds of objects that only admins change: people, keys, webhooks and settings. Their entries have a reserved
 * quota, so that no flood of changes to codes displaces them.
 */
export const guardedKinds = [
  ...(["member", "invitation", "key", "webhook", "workspace", "brand"] as const),
] satisfies readonly HistoryKind[];

/** Returns whether entries about a kind of object have a reserved quota. */
export const isGuarded = (kind: HistoryKind): boolean => guardedKinds.some((each) => each === kind);

/** Something that has a history. */
export interface ObjectRef {
  readonly kind: HistoryKind;
  readonly id: string;
}

/** The values of fields before and after a change, as the API shows them. */
export type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

/** A change, as the history records it. */
export interface HistoryEntry {
  /** The version of this shape. */
  readonly v: 1;
  /** A UUIDv7, which has the time of the change. */
  readonly id: string;
  readonly action: HistoryAction;
  readonly actor: Actor;
  /** The object of the change, with the name that it had then; null once its values have been erased. */
  readonly object: ObjectRef & { readonly name: string | null };
  /** Empty once the object's values have been erased, or if they were left out. */
  readonly changes: Changes;
  /** Whether the values were left out, because the outbox had no room for them. */
  readonly leftOut?: true;
  /** The bulk job that made the change. */
  readonly jobId?: string;
  /** The entry that the change reverted. */
  readonly revertOf?: string;
}

/** An entry without its id, which its row in the outbox has. */
export type NewEntry = Omit<HistoryEntry, "id">;

/**
 * A row that the outbox carries to the ledger's history: an entry, or an object whose values are erased from it. The entry of
 * a code that a bulk job creates has no changes, since the event's data has them.
 */
export type OutboxHistory =
  | (Omit<NewEntry, "changes"> & { readonly changes?: Changes })
  | { readonly erased: ObjectRef };

/** Which entries to list. */
export interface HistoryFilter {
  readonly objectId?: string | undefined;
  /** All kinds by default. */
  readonly kinds?: readonly HistoryKind[] | undefined;
  /** The id of a person, key or job, or a kind of actor. */
  readonly actor?: string | undefined;
  readonly jobId?: string | undefined;
  /** Range of times, epoch milliseconds: `from` inclusive, `until` exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** A page of entries, newest first. */
export interface HistoryPage {
  readonly items: readonly HistoryEntry[];
  /** The id of the last entry examined, if there may be more; otherwise null. */
  readonly next: string | null;
}

/** The methods of a ledger's history. Times are the caller's clock, epoch milliseconds. */
export interface HistoryMethods {
  listHistory(filter: HistoryFilter, after: string | null, limit: number): HistoryPage;
  listJobHistory(jobId: string, objectIds: readonly string[]): HistoryEntry[];
  listDeletions(objectIds: readonly string[]): HistoryEntry[];
  findHistory(id: string): HistoryEntry | undefined;
}
