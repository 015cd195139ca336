import { sameJson } from "../../lib/text/json.ts";
import type { ResourceRow } from "../../store/resources/kind.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

/** A row about to be stored. */
export interface Edited<Row> {
  /** Null for a new row. */
  readonly before: Row | null;
  readonly after: Row;
}

/** A rule for the rows of a kind. */
export interface Rule<Row, References = undefined> {
  /** The columns that it concerns. It is checked where one of them gets another value, as all of them do in a new row. */
  readonly columns: readonly (keyof Row & string)[];
  /** @throws ServiceError for a row that breaks it */
  check(
    edited: Edited<Row>,
    deps: Deps,
    context: WorkspaceContext,
    references: References,
  ): void | Promise<void>;
}

/** Returns whether a column gets another value. */
export const isNew = <Row extends object>({ before, after }: Edited<Row>, column: keyof Row): boolean =>
  before === null || !sameJson(before[column], after[column]);

/**
 * Checks a row about to be stored, however it came about: created, changed, restored or put back. Nothing is asked of a
 * deleted one. @param references that the rules need
 * @throws ServiceError for the first rule that it breaks
 */
export async function requireRules<Row extends ResourceRow, References>(
  rules: readonly Rule<Row, References>[],
  edited: Edited<Row>,
  deps: Deps,
  context: WorkspaceContext,
  references: References,
): Promise<void> {
  if (edited.after.deletedAt !== null) return;
  for (const { columns, check } of rules) {
    if (!columns.some((column) => isNew(edited, column))) continue;
    const checking = check(edited, deps, context, references);
    // Most rules ask nobody. Awaiting each of them for each row of a job would take longer than checking them.
    if (checking !== undefined) await checking;
  }
}
