import type { PlanLimits } from "../../contract/plans.ts";
import type { HistoryAction, HistoryKind } from "../../contract/resources/history/history.ts";
import { changesBetween } from "../../lib/changes.ts";
import { newId } from "../../lib/text/ids.ts";
import type { Actor, NewEntry } from "../../protocol/history.ts";
import { creationOf } from "../../store/history.ts";
import {
  type Change,
  differingColumns,
  isSet,
  type ResourceColumn,
  type ResourceKind,
  type ResourceRow,
} from "../../store/resources/kind.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import type { ServiceError } from "../errors.ts";
import type { Rule } from "./rules.ts";

/** A change that has no entry yet. */
type Verbless<Row> = Pick<Change<Row>, "before" | "after" | "columns">;

/** A kind of resource: how its changes are stored, recorded, reported and published. */
export interface Resource<Row extends ResourceRow> {
  readonly kind: ResourceKind<Row>;
  /** Its kind in the history. */
  readonly object: HistoryKind;
  /** In errors. */
  readonly noun: string;
  /** Its name in the history. @param before the row before the change, if there was one */
  nameOf(row: Row, before?: Row | null): string | null;
  /** Returns the fields whose values the history records. */
  fieldsOf(row: Row): Record<string, unknown>;
  /** Returns the event that reports a change; null for none. */
  eventOf?(deps: Deps, change: Verbless<Row>): Change<Row>["event"];
  /** Returns the verb of a change in the history, if it isn't the usual one. */
  verbOf?(change: Verbless<Row>): string | undefined;
  /** Returns what a new version of a row sets besides its version. @param now epoch milliseconds */
  updated?(after: Row, columns: readonly ResourceColumn<Row>[], now: number): Partial<Row>;
  /**
   * Rules for rows about to be stored by the workspace. Codes have theirs apart, since those of many refer to rows that
   * are looked up at once.
   */
  readonly rules?: readonly Rule<Row>[];
  /** Returns the caps that apply to creating and restoring; absent for a kind that is never added to. */
  capsOf?(plan: PlanLimits): Readonly<Record<string, number | null>>;
  /** Whether caps apply to a change, besides creating and restoring. */
  adds?(change: Verbless<Row>): boolean;
  /** Explains why a resource could not be created or restored; undefined if nothing prevents it any more. */
  refusalOf?(deps: Deps, context: WorkspaceContext, row: Row): Promise<ServiceError | undefined>;
  /**
   * Publishes a change that scans depend on.
   * @param before the row before it; null if an earlier request made it, and was interrupted
   */
  publish?(deps: Deps, row: Row, before: Row | null): Promise<void>;
}

/** Who makes a change, and why. */
export interface ChangeOrigin {
  readonly actor: Actor;
  readonly jobId?: string | undefined;
  /** The entry of the history that the change undoes. */
  readonly revertOf?: string | undefined;
}

/** Returns the change from a version of a resource to the next one; undefined if they are equal. */
export function changeOf<Row extends ResourceRow>(
  deps: Deps,
  resource: Resource<Row>,
  before: Row,
  edited: Row,
  origin: ChangeOrigin,
): Change<Row> | undefined {
  const { kind } = resource;
  const columns = differingColumns(kind, before, edited);
  if (columns.length === 0) return undefined;
  const at = deps.now();
  const updated = { ...resource.updated?.(edited, columns, at), version: before.version + 1 };
  const set = [...columns, ...kind.columns.filter(({ key }) => key in updated)];
  return newChange(deps, resource, before, { ...edited, ...updated }, origin, { columns, set, at });
}

/**
 * Returns a change with its event and its entry.
 * @param before null for a new resource
 * @param values `columns`: those that the caller changed; `set`: all to write, with `version`; `at`: the time
 */
export function newChange<Row extends ResourceRow>(
  deps: Deps,
  resource: Resource<Row>,
  before: Row | null,
  after: Row,
  { actor, jobId, revertOf }: ChangeOrigin,
  values?: {
    readonly columns: readonly ResourceColumn<Row>[];
    readonly set: readonly ResourceColumn<Row>[];
    readonly at: number;
  },
): Change<Row> {
  const { object, fieldsOf } = resource;
  const { columns, at } = values ?? { columns: resource.kind.columns, at: deps.now() };
  const event = resource.eventOf?.(deps, { before, after, columns }) ?? null;
  const changesOf = () =>
    before === null ? creationOf(fieldsOf(after)) : changesBetween(fieldsOf(before), fieldsOf(after));
  const history: Change<Row>["history"] = {
    v: 1,
    action: actionOf(resource, { before, after, columns }),
    actor,
    object: { kind: object, id: after.id, name: resource.nameOf(after, before) },
    // The event of a new resource has its values already.
    ...((before !== null || event === null) && { changes: changesOf() }),
    ...(jobId !== undefined && { jobId }),
    ...(revertOf !== undefined && { revertOf }),
  };
  return { before, after, columns: values?.set ?? columns, id: newId(at), at, event, history };
}

/** Returns the action that a change is in the history. Only kinds that can be suspended have the column. */
function actionOf<Row extends ResourceRow>(
  { object, verbOf }: Resource<Row>,
  change: Verbless<Row>,
): HistoryAction {
  const verb = () => {
    if (change.before === null) return "created";
    if (isSet(change, "deletedAt")) return change.after.deletedAt === null ? "restored" : "deleted";
    if (isSet(change, "suspended")) return change.after.suspended === null ? "unsuspended" : "suspended";
    return "updated";
  };
  return `${object}.${verbOf?.(change) ?? verb()}` as HistoryAction;
}

/** Returns the entry of a change as the history shows it. */
export const entryOf = <Row extends ResourceRow>({
  id,
  history,
  event,
}: Change<Row>): NewEntry & { id: string } => ({
  ...history,
  id,
  changes: history.changes ?? creationOf(event?.data ?? {}),
});
